// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which sanitizer the compiler builds in, as GCC and clang say it each in their way. Defined if it is so:
//
//   NPUKIT_INTERNAL_ADDRESS_SANITIZER
//   NPUKIT_INTERNAL_THREAD_SANITIZER
//   NPUKIT_INTERNAL_SANITIZER          one of them, or clang's memory sanitizer

#ifndef NPUKIT_INTERNAL_SANITIZERS_H_
#define NPUKIT_INTERNAL_SANITIZERS_H_

#if defined(__SANITIZE_ADDRESS__)
#define NPUKIT_INTERNAL_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define NPUKIT_INTERNAL_THREAD_SANITIZER
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(NPUKIT_INTERNAL_ADDRESS_SANITIZER)
#define NPUKIT_INTERNAL_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer) && !defined(NPUKIT_INTERNAL_THREAD_SANITIZER)
#define NPUKIT_INTERNAL_THREAD_SANITIZER
#endif
#if __has_feature(memory_sanitizer)
#define NPUKIT_INTERNAL_SANITIZER
#endif
#endif

#if defined(NPUKIT_INTERNAL_ADDRESS_SANITIZER) || defined(NPUKIT_INTERNAL_THREAD_SANITIZER)
#define NPUKIT_INTERNAL_SANITIZER
#endif

#endif  // NPUKIT_INTERNAL_SANITIZERS_H_
