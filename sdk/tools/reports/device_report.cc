// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/device_report.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/remote/desk/compiler/remote_plugin.h"
#include "sdk/remote/desk/connect.h"
#include "sdk/remote/desk/device_address.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/desk/link.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json AskLibrary(remote::Link& link, const std::string& path) {
  Json json = {{"path", path}, {"vendor", ""}, {"build_id", ""}};
  const auto file = remote::LibraryFile::Read(path);
  if (!file) {
    json["error"] = file.Error().Message();
    return json;
  }
  remote::LibraryFacts facts;
  remote::LinkTrouble trouble;
  if (!link.SendFile(file->digest, file->bytes, trouble) ||
      !link.Open(file->digest, file->name, facts, trouble)) {
    json["error"] = trouble.kind == remote::LinkTrouble::Kind::kDied
                        ? "its process on the device " + trouble.what
                        : trouble.what;
    return json;
  }
  json["vendor"] = facts.vendor_id;
  json["build_id"] = facts.build_id;
  json["generation"] = facts.generation;
  json["has_metrics"] = facts.has_metrics;
  return json;
}

Json AskPlugin(remote::Link& link, const std::string& path) {
  Json json = {{"path", path}, {"manufacturer", ""}, {"soc_models", Json::array()}};
  const auto ask = [&]() -> litert::Expected<void> {
    LITERT_ASSIGN_OR_RETURN(const remote::LibraryFile file, remote::LibraryFile::Read(path));
    LITERT_ASSIGN_OR_RETURN(const std::string linked, remote::InstallRemotePlugin(link, file));
    LITERT_ASSIGN_OR_RETURN(const remote::PluginFacts facts, remote::OpenRemotePlugin());
    LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin, LoadedPlugin::Load(linked));
    json["manufacturer"] = plugin.manufacturer();
    json["generation"] = facts.generation;
    json["soc_models"] = plugin.soc_models();
    return {};
  };
  if (const auto asked = ask(); !asked) json["error"] = asked.Error().Message();
  remote::UninstallRemotePlugin();
  return json;
}

std::string Mebibytes(const Json& bytes) {
  return fmt::format("{} MiB", bytes.get<uint64_t>() >> 20);
}

std::string TextOr(const Json& text, const char* otherwise) {
  const auto value = text.get<std::string>();
  return value.empty() ? otherwise : value;
}

}  // namespace

litert::Expected<Json> AskDevice(const std::string& address, const std::string& folder,
                                 const PluginFiles& files) {
  LITERT_ASSIGN_OR_RETURN(const remote::DeviceAddress parsed, remote::ParseDeviceAddress(address));
  LITERT_ASSIGN_OR_RETURN(auto connection, remote::Connect(parsed, folder));
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<remote::Link> link,
                          remote::Link::Greet(std::move(connection)));
  const remote::DeviceFacts& facts = link->device();
  Json json = {{"address", address},
               {"machine", facts.machine},
               {"kernel", facts.kernel},
               {"host_name", facts.host_name},
               {"cpu", facts.cpu},
               {"soc", facts.soc},
               {"processors", facts.processors},
               {"memory_bytes", facts.memory_bytes},
               {"free_memory_bytes", facts.free_memory_bytes},
               {"free_cache_bytes", facts.free_cache_bytes},
               {"worker_version", facts.worker_version},
               {"libraries", facts.libraries},
               {"dispatch", Json::array()},
               {"plugins", Json::array()}};
  for (const std::string& path : files.dispatch)
    json["dispatch"].push_back(AskLibrary(*link, path));
  for (const std::string& path : files.compiler_plugins)
    json["plugins"].push_back(AskPlugin(*link, path));
  return json;
}

void PrintDevice(const Json& device) {
  fmt::print("{:<16} {}\n", "device", device["address"].get<std::string>());
  const auto line = [](const char* name, const std::string& value) {
    fmt::print("  {:<14} {}\n", name, value);
  };
  line("host",
       fmt::format("{}, {} {}", device["host_name"].get<std::string>(),
                   device["kernel"].get<std::string>(), device["machine"].get<std::string>()));
  line("SoC", TextOr(device["soc"], "not told by its kernel"));
  line("CPU", fmt::format("{} x {}", device["processors"].get<uint32_t>(),
                          TextOr(device["cpu"], "not told by its kernel")));
  line("memory", fmt::format("{}, {} free", Mebibytes(device["memory_bytes"]),
                             Mebibytes(device["free_memory_bytes"])));
  line("disk", Mebibytes(device["free_cache_bytes"]) + " free for files that are sent");
  line("worker", device["worker_version"].get<std::string>());
  for (const Json& library : device["libraries"]) line("library", library.get<std::string>());
  for (const Json& library : device["dispatch"]) {
    fmt::print("{:<16} {}, there\n", "dispatch library", library["path"].get<std::string>());
    if (library.contains("error")) {
      line("can't be used:", library["error"].get<std::string>());
      continue;
    }
    line("vendor", library["vendor"].get<std::string>());
    line("build id", library["build_id"].get<std::string>());
    line("generation", library["generation"].get<std::string>());
  }
  for (const Json& plugin : device["plugins"]) {
    fmt::print("{:<16} {}, there\n", "compiler plugin", plugin["path"].get<std::string>());
    if (plugin.contains("error")) {
      line("can't be used:", plugin["error"].get<std::string>());
      continue;
    }
    line("manufacturer", plugin["manufacturer"].get<std::string>());
    line("generation", plugin["generation"].get<std::string>());
    line("SoC models",
         fmt::format("{}", fmt::join(plugin["soc_models"].get<std::vector<std::string>>(), ", ")));
  }
}

}  // namespace npukit::tools
