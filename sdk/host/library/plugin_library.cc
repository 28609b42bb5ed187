// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/plugin_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "litert/cc/litert_macros.h"
#include "npukit/internal/sanitizers.h"
#include "sdk/host/library/abi_generation.h"

namespace npukit {
namespace {

// A sanitizer's malloc must be the only one in the process.
#if defined(NPUKIT_INTERNAL_SANITIZER)
constexpr int kOwnNamesFirst = 0;
#else
constexpr int kOwnNamesFirst = RTLD_DEEPBIND;
#endif

}  // namespace

litert::Expected<PluginLibrary> PluginLibrary::Open(const std::string& path,
                                                    NpukitStaticPluginKind kind) {
  PluginLibrary library;
  library.path_ = path;
  if (LinkedName(path).empty()) {
    LITERT_ASSIGN_OR_RETURN(library.facts_, ReadElfFacts(path));
  } else {
    library.table_ = FindLinked(kind, path);
    if (library.table_ == nullptr) {
      return litert::Unexpected(
          kLiteRtStatusErrorNotFound,
          fmt::format(
              "{}: no {} of this name is linked into the program", path,
              kind == kNpukitStaticPluginCompiler ? "compiler plugin" : "dispatch library"));
    }
    for (const auto& [symbol, function] : library.table_->symbols) {
      library.facts_.exports.push_back(symbol);
    }
  }
  if (kind == kNpukitStaticPluginCompiler) {
    // Before dlopen runs the library's constructors: one that can't be told is refused without
    // running any of its code.
    LITERT_RETURN_IF_ERROR(GenerationByExports(path, library.facts_));
  }
  if (!library.is_linked()) LITERT_RETURN_IF_ERROR(library.OpenFile(kind));
  return library;
}

litert::Expected<void> PluginLibrary::OpenFile(NpukitStaticPluginKind kind) {
  // A name without a slash would be searched for along the system's path.
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path_, error).string();
  const int flags = kind == kNpukitStaticPluginCompiler ? RTLD_NODELETE | kOwnNamesFirst : 0;
  void* const handle =
      dlopen(error ? path_.c_str() : absolute.c_str(), RTLD_NOW | RTLD_LOCAL | flags);
  if (handle == nullptr) {
    const char* why = dlerror();
    return litert::Unexpected(
        kLiteRtStatusErrorDynamicLoading,
        fmt::format("{}: can't be opened: {}", path_, why == nullptr ? "no reason" : why));
  }
  handle_ = {handle, [](void* opened) { dlclose(opened); }};
  return {};
}

void* PluginLibrary::Find(const char* symbol) const {
  if (!is_linked()) return dlsym(handle_.get(), symbol);
  const auto found = table_->symbols.find(std::string_view(symbol));
  return found == table_->symbols.end() ? nullptr : reinterpret_cast<void*>(found->second);
}

}  // namespace npukit
