// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_SCRATCH_FOLDER_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_SCRATCH_FOLDER_H_

#include <string>

namespace npukit::tools {

// A folder of its own for files that others are to read, gone with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  // Empty if no folder could be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_SCRATCH_FOLDER_H_
