// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/plugin_under_test.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/runner/process/stage.h"
#include "conformance/runner/process/worker_answer.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/host/plugin/plugin_functions.h"
#include "sdk/remote/desk/compiler/remote_plugin.h"
#include "sdk/remote/desk/connect.h"
#include "sdk/remote/desk/device_address.h"
#include "sdk/remote/desk/dispatch/remote_library.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/desk/link.h"

namespace npukit::conformance {
namespace {

// Runs in the worker.
litert::Expected<std::string> AskName(const std::string& path) {
  SetStage("dlopen");
  LITERT_ASSIGN_OR_RETURN(const PluginLibrary library,
                          PluginLibrary::Open(path, kNpukitStaticPluginCompiler));
  const std::string symbol(kLiteRtGetCompilerPluginSocManufacturer);
  auto get_name =
      reinterpret_cast<LiteRtGetCompilerPluginSocManufacturerT>(library.Find(symbol.c_str()));
  if (get_name == nullptr) {
    // It may stand in a queried table alone. Not so for all: to resolve some, a plugin is created.
    LITERT_ASSIGN_OR_RETURN(const PluginFunctions functions, ResolveFunctions(library));
    get_name = functions.litert.get_compiler_plugin_soc_manufacturer;
  }
  SetStage(symbol);
  const char* name = get_name();
  if (name == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              path + ": " + symbol + " gave null");
  return std::string(name);
}

litert::Expected<std::string> AskNameInWorker(const std::string& path) {
  WorkerAnswer name = AskWorker([&] { return AskName(path); });
  if (name.text) return std::move(name.text);
  const std::string& why = name.text.Error().Message();
  return litert::Unexpected(kLiteRtStatusErrorDynamicLoading,
                            name.answered ? why : path + ": can't be asked its name: " + why);
}

}  // namespace

litert::Expected<PluginUnderTest> FindPluginUnderTest(const std::string& plugin_dir,
                                                      const std::string& manufacturer) {
  LITERT_ASSIGN_OR_RETURN(const PluginFiles files, FindPluginFiles(plugin_dir));
  if (files.compiler_plugins.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              plugin_dir + ": no compiler plugin (libLiteRtCompilerPlugin*.so)");
  }
  std::string found;
  bool all_answered = true;
  PluginUnderTest under_test;
  under_test.plugin_dir = plugin_dir;
  for (const std::string& path : files.compiler_plugins) {
    auto name = AskNameInWorker(path);
    if (!name && files.compiler_plugins.size() == 1) return name.Error();
    all_answered &= name.HasValue();
    if (!name || (!manufacturer.empty() && *name != manufacturer)) {
      found += "\n  " + path + (name ? " (" + *name + ")" : ": " + name.Error().Message());
      continue;
    }
    found += "\n  " + path + " (" + *name + ")";
    if (!under_test.plugin_path.empty()) {
      return litert::Unexpected(
          kLiteRtStatusErrorInvalidArgument,
          plugin_dir + ": several compiler plugins; choose one with --plugin NAME:" + found);
    }
    under_test.plugin_path = path;
    under_test.manufacturer = *name;
  }
  if (under_test.plugin_path.empty()) {
    // One that can't be loaded may be the one that is meant.
    return litert::Unexpected(
        all_answered ? kLiteRtStatusErrorInvalidArgument : kLiteRtStatusErrorNotFound,
        fmt::format("{}: no compiler plugin \"{}\" among:{}", plugin_dir, manufacturer, found));
  }
  if (auto ranked = RankDispatchLibraries(plugin_dir, under_test.manufacturer);
      ranked && !ranked->empty()) {
    under_test.dispatch_path = ranked->front();
  }
  return under_test;
}

namespace {

// The vendor's compiler plugin for the device, by its file's name: it can't be loaded here.
litert::Expected<std::string> FindDevicePlugin(const std::string& folder,
                                               const std::string& manufacturer) {
  LITERT_ASSIGN_OR_RETURN(const PluginFiles files, FindPluginFiles(folder));
  std::string best;
  int likeness = 0;
  for (const std::string& path : files.compiler_plugins) {
    LITERT_ASSIGN_OR_RETURN(const remote::LibraryFile file, remote::LibraryFile::Read(path));
    const int fits = VendorLikeness(file.vendor, manufacturer);
    if (fits <= likeness && !best.empty()) continue;
    best = path;
    likeness = fits;
  }
  if (!best.empty() && (likeness > 0 || files.compiler_plugins.size() == 1)) return best;
  if (manufacturer.empty() && !best.empty()) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        folder + ": several compiler plugins for the device; choose one with --plugin NAME");
  }
  return litert::Unexpected(
      kLiteRtStatusErrorNotFound,
      folder + ": no compiler plugin " +
          (manufacturer.empty() ? std::string() : "of " + manufacturer + "'s ") + "for the device");
}

litert::Expected<std::string> AskNameOnDevice(const remote::DeviceAddress& address,
                                              const std::string& folder,
                                              const remote::LibraryFile& file) {
  LITERT_ASSIGN_OR_RETURN(auto connection, remote::Connect(address, folder));
  LITERT_ASSIGN_OR_RETURN(const auto link, remote::Link::Greet(std::move(connection)));
  remote::PluginFacts facts;
  remote::PluginAnswer answer;
  remote::LinkTrouble trouble;
  if (!link->SendFile(file.digest, file.bytes, trouble) ||
      !link->OpenPlugin(file.digest, file.name, facts, trouble) ||
      !link->Call(remote::PluginCall{.function = remote::PluginFunction::kManufacturer}, answer,
                  trouble)) {
    return litert::Unexpected(kLiteRtStatusErrorDynamicLoading, file.name + ": " + trouble.what);
  }
  if (!answer.is_null && !answer.text.empty()) return std::move(answer.text);
  return litert::Unexpected(
      kLiteRtStatusErrorDynamicLoading,
      file.name + ": LiteRtGetCompilerPluginSocManufacturer gave no name on the device");
}

litert::Expected<void> MoveCompiler(DeviceRequest& request, PluginUnderTest& under_test) {
  LITERT_ASSIGN_OR_RETURN(request.plugin_path,
                          FindDevicePlugin(request.folder, under_test.manufacturer));
  LITERT_ASSIGN_OR_RETURN(const remote::LibraryFile file,
                          remote::LibraryFile::Read(request.plugin_path));
  under_test.desk_plugin_path = under_test.plugin_path;
  LITERT_ASSIGN_OR_RETURN(under_test.plugin_path, remote::AnnounceRemotePlugin(file));
  // Sessions find the device's libraries alone.
  under_test.plugin_dir.clear();
  return {};
}

}  // namespace

bool HasDevicePlugin(const std::string& folder, const std::string& manufacturer) {
  const auto path = FindDevicePlugin(folder, manufacturer);
  const auto file = path ? remote::LibraryFile::Read(*path) : path.Error();
  return file && VendorLikeness(file->vendor, manufacturer) > 0;
}

litert::Expected<PluginUnderTest> FindPluginOnDevice(const std::vector<std::string>& addresses,
                                                     const std::string& folder,
                                                     const std::string& manufacturer) {
  std::optional<remote::DeviceAddress> first;
  for (const std::string& text : addresses) {
    LITERT_ASSIGN_OR_RETURN(remote::DeviceAddress address, remote::ParseDeviceAddress(text));
    if (!first && address.kind != remote::DeviceAddress::Kind::kLocal) first = std::move(address);
  }
  if (!first) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "--compile-on-device needs --device");
  }
  LITERT_ASSIGN_OR_RETURN(const std::string path, FindDevicePlugin(folder, manufacturer));
  LITERT_ASSIGN_OR_RETURN(const remote::LibraryFile file, remote::LibraryFile::Read(path));
  PluginUnderTest under_test;
  auto name = AskNameOnDevice(*first, folder, file);
  if (!name) {
    return litert::Unexpected(
        name.Error().Status(),
        fmt::format("--device {}: {}", remote::ToText(*first), name.Error().Message()));
  }
  under_test.manufacturer = std::move(*name);
  if (manufacturer.empty() || manufacturer == under_test.manufacturer) return under_test;
  return litert::Unexpected(kLiteRtStatusErrorNotFound,
                            fmt::format("{}: no compiler plugin \"{}\" for the device, but {} ({})",
                                        folder, manufacturer, path, under_test.manufacturer));
}

litert::Expected<void> MoveToDevices(const std::vector<std::string>& addresses,
                                     const std::string& folder, bool compiles_there,
                                     PluginUnderTest& under_test) {
  DeviceRequest request{.addresses = {}, .folder = folder, .library_path = {}, .plugin_path = {}};
  for (const std::string& text : addresses) {
    LITERT_ASSIGN_OR_RETURN(remote::DeviceAddress address, remote::ParseDeviceAddress(text));
    if (address.kind != remote::DeviceAddress::Kind::kLocal) {
      request.addresses.push_back(std::move(address));
    } else if (addresses.size() > 1) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                "--device local: can't be one of several");
    }
  }
  if (request.addresses.empty()) return {};
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> ranked,
                          RankDispatchLibraries(folder, under_test.manufacturer));
  request.library_path = ranked.front();
  LITERT_ASSIGN_OR_RETURN(const remote::LibraryFile file,
                          remote::LibraryFile::Read(request.library_path));
  LITERT_ASSIGN_OR_RETURN(under_test.dispatch_path, remote::AnnounceRemoteLibrary(file));
  if (compiles_there) LITERT_RETURN_IF_ERROR(MoveCompiler(request, under_test));
  under_test.device = std::move(request);
  return {};
}

namespace {

std::string BesidePlugin(const PluginUnderTest& under_test, const char* suffix) {
  const bool is_there = under_test.device && !under_test.device->plugin_path.empty();
  const std::string& plugin = !under_test.desk_plugin_path.empty() ? under_test.desk_plugin_path
                              : is_there                           ? under_test.device->plugin_path
                                                                   : under_test.plugin_path;
  const std::filesystem::path folder = std::filesystem::path(plugin).parent_path();
  const std::filesystem::path path = folder / (under_test.manufacturer + suffix);
  std::error_code error;
  return std::filesystem::exists(path, error) ? path.string() : std::string();
}

}  // namespace

std::string DefaultClaimsPath(const PluginUnderTest& under_test) {
  return BesidePlugin(under_test, ".claims.yaml");
}

std::string DefaultBaselinePath(const PluginUnderTest& under_test) {
  return BesidePlugin(under_test, ".baseline.json");
}

}  // namespace npukit::conformance
