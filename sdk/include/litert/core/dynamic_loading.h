// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CORE_DYNAMIC_LOADING_H_
#define ODML_LITERT_LITERT_CORE_DYNAMIC_LOADING_H_

// Finds shared libraries in folders. kLiteRtStatusErrorInvalidArgument for a folder that does not
// exist. What can't be read is passed over.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_abseil.h"
#include "litert/core/filesystem.h"

namespace litert::internal {

inline constexpr StringView kLiteRtSharedLibPrefix = "libLiteRt";

// Appends the paths of the files in the folder and those below it (links to folders are not
// followed): with `full_match` those whose path contains the pattern, else those whose name begins
// with it and ends in ".so".
inline LiteRtStatus FindLiteRtSharedLibsHelper(const std::string& search_path,
                                               const std::string& lib_pattern, bool full_match,
                                               std::vector<std::string>& results) {
  if (!Exists(search_path)) return kLiteRtStatusErrorInvalidArgument;
  namespace fs = std::filesystem;
  std::error_code error;
  fs::recursive_directory_iterator entry(search_path, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    std::error_code none;
    if (!entry->is_regular_file(none) || access(path.c_str(), R_OK) != 0) continue;
    const bool fits = full_match ? path.string().find(lib_pattern) != std::string::npos
                                 : path.filename().string().rfind(lib_pattern, 0) == 0 &&
                                       path.extension() == ".so";
    if (fits) results.push_back(path.string());
  }
  return kLiteRtStatusOk;
}

// libLiteRtCompilerPlugin*.so
inline LiteRtStatus FindLiteRtCompilerPluginSharedLibs(StringView search_path,
                                                       std::vector<std::string>& results) {
  return FindLiteRtSharedLibsHelper(std::string(search_path),
                                    std::string(kLiteRtSharedLibPrefix) + "CompilerPlugin",
                                    /*full_match=*/false, results);
}

// libLiteRtDispatch*.so
inline LiteRtStatus FindLiteRtDispatchSharedLibs(StringView search_path,
                                                 std::vector<std::string>& results) {
  return FindLiteRtSharedLibsHelper(std::string(search_path),
                                    std::string(kLiteRtSharedLibPrefix) + "Dispatch",
                                    /*full_match=*/false, results);
}

// Appends the folder of the first library whose path contains the pattern to LD_LIBRARY_PATH, where
// it does not stand yet; kLiteRtStatusOk if there is no such library. Changes the environment of the
// process, so that no other thread may read it meanwhile.
inline LiteRtStatus PutLibOnLdPath(StringView search_path, StringView lib_pattern) {
  std::vector<std::string> found;
  const LiteRtStatus status = FindLiteRtSharedLibsHelper(
      std::string(search_path), std::string(lib_pattern), /*full_match=*/true, found);
  if (status != kLiteRtStatusOk || found.empty()) return status;
  const std::string folder = std::filesystem::path(found.front()).parent_path().string();
  const char* value = getenv("LD_LIBRARY_PATH");
  std::string folders = value == nullptr ? "" : value;
  if ((":" + folders + ":").find(":" + folder + ":") != std::string::npos) return kLiteRtStatusOk;
  if (!folders.empty()) folders += ":";
  return setenv("LD_LIBRARY_PATH", (folders + folder).c_str(), /*overwrite=*/1) == 0
             ? kLiteRtStatusOk
             : kLiteRtStatusErrorRuntimeFailure;
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CORE_DYNAMIC_LOADING_H_
