// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/bundles/bundle_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sdk/tools/command_line/text_table.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json ItemsOf(const std::vector<std::pair<std::string, std::string>>& items) {
  Json json = Json::object();
  for (const auto& [key, value] : items) json[key] = value;
  return json;
}

std::string ItemsText(const Json& items) {
  std::string text;
  for (const auto& [key, value] : items.items())
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value.get<std::string>());
  return text;
}

}  // namespace

Json DescribeBundle(const Bundle& bundle, const std::string& path) {
  Json sections = Json::array();
  for (const BundleSection& section : bundle.sections) {
    sections.push_back({{"name", section.name},
                        {"kind", section.kind},
                        {"offset_bytes", section.offset_bytes},
                        {"size_bytes", section.bytes.bytes.size()},
                        {"model", section.is_model},
                        {"compressed", section.method != 0},
                        {"items", ItemsOf(section.items)}});
  }
  return {{"bundle", path},
          {"format", bundle.format == BundleFormat::kLitertLm ? "litertlm" : "task"},
          {"version", bundle.version},
          {"system", ItemsOf(bundle.system)},
          {"sections", std::move(sections)}};
}

std::string BundleText(const Json& report) {
  std::string text =
      fmt::format("{}: {} {}\n", report["bundle"].get<std::string>(),
                  report["format"].get<std::string>(), report["version"].get<std::string>());
  if (!report["system"].empty()) text += fmt::format("  {}\n", ItemsText(report["system"]));
  TextTable sections("<<><", "  ");
  for (const Json& section : report["sections"]) {
    sections.Add({section["name"].get<std::string>(), section["kind"].get<std::string>(),
                  fmt::format("{} bytes", section["size_bytes"].get<uint64_t>()),
                  fmt::format("at {}{}{}", section["offset_bytes"].get<uint64_t>(),
                              section["compressed"].get<bool>() ? ", compressed" : "",
                              section["items"].empty() ? "" : "  " + ItemsText(section["items"]))});
  }
  text += sections.Text();
  return text;
}

}  // namespace npukit::tools
