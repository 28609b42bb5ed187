// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/library_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "sdk/host/library/dispatch_search.h"
#include "sdk/remote/wire/digest.h"

namespace npukit::remote {
namespace {

std::string VendorOf(const std::string& path) {
  constexpr std::string_view kPluginPrefix = "libLiteRtCompilerPlugin_";
  const std::string stem = std::filesystem::path(path).stem().string();
  return stem.starts_with(kPluginPrefix) ? stem.substr(kPluginPrefix.size())
                                         : VendorOfDispatchFile(path);
}

}  // namespace

litert::Expected<LibraryFile> LibraryFile::Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  LibraryFile read;
  read.path = path;
  read.name = std::filesystem::path(path).filename().string();
  read.vendor = VendorOf(path);
  read.bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  if (!file || read.bytes.empty())
    return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": can't be read");
  read.digest = Digest(read.bytes);
  return read;
}

}  // namespace npukit::remote
