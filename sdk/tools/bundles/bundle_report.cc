// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/bundles/bundle_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
  for (const Json& section : report["sections"]) {
    text +=
        fmt::format("  {:<28} {:<18} {:>12} bytes at {}{}{}\n", section["name"].get<std::string>(),
                    section["kind"].get<std::string>(), section["size_bytes"].get<uint64_t>(),
                    section["offset_bytes"].get<uint64_t>(),
                    section["compressed"].get<bool>() ? ", compressed" : "",
                    section["items"].empty() ? "" : "  " + ItemsText(section["items"]));
  }
  return text;
}

}  // namespace npukit::tools
