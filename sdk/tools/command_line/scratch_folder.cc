// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/scratch_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace npukit::tools {

litert::Expected<ScratchFolder> ScratchFolder::Create() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string name = (parent / "npukit_XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorFileIO,
                              "no folder for temporary files can be made: see TMPDIR");
  }
  return ScratchFolder(std::move(name));
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

}  // namespace npukit::tools
