// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/op_package_flags.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "sdk/host/library/shared_libraries.h"
#include "sdk/tools/command_line/command_line.h"

namespace npukit::tools {

void OpPackageFlags::AddTo(CommandLine& line) {
  line.Add("--op-package-dir", dirs,
           "folder with operator packages, besides those in NPUKIT_OP_PACKAGE_PATH")
      .OneValueEach();
}

litert::Expected<void> OpPackageFlags::Check() const {
  for (const std::string& dir : dirs) {
    std::error_code error;
    if (std::filesystem::is_directory(FolderOf(dir), error)) continue;
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              "--op-package-dir: " + dir + " is not a folder");
  }
  return {};
}

OpPackages OpPackageFlags::Load() const {
  OpPackages packages = LoadOpPackages(dirs);
  WarnAbout(packages);
  return packages;
}

void WarnAbout(const OpPackages& packages) {
  for (const auto& failure : packages.failures)
    Warn(fmt::format("operator package not used: {}: {}", failure.path, failure.reason));
}

}  // namespace npukit::tools
