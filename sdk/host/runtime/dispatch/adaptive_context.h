// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The host's functions for dispatch libraries that answer in 48 bytes. Those of LiteRT 2.1.5 and 2.1.6
// read a table that begins with its first function, those of main from 23 July to 3 August 2026 one
// with a header before it, and nothing in the library tells which. So they get a table whose every
// word is a function that sees, by what it is called with, which of the two it stands for.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_ADAPTIVE_CONTEXT_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_ADAPTIVE_CONTEXT_H_

#include <cstddef>

#include "litert/c/litert_common.h"

namespace npukit {

// One for each library; they last as long as the process. Thread-safe once it is decided, which it is
// at the latest by the library's first question about its environment, options or requirements.
class AdaptiveContext {
 public:
  static constexpr size_t kPlaces = 8;

  // Null if all places are taken.
  static AdaptiveContext* Create();

  // What the library is handed.
  const void* table() const;
  // By which calls are told apart.
  void SetHandles(LiteRtEnvironment environment, LiteRtOptions options);
  // The library refused a table without a header. False if it had one already.
  bool AssumeHeader();

 private:
  explicit AdaptiveContext(size_t place) : place_(place) {}
  const size_t place_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_ADAPTIVE_CONTEXT_H_
