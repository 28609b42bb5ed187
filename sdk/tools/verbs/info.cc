// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit info: the plugins and dispatch libraries in a folder, what can be said of those that don't
// load, and what a device tells of itself.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/library/elf_facts.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/host/runtime/packages/op_packages.h"
#include "sdk/remote/desk/device_address.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/flags/device_flags.h"
#include "sdk/tools/flags/op_package_flags.h"
#include "sdk/tools/reports/device_report.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json DescribePlugin(const std::string& path) {
  Json json = {{"path", path}, {"manufacturer", ""}, {"abi", ""}, {"socs", Json::array()}};
  if (const auto facts = ReadElfFacts(path); facts) {
    json["elf_build_id"] = facts->build_id;
  }
  const auto plugin = LoadedPlugin::Load(path);
  if (!plugin) {
    json["error"] = plugin.Error().Message();
    return json;
  }
  json["manufacturer"] = plugin->manufacturer();
  json["abi"] = plugin->abi();
  json["generation"] = plugin->generation();
  if (!plugin->sdk_version().empty()) json["sdk_version"] = plugin->sdk_version();
  json["socs"] = plugin->soc_models();
  return json;
}

// What a dispatch library brings beside plain runs, as far as this host can use it.
Json CapabilitiesOf(const DispatchLibrary& library) {
  const DispatchTables& tables = library.tables();
  const bool says_graphs = (library.capabilities() & kLiteRtDispatchCapabilitiesGraph) != 0;
  Json names = Json::array();
  const auto add = [&](bool is_there, const char* name) {
    if (is_there) names.push_back(name);
  };
  add(library.has_async(), "async");
  add(says_graphs && tables.graph != nullptr, "graphs");
  add(library.has_scratchpads(), "scratchpads");
  add(tables.extras.get_hooks != nullptr, "hooks");
  add(tables.buffer_handlers != nullptr, "own_memory");
  add(library.client().has_metrics(), "metrics");
  return names;
}

Json DescribeDispatch(const std::string& path) {
  Json json = {{"path", path}, {"vendor", ""}, {"build_id", ""}};
  if (const auto facts = ReadElfFacts(path); facts) {
    json["elf_build_id"] = facts->build_id;
  } else {
    json["error"] = facts.Error().Message();
    return json;
  }
  const auto library = DispatchLibrary::Load(path);
  if (!library) {
    json["error"] = library.Error().Message();
    return json;
  }
  json["vendor"] = (*library)->vendor_id();
  json["build_id"] = (*library)->build_id();
  json["abi"] = AbiName((*library)->generation());
  json["generation"] = GenerationName((*library)->generation());
  json["capabilities"] = CapabilitiesOf(**library);
  return json;
}

// "2.1 (LiteRT 2.1.3 to 2.1.4)".
std::string AbiText(const Json& library) {
  return library["abi"].get<std::string>() + " (" + library["generation"].get<std::string>() + ")";
}

void AddPackages(const std::vector<std::string>& folders, Json& info) {
  const OpPackages found = LoadOpPackages(folders);
  info["packages"] = Json::array();
  for (const auto& package : found.packages) {
    info["packages"].push_back({{"path", package->path()},
                                {"name", package->name()},
                                {"device", package->device()},
                                {"operators", package->operators()}});
  }
  for (const OpPackages::Failure& failure : found.failures)
    info["packages"].push_back({{"path", failure.path}, {"error", failure.reason}});
}

std::string Text(const Json& library, const char* key) { return library[key].get<std::string>(); }

std::string Words(const Json& list) {
  std::string text;
  for (const Json& word : list) text += " " + word.get<std::string>();
  return text;
}

// Prints where the library is; false if that is all, since it can't be used.
bool PrintHead(const char* kind, const Json& library) {
  fmt::print("{:<16} {}\n", kind, Text(library, "path"));
  if (!library.contains("error")) return true;
  fmt::print("  can't be used: {}\n", Text(library, "error"));
  return false;
}

void PrintText(const Json& info) {
  for (const Json& plugin : info["plugins"]) {
    if (!PrintHead("compiler plugin", plugin)) continue;
    fmt::print("  manufacturer   {}\n  abi            {}\n  SoC models    {}\n",
               Text(plugin, "manufacturer"), AbiText(plugin), Words(plugin["socs"]));
  }
  for (const Json& library : info["dispatch"]) {
    if (!PrintHead("dispatch library", library)) continue;
    fmt::print("  vendor         {}\n  build id       {}\n  abi            {}\n",
               Text(library, "vendor"), Text(library, "build_id"), AbiText(library));
    fmt::print("  capabilities  {}\n", Words(library["capabilities"]));
  }
  if (info.contains("device")) PrintDevice(info["device"]);
  for (const Json& package : info["packages"]) {
    if (!PrintHead("operator package", package)) continue;
    fmt::print("  name           {}\n  device         {}\n  operators     {}\n",
               Text(package, "name"), Text(package, "device"), Words(package["operators"]));
  }
}

struct InfoFlags {
  std::string folder;
  DeviceFlags device;
  OpPackageFlags packages;
  bool json = false;
};

int ListLibraries(const InfoFlags& flags) {
  const std::string& folder = flags.folder;
  PluginFiles found;
  if (!folder.empty()) {
    auto files = FindPluginFiles(folder);
    if (!files) return Fail(kNotLoaded, files.Error());
    found = std::move(*files);
  }
  Json info = {{"plugins", Json::array()}, {"dispatch", Json::array()}};
  for (const std::string& path : found.compiler_plugins) {
    info["plugins"].push_back(DescribePlugin(path));
  }
  const std::string& device_folder = flags.device.folder.empty() ? folder : flags.device.folder;
  if (flags.device.is_asked()) {
    if (auto address = remote::ParseDeviceAddress(flags.device.address); !address)
      return Fail(kWrongUsage, address.Error());
    PluginFiles there;
    if (!device_folder.empty()) {
      auto files = FindPluginFiles(device_folder);
      if (!files) return Fail(kNotLoaded, files.Error());
      there = std::move(*files);
    }
    auto device = AskDevice(flags.device.address, device_folder, there);
    if (!device) return Fail(kNotLoaded, device.Error());
    info["device"] = std::move(*device);
  }
  // Those for the device are asked there.
  if (!flags.device.is_asked() || device_folder != folder) {
    for (const std::string& path : found.dispatch)
      info["dispatch"].push_back(DescribeDispatch(path));
  }
  AddPackages(flags.packages.dirs, info);
  if (flags.json) {
    PrintJson(info);
  } else {
    PrintText(info);
  }
  if (found.compiler_plugins.empty() && found.dispatch.empty() && !folder.empty()) {
    return Fail(kNotLoaded, folder +
                                ": no plugins here: expected files named "
                                "libLiteRtCompilerPlugin*.so or libLiteRtDispatch*.so");
  }
  size_t unusable = 0;
  for (const char* kind : {"plugins", "dispatch", "packages"}) {
    for (const Json& library : info[kind]) unusable += library.contains("error");
  }
  if (info.contains("device")) {
    for (const char* kind : {"plugins", "dispatch"}) {
      for (const Json& library : info["device"][kind]) unusable += library.contains("error");
    }
  }
  if (unusable != 0) {
    return Fail(kNotLoaded, fmt::format("{}{} libraries can't be used",
                                        folder.empty() ? folder : folder + ": ", unusable));
  }
  return kDone;
}

}  // namespace

int Info(CommandLine& line, int argc, char** argv) {
  InfoFlags flags;
  line.Add("--plugin-dir", flags.folder, "folder to look in; DIR/** includes all folders below");
  flags.device.AddTo(line);
  flags.packages.AddTo(line);
  line.AddFlag("--json", flags.json, "print JSON: plugins[], dispatch[], packages[], device");
  if (std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (flags.folder.empty() && flags.packages.dirs.empty() && !flags.device.is_asked())
    return Fail(kWrongUsage, "expected --plugin-dir, --op-package-dir or --device");
  if (const auto exit_code = flags.device.CheckFolder()) return *exit_code;
  return ListLibraries(flags);
}

}  // namespace npukit::tools
