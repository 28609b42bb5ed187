// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_NAMESPACE_H_
#define NPUKIT_INTERNAL_NAMESPACE_H_

#include <cstddef>  // which standard library, and which release of it

#include "npukit/internal/sanitizers.h"

// The C++ of npukit's plugin headers lives in an inline namespace, so that it
// never meets the host's own classes of the same names. Authors write
// npukit::CompilerPlugin and need not know. What has static storage is hidden,
// so that each library has its own and closing a plugin really unloads it.
#define NPUKIT_NAMESPACE_BEGIN \
  namespace npukit {           \
  inline namespace plugin_sdk {
#define NPUKIT_NAMESPACE_END \
  }                          \
  }

// What is the same for every vendor's class is either compiled with the vendor's source, or once for
// all: then these headers declare it, and it lies in an archive of the installation. The archive's
// CMake target defines NPUKIT_SDK_ARCHIVE, as the release of libstdc++ that the archive was compiled
// with; NPUKIT_HEADER_ONLY, or a library or an instrumentation that the archive does not fit, makes
// all of it inline again, and nothing of the archive is linked.
#if defined(NPUKIT_SDK_ARCHIVE) && !defined(NPUKIT_HEADER_ONLY) && defined(_GLIBCXX_RELEASE)
#if _GLIBCXX_RELEASE >= NPUKIT_SDK_ARCHIVE && _GLIBCXX_USE_CXX11_ABI && !defined(_GLIBCXX_DEBUG)
#define NPUKIT_INTERNAL_FITS_ARCHIVE
#endif
#endif
#if defined(NPUKIT_INTERNAL_SANITIZER)
#undef NPUKIT_INTERNAL_FITS_ARCHIVE
#endif

// NPUKIT_INTERNAL_INLINE stands before the definition of a function that the archive has.
#if defined(NPUKIT_INTERNAL_FITS_ARCHIVE)
#define NPUKIT_INTERNAL_INLINE
#else
#define NPUKIT_INTERNAL_INLINE inline
#endif

// Around what differs from ABI to ABI and has an archive for each: with the wrong one nothing links.
#if defined(NPUKIT_ABI_2_3)
#define NPUKIT_INTERNAL_ABI abi2_3
#elif defined(NPUKIT_ABI_2_2)
#define NPUKIT_INTERNAL_ABI abi2_2
#else
#define NPUKIT_INTERNAL_ABI abi2_1
#endif

#endif  // NPUKIT_INTERNAL_NAMESPACE_H_
