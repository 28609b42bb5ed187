// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/shared_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace npukit {
namespace {

// A sanitizer's malloc must be the only one in the process.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kOwnNamesFirst = 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
constexpr int kOwnNamesFirst = 0;
#else
constexpr int kOwnNamesFirst = RTLD_DEEPBIND;
#endif
#else
constexpr int kOwnNamesFirst = RTLD_DEEPBIND;
#endif

}  // namespace

litert::Expected<SharedLibrary> SharedLibrary::Open(const std::string& path) {
  SharedLibrary library;
  library.path_ = path;
  // A name without a slash would be searched for along the system's path.
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  library.handle_ = dlopen(error ? path.c_str() : absolute.c_str(),
                           RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | kOwnNamesFirst);
  if (library.handle_ == nullptr) {
    const char* why = dlerror();
    return litert::Unexpected(kLiteRtStatusErrorDynamicLoading,
                              path + ": can't be opened: " + (why == nullptr ? "no reason" : why));
  }
  return library;
}

void* SharedLibrary::Find(const char* symbol) const { return dlsym(handle_, symbol); }

}  // namespace npukit
