// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/placement_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/plugin_name.h"
#include "sdk/tools/command_line/invalid_argument.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/flags/compile_spec_flags.h"

namespace npukit::tools {
namespace {

// Reads one file; every error names a place in it.
class Parser {
 public:
  explicit Parser(std::string name) : name_(std::move(name)) {}

  litert::Expected<PlacementFile> Parse(const YAML::Node& root) {
    if (!root.IsMap())
      return At(root, "expected a map with place, specs, plugins, otherwise, max_partitions");
    LITERT_RETURN_IF_ERROR(
        CheckKeys(root, {"plugins", "place", "otherwise", "specs", "max_partitions"}));
    if (const YAML::Node plugins = root["plugins"]) {
      LITERT_ASSIGN_OR_RETURN(const auto names, Strings(plugins));
      for (size_t i = 0; i < names.size(); ++i)
        AddPlugin(names[i], plugins.IsSequence() ? plugins[i] : plugins);
    }
    if (const YAML::Node otherwise = root["otherwise"]) {
      LITERT_ASSIGN_OR_RETURN(const std::string value, Text(otherwise));
      if (value != "any" && value != "cpu")
        return At(otherwise, "otherwise: expected any or cpu, found '" + value + "'");
      file_.request.otherwise_cpu = value == "cpu";
    }
    if (const YAML::Node most = root["max_partitions"]) {
      LITERT_ASSIGN_OR_RETURN(file_.request.max_partitions, NumberOf(most));
    }
    LITERT_RETURN_IF_ERROR(
        Each(root["place"], "place", [&](const YAML::Node& rule) { return AddRule(rule); }));
    LITERT_RETURN_IF_ERROR(
        Each(root["specs"], "specs", [&](const YAML::Node& spec) { return AddSpec(spec); }));
    return std::move(file_);
  }

 private:
  std::string Where(const YAML::Mark& mark) const {
    if (mark.is_null()) return name_;
    return fmt::format("{}:{}:{}", name_, mark.line + 1, mark.column + 1);
  }
  litert::Unexpected At(const YAML::Node& node, const std::string& what) const {
    return InvalidArgument(Where(node.Mark()) + ": " + what);
  }

  template <typename Read>
  litert::Expected<void> Each(const YAML::Node& list, const char* key, Read read) {
    if (!list) return {};
    if (!list.IsSequence()) return At(list, std::string(key) + ": expected a list");
    for (const YAML::Node& item : list) {
      if (!item.IsMap()) return At(item, std::string(key) + ": expected maps");
      LITERT_RETURN_IF_ERROR(read(item));
    }
    return {};
  }

  litert::Expected<void> CheckKeys(const YAML::Node& map, std::vector<std::string> known) const {
    std::vector<std::string> seen;
    for (const auto& entry : map) {
      LITERT_ASSIGN_OR_RETURN(const std::string key, Text(entry.first));
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        std::string list;
        for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
        return At(entry.first, "unknown key '" + key + "': expected " + list);
      }
      if (std::find(seen.begin(), seen.end(), key) != seen.end())
        return At(entry.first, "the key '" + key + "' stands twice");
      seen.push_back(key);
    }
    return {};
  }

  litert::Expected<std::string> Text(const YAML::Node& node) const {
    if (!node.IsScalar()) return At(node, "expected a text");
    return node.Scalar();
  }

  litert::Expected<uint32_t> NumberOf(const YAML::Node& node) const {
    LITERT_ASSIGN_OR_RETURN(const std::string text, Text(node));
    const auto number = ReadIndex(text);
    if (!number) return At(node, "expected a number, found '" + text + "'");
    return *number;
  }

  // One text, or a list of them.
  litert::Expected<std::vector<std::string>> Strings(const YAML::Node& node) const {
    std::vector<std::string> texts;
    if (node.IsSequence()) {
      for (const YAML::Node& item : node) {
        LITERT_ASSIGN_OR_RETURN(texts.emplace_back(), Text(item));
      }
      if (texts.empty()) return At(node, "expected at least one entry");
      return texts;
    }
    LITERT_ASSIGN_OR_RETURN(texts.emplace_back(), Text(node));
    return texts;
  }

  // "3" or "5-9".
  litert::Expected<std::vector<PlacementRule::Range>> Ranges(const YAML::Node& node) const {
    LITERT_ASSIGN_OR_RETURN(const auto texts, Strings(node));
    std::vector<PlacementRule::Range> ranges;
    for (const std::string& text : texts) {
      const size_t dash = text.find('-');
      const auto first = ReadIndex(text.substr(0, dash));
      const auto last = dash == std::string::npos ? first : ReadIndex(text.substr(dash + 1));
      if (!first || !last || *first > *last)
        return At(node, "expected an op's index or a range like 5-9, found '" + text + "'");
      ranges.push_back({*first, *last});
    }
    return ranges;
  }

  litert::Expected<void> AddRule(const YAML::Node& node) {
    LITERT_RETURN_IF_ERROR(CheckKeys(node, {"op", "name", "type", "partition", "subgraph", "on"}));
    PlacementRule rule;
    rule.where = Where(node.Mark());
    if (!node["on"]) return At(node, "on: is missing: expected cpu or a plugin");
    LITERT_ASSIGN_OR_RETURN(const std::string on, Text(node["on"]));
    if (on.empty()) return At(node["on"], "on: expected cpu or a plugin");
    if (on != "cpu") rule.plugin = AddPlugin(on, node["on"]);
    if (node["op"]) {
      LITERT_ASSIGN_OR_RETURN(rule.ops, Ranges(node["op"]));
    }
    if (node["name"]) {
      LITERT_ASSIGN_OR_RETURN(rule.names, Strings(node["name"]));
    }
    if (node["type"]) {
      LITERT_ASSIGN_OR_RETURN(rule.types, Strings(node["type"]));
    }
    if (node["partition"]) {
      LITERT_ASSIGN_OR_RETURN(const auto ranges, Ranges(node["partition"]));
      for (const auto& range : ranges) {
        // They are written out one by one: a range of the file could ask for all memory.
        if (range.last - range.first > 4096) return At(node["partition"], "too many partitions");
        for (size_t i = range.first; i <= range.last; ++i) rule.partitions.push_back(i);
      }
    }
    if (node["subgraph"]) {
      LITERT_ASSIGN_OR_RETURN(rule.subgraph, NumberOf(node["subgraph"]));
    }
    if (rule.ops.empty() && rule.names.empty() && rule.types.empty() && rule.partitions.empty() &&
        !rule.subgraph)
      return At(node, "has nothing to match by: expected op, name, type, partition or subgraph");
    file_.request.rules.push_back(std::move(rule));
    return {};
  }

  litert::Expected<void> AddSpec(const YAML::Node& node) {
    LITERT_RETURN_IF_ERROR(CheckKeys(node, {"plugin", "partition", "key", "value", "hex", "file"}));
    CompileSpecRequest request;
    request.where = Where(node.Mark());
    if (!node["key"]) return At(node, "key: is missing");
    LITERT_ASSIGN_OR_RETURN(request.spec.key, Text(node["key"]));
    if (request.spec.key.empty()) return At(node["key"], "key: expected a text");
    if (node["plugin"]) {
      LITERT_ASSIGN_OR_RETURN(const std::string plugin, Text(node["plugin"]));
      request.plugin = AddPlugin(plugin, node["plugin"]);
    }
    if (node["partition"]) {
      LITERT_ASSIGN_OR_RETURN(request.partition, NumberOf(node["partition"]));
    }
    const int values = (node["value"] ? 1 : 0) + (node["hex"] ? 1 : 0) + (node["file"] ? 1 : 0);
    if (values != 1) return At(node, "expected one of value, hex and file");
    LITERT_ASSIGN_OR_RETURN(request.spec.bytes, Value(node));
    file_.request.specs.push_back(std::move(request));
    return {};
  }

  litert::Expected<std::vector<uint8_t>> Value(const YAML::Node& node) const {
    if (node["value"]) {
      LITERT_ASSIGN_OR_RETURN(const std::string text, Text(node["value"]));
      return std::vector<uint8_t>(text.begin(), text.end());
    }
    if (node["hex"]) {
      LITERT_ASSIGN_OR_RETURN(const std::string text, Text(node["hex"]));
      auto bytes = HexBytes(text);
      if (!bytes) return At(node["hex"], "hex: expected pairs of hexadecimal digits");
      return std::move(*bytes);
    }
    LITERT_ASSIGN_OR_RETURN(const std::string path, Text(node["file"]));
    auto bytes = ReadRegularFile((std::filesystem::path(name_).parent_path() / path).string());
    if (!bytes) return At(node["file"], bytes.Error().Message());
    return std::move(*bytes);
  }

  std::string AddPlugin(const std::string& name, const YAML::Node& node) {
    const bool is_known =
        std::any_of(file_.plugins.begin(), file_.plugins.end(),
                    [&](const std::string& known) { return IsSameName(known, name); });
    if (is_known) return name;
    file_.plugins.push_back(name);
    file_.plugin_places.push_back(Where(node.Mark()));
    return name;
  }

  std::string name_;
  PlacementFile file_;
};

}  // namespace

litert::Expected<PlacementFile> ParsePlacement(const std::string& text, const std::string& name) {
  try {
    return Parser(name).Parse(YAML::Load(text));
  } catch (const YAML::ParserException& error) {
    return InvalidArgument(
        fmt::format("{}:{}:{}: {}", name, error.mark.line + 1, error.mark.column + 1, error.msg));
  } catch (const YAML::Exception& error) {
    return InvalidArgument(name + ": " + error.what());
  }
}

litert::Expected<PlacementFile> ReadPlacementFile(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, ReadRegularFile(path));
  return ParsePlacement(std::string(bytes.begin(), bytes.end()), path);
}

}  // namespace npukit::tools
