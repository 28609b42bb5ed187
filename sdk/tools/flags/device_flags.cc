// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/device_flags.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/host/library/shared_libraries.h"
#include "sdk/remote/desk/connect.h"
#include "sdk/remote/desk/link.h"
#include "sdk/remote/desk/remote_library.h"
#include "sdk/tools/command_line/command_line.h"

namespace npukit::tools {
namespace {

litert::Expected<std::unique_ptr<remote::Link>> StartWorker(const remote::DeviceAddress& address,
                                                            const std::string& folder) {
  LITERT_ASSIGN_OR_RETURN(auto connection, remote::Connect(address, folder));
  return remote::Link::Greet(std::move(connection));
}

struct Tried {
  int exit_code = kDone;
  std::string trouble;  // first between desk and device; empty: none
  bool is_lost = false;
};

Tried Try(DeviceFlags& flags, remote::Link& link, const remote::LibraryFile& file,
          const std::function<int()>& work) {
  auto installed = remote::InstallRemoteLibrary(link, file);
  if (!installed) return {.exit_code = Fail(kNotLoaded, installed.Error())};
  flags.library = std::move(*installed);
  Tried tried{.exit_code = work()};
  flags.library.clear();
  tried.trouble = remote::RemoteTrouble();
  tried.is_lost = link.is_lost();
  remote::UninstallRemoteLibrary();
  return tried;
}

// "AcmeCorp" of "/x/libLiteRtCompilerPlugin_AcmeCorp.so".
std::string VendorOfPluginFile(std::string_view path) {
  constexpr std::string_view kPrefix = "libLiteRtCompilerPlugin_";
  const std::string stem = std::filesystem::path(path).stem().string();
  return stem.starts_with(kPrefix) ? stem.substr(kPrefix.size()) : std::string();
}

litert::Expected<std::string> Choose(const std::vector<std::string>& paths,
                                     std::string (*vendor_of)(std::string_view),
                                     const std::string& folder, std::string_view vendors,
                                     const char* what) {
  std::vector<std::string> best;
  int likeness = 0;
  for (const std::string& path : paths) {
    int fits = 0;
    for (std::string_view rest = vendors; !rest.empty();) {
      const size_t comma = rest.find(',');
      fits = std::max(fits, VendorLikeness(vendor_of(path), rest.substr(0, comma)));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    if (fits < likeness) continue;
    if (fits > likeness) best.clear();
    likeness = fits;
    best.push_back(path);
  }
  if (best.size() == 1) return best.front();
  if (best.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              fmt::format("{}: no {} for the device", folder, what));
  }
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("{}: more than one {} for the device; choose by --plugin NAME: {}", folder, what,
                  fmt::join(best, ", ")));
}

}  // namespace

void DeviceFlags::AddTo(CommandLine& line) {
  line.Add("--device", address,
           "where the dispatch library runs: local:, exec:COMMAND or ssh:[USER@]HOST[:DIR]");
  line.Add("--device-dir", folder,
           "folder with the libraries for that device (default: --plugin-dir)");
}

litert::Expected<std::string> ChooseDeviceLibrary(const std::string& folder,
                                                  std::string_view vendors) {
  LITERT_ASSIGN_OR_RETURN(const PluginFiles files, FindPluginFiles(folder));
  return Choose(files.dispatch, VendorOfDispatchFile, folder, vendors, "dispatch library");
}

litert::Expected<std::string> ChooseDevicePlugin(const std::string& folder,
                                                 std::string_view vendors) {
  LITERT_ASSIGN_OR_RETURN(const PluginFiles files, FindPluginFiles(folder));
  return Choose(files.compiler_plugins, VendorOfPluginFile, folder, vendors, "compiler plugin");
}

int OnDevice(DeviceFlags& flags, const std::string& plugin_dir, std::string_view vendors,
             const std::function<int()>& work, const PrepareDevice& prepare) {
  if (!flags.is_asked()) return work();
  const auto address = remote::ParseDeviceAddress(flags.address);
  if (!address) return Fail(kWrongUsage, address.Error());
  const std::string folder = FolderOf(flags.folder.empty() ? plugin_dir : flags.folder);
  if (folder.empty()) {
    return Fail(kWrongUsage,
                "--device needs the folder with the library for it: --device-dir or --plugin-dir");
  }
  const auto path = ChooseDeviceLibrary(folder, vendors);
  if (!path) return Fail(kNotLoaded, path.Error());
  const auto file = remote::LibraryFile::Read(*path);
  if (!file) return Fail(kNotLoaded, file.Error());
  signal(SIGPIPE, SIG_IGN);
  for (const bool is_last_try : {false, true}) {
    auto link = StartWorker(*address, folder);
    if (!link) {
      return Fail(kNotLoaded,
                  fmt::format("--device {}: {}", flags.address, link.Error().Message()));
    }
    if (prepare) {
      const auto prepared = prepare(**link, folder);
      if (!prepared && (*link)->is_lost() && !is_last_try) {
        Warn(prepared.Error().Message() + "; once more, on a fresh worker");
        continue;
      }
      if (!prepared) return Fail(kFailed, prepared.Error());
    }
    const Tried tried = Try(flags, **link, *file, work);
    if (tried.exit_code == kDone) return kDone;
    if (!tried.trouble.empty()) Warn(tried.trouble);
    if (!tried.is_lost || is_last_try) return tried.exit_code;
    Warn("once more, on a fresh worker");
  }
  return kFailed;
}

}  // namespace npukit::tools
