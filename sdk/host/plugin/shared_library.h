// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_PLUGIN_SHARED_LIBRARY_H_
#define NPUKIT_SDK_HOST_PLUGIN_SHARED_LIBRARY_H_

#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit {

// A library in the process. Once opened it stays for the life of the process,
// as in LiteRT: vendors keep threads and globals that do not survive unloading.
class SharedLibrary {
 public:
  // All symbols are bound at once, its
  // own names before those of the process (not under sanitizers, which that
  // breaks). Errors name the file.
  static litert::Expected<SharedLibrary> Open(const std::string& path);

  // Null if the library does not define it.
  void* Find(const char* symbol) const;

  const std::string& path() const { return path_; }

 private:
  SharedLibrary() = default;

  std::string path_;
  void* handle_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_SHARED_LIBRARY_H_
