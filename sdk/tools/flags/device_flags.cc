// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/device_flags.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/host/library/shared_libraries.h"
#include "sdk/remote/desk/compiler/remote_plugin.h"
#include "sdk/remote/desk/connect.h"
#include "sdk/remote/desk/dispatch/remote_library.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/desk/link.h"
#include "sdk/tools/command_line/command_line.h"

namespace npukit::tools {
namespace {

litert::Expected<std::unique_ptr<remote::Link>> StartWorker(const remote::DeviceAddress& address,
                                                            const std::string& folder) {
  LITERT_ASSIGN_OR_RETURN(auto connection, remote::Connect(address, folder));
  return remote::Link::Greet(std::move(connection));
}

// What is sent to the device.
struct DeviceFiles {
  std::string folder;
  std::optional<remote::LibraryFile> dispatch;
  std::optional<remote::LibraryFile> compiler;
};

struct Tried {
  int exit_code = kDone;
  std::string trouble;  // first between desk and device; empty: none
  bool is_lost = false;
};

int Install(DeviceFlags& flags, remote::Link& link, const DeviceFiles& files) {
  if (files.dispatch) {
    auto installed = remote::InstallRemoteLibrary(link, *files.dispatch);
    if (!installed) return Fail(kNotLoaded, installed.Error());
    flags.library = std::move(*installed);
    // One that can't be loaded is for the session to find.
    (void)remote::OpenRemoteLibrary();
  }
  if (!files.compiler) return kDone;
  if (auto installed = remote::InstallRemotePlugin(link, *files.compiler); !installed)
    return Fail(kNotLoaded, installed.Error());
  // Why it can't be is told as trouble.
  return remote::OpenRemotePlugin() ? kDone : kNotLoaded;
}

Tried Try(DeviceFlags& flags, remote::Link& link, const DeviceFiles& files,
          const std::function<int()>& work) {
  Tried tried{.exit_code = Install(flags, link, files), .trouble = {}};
  if (tried.exit_code == kDone) tried.exit_code = work();
  flags.library.clear();
  tried.trouble = remote::RemotePluginTrouble();
  if (tried.trouble.empty()) tried.trouble = remote::RemoteTrouble();
  tried.is_lost = link.is_lost();
  // What is installed uses `link`, which its owner ends after this.
  remote::UninstallRemotePlugin();
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
           "where the vendor's libraries run: local:, exec:COMMAND or ssh:[USER@]HOST[:DIR]");
  line.Add("--device-dir", folder,
           "folder with the libraries for that device (default: --plugin-dir)")
      .Needs(line.Find("--device"));
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

void DeviceFlags::AddCompilingTo(CommandLine& line) {
  line.AddFlag("--compile-on-device", compiles_on_device,
               "compile on the device of --device, by the compiler plugin of --device-dir");
}

std::optional<int> DeviceFlags::CheckFolder() const {
  if (is_asked() || folder.empty()) return std::nullopt;
  return Fail(kWrongUsage,
              fmt::format("--device-dir needs a device: with --device {} all runs here", address));
}

std::optional<int> DeviceFlags::CheckFolders(const std::string& plugin_dir) const {
  const bool are_there = is_asked() && compiles_on_device && !folder.empty();
  if (!plugin_dir.empty() || are_there) return std::nullopt;
  return Fail(kWrongUsage, "--plugin-dir is required (or --device-dir, with --compile-on-device)");
}

namespace {

// An exit code where there are none.
std::optional<int> ReadFiles(const DeviceFlags& flags, const std::string& plugin_dir,
                             std::string_view vendors, DeviceFiles& files) {
  files.folder = FolderOf(flags.folder.empty() ? plugin_dir : flags.folder);
  if (files.folder.empty()) {
    return Fail(kWrongUsage,
                "--device needs the folder with the library for it: --device-dir or --plugin-dir");
  }
  using Choice = litert::Expected<std::string> (*)(const std::string&, std::string_view);
  const std::tuple<bool, Choice, std::optional<remote::LibraryFile>*> kWanted[] = {
      {flags.dispatches, ChooseDeviceLibrary, &files.dispatch},
      {flags.compiles_on_device, ChooseDevicePlugin, &files.compiler}};
  for (const auto& [is_wanted, choose, file] : kWanted) {
    if (!is_wanted) continue;
    const auto path = choose(files.folder, vendors);
    if (!path) return Fail(kNotLoaded, path.Error());
    auto read = remote::LibraryFile::Read(*path);
    if (!read) return Fail(kNotLoaded, read.Error());
    *file = std::move(*read);
    (*file)->device = flags.address;
  }
  return std::nullopt;
}

}  // namespace

int OnDevice(DeviceFlags& flags, const std::string& plugin_dir, std::string_view vendors,
             const std::function<int()>& work) {
  if (!flags.is_asked()) {
    if (flags.compiles_on_device) return Fail(kWrongUsage, "--compile-on-device needs --device");
    if (const auto exit_code = flags.CheckFolder()) return *exit_code;
    return work();
  }
  const auto address = remote::ParseDeviceAddress(flags.address);
  if (!address) return Fail(kWrongUsage, address.Error());
  DeviceFiles files;
  if (const auto exit_code = ReadFiles(flags, plugin_dir, vendors, files)) return *exit_code;
  signal(SIGPIPE, SIG_IGN);
  // A worker that is gone takes the library's process along, and with it all that a run began: the
  // work is done from its start, once.
  for (const bool is_last_try : {false, true}) {
    auto link = StartWorker(*address, files.folder);
    if (!link) {
      return Fail(kNotLoaded,
                  fmt::format("--device {}: {}", flags.address, link.Error().Message()));
    }
    const Tried tried = Try(flags, **link, files, work);
    if (tried.exit_code == kDone) return kDone;
    if (!tried.trouble.empty()) Warn(tried.trouble);
    if (!tried.is_lost || is_last_try) return tried.exit_code;
    Warn("trying once more, with a new worker");
  }
  return kFailed;
}

}  // namespace npukit::tools
