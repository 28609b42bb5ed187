// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/library_file.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include "sdk/host/library/dispatch_search.h"
#include "sdk/remote/wire/digest.h"
#include "sdk/remote/wire/file_bytes.h"

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
  auto bytes = ReadFileBytes(path);
  LibraryFile read;
  read.path = path;
  read.name = std::filesystem::path(path).filename().string();
  read.vendor = VendorOf(path);
  if (!bytes || bytes->empty())
    return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": can't be read");
  read.bytes = std::move(*bytes);
  read.digest = Digest(read.bytes);
  return read;
}

}  // namespace npukit::remote
