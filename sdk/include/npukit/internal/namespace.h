// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_NAMESPACE_H_
#define NPUKIT_INTERNAL_NAMESPACE_H_

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

#endif  // NPUKIT_INTERNAL_NAMESPACE_H_
