// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A vendor's library as a file of the desk, which is to be sent to a device.

#ifndef NPUKIT_SDK_REMOTE_DESK_LIBRARY_FILE_H_
#define NPUKIT_SDK_REMOTE_DESK_LIBRARY_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::remote {

// Immutable once it is installed.
struct LibraryFile {
  std::string path;
  std::string device;  // for people: that it is sent to, as --device names it; empty: not said
  std::string name;    // its last part
  std::string
      vendor;  // of its name: what stands between "libLiteRtDispatch_", or "...CompilerPlugin_", and ".so"
  std::string digest;
  std::vector<uint8_t> bytes;

  static litert::Expected<LibraryFile> Read(const std::string& path);
  // "PATH on DEVICE".
  std::string Place() const { return device.empty() ? path : path + " on " + device; }
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_LIBRARY_FILE_H_
