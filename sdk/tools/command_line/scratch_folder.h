// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_SCRATCH_FOLDER_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_SCRATCH_FOLDER_H_

#include <string>
#include <utility>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// A folder of its own for files that others are to read, gone with the object.
class ScratchFolder {
 public:
  // Error: none can be made, as where TMPDIR names no folder.
  static litert::Expected<ScratchFolder> Create();
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_SCRATCH_FOLDER_H_
