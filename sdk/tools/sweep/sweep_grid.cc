// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/sweep_grid.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/invalid_argument.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::tools {
namespace {

constexpr size_t kMaxPoints = 1000000;
constexpr size_t kMaxFileBytes = 1 << 20;

std::optional<double> CostOf(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0)
    return std::nullopt;
  return value;
}

}  // namespace

// Reads one file; every error names a place in it.
class SweepGrid::Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  litert::Expected<SweepGrid> Run(const YAML::Node& root) {
    if (!root.IsMap()) return At(root, "expected a map with base, axes, cost");
    bool has_cost = false;
    for (const auto& entry : root) {
      LITERT_ASSIGN_OR_RETURN(const std::string key, Text(entry.first));
      if (key != "base" && key != "axes" && key != "cost")
        return At(entry.first, "unknown key '" + key + "': expected base, axes or cost");
      if (std::count(seen_.begin(), seen_.end(), key) != 0)
        return At(entry.first, "the key '" + key + "' stands twice");
      seen_.push_back(key);
      has_cost = has_cost || key == "cost";
    }
    if (!root["base"]) return At(root, "base: is missing: expected a SoC model or a .yaml file");
    if (!root["axes"]) return At(root, "axes: is missing: expected a list of axes");
    LITERT_RETURN_IF_ERROR(ReadBase(root["base"]));
    LITERT_RETURN_IF_ERROR(ReadAxes(root["axes"]));
    if (has_cost) {
      LITERT_RETURN_IF_ERROR(ReadCosts(root["cost"]));
    } else {
      for (const Axis& axis : grid_.axes_) LITERT_RETURN_IF_ERROR(AddCost(axis.keys, root["axes"]));
    }
    return std::move(grid_);
  }

 private:
  std::string Where(const YAML::Node& node) const {
    const YAML::Mark mark = node.Mark().is_null() ? YAML::Mark() : node.Mark();
    return fmt::format("{}:{}:{}", name_, mark.line + 1, mark.column + 1);
  }
  litert::Unexpected At(const YAML::Node& node, const std::string& what) const {
    return InvalidArgument(Where(node) + ": " + what);
  }
  litert::Expected<std::string> Text(const YAML::Node& node) const {
    if (!node.IsScalar() || node.Scalar().empty()) return At(node, "expected a text");
    return node.Scalar();
  }

  litert::Expected<void> ReadBase(const YAML::Node& node) {
    LITERT_ASSIGN_OR_RETURN(grid_.base_, Text(node));
    const std::filesystem::path path = grid_.base_;
    if (path.extension() != ".yaml") return {};
    std::error_code error;
    // Files of points, which lie in another folder, name the base, too.
    grid_.base_ =
        std::filesystem::absolute(std::filesystem::path(name_).parent_path() / path, error)
            .string();
    return {};
  }

  litert::Expected<void> ReadAxes(const YAML::Node& axes) {
    if (!axes.IsSequence() || axes.size() == 0) return At(axes, "axes: expected a list of axes");
    for (const YAML::Node& node : axes) {
      if (!node.IsMap() || node.size() == 0)
        return At(node, "axes: expected a map of keys with their values");
      Axis axis;
      for (const auto& entry : node)
        LITERT_RETURN_IF_ERROR(AddKey(entry.first, entry.second, axis));
      grid_.size_ *= axis.size();
      if (grid_.size_ > kMaxPoints) return At(node, "the grid has more than a million points");
      grid_.axes_.push_back(std::move(axis));
    }
    return {};
  }

  litert::Expected<void> AddKey(const YAML::Node& name, const YAML::Node& values, Axis& axis) {
    LITERT_ASSIGN_OR_RETURN(const std::string key, Text(name));
    const auto dots = std::count(key.begin(), key.end(), '.');
    if (dots > 1 || key.front() == '.' || key.back() == '.' || key == "base" || key == "name")
      return At(name, "'" + key + "' cannot be varied: expected a key like section.key");
    if (std::find(grid_.keys_.begin(), grid_.keys_.end(), key) != grid_.keys_.end())
      return At(name, "the key '" + key + "' stands twice");
    if (!values.IsSequence() || values.size() == 0)
      return At(values, key + ": expected a list of values");
    if (!axis.values.empty() && values.size() != axis.size()) {
      return At(values,
                fmt::format("{}: expected {} values, as the axis's other keys have, found {}", key,
                            axis.size(), values.size()));
    }
    std::vector<Setting> settings;
    for (const YAML::Node& value : values) {
      LITERT_ASSIGN_OR_RETURN(std::string text, Text(value));
      settings.push_back({key, std::move(text), Where(value)});
    }
    grid_.keys_.push_back(key);
    axis.keys.push_back(key);
    axis.values.push_back(std::move(settings));
    return {};
  }

  litert::Expected<void> ReadCosts(const YAML::Node& costs) {
    if (!costs.IsSequence()) return At(costs, "cost: expected a list of lists of keys");
    for (const YAML::Node& node : costs) {
      if (!node.IsSequence() || node.size() == 0)
        return At(node, "cost: expected a list of keys, which are multiplied");
      std::vector<std::string> keys;
      for (const YAML::Node& key : node) {
        LITERT_ASSIGN_OR_RETURN(keys.emplace_back(), Text(key));
        if (std::find(grid_.keys_.begin(), grid_.keys_.end(), keys.back()) == grid_.keys_.end())
          return At(key, "cost: no axis varies '" + keys.back() + "'");
      }
      LITERT_RETURN_IF_ERROR(AddCost(keys, node));
    }
    return {};
  }

  litert::Expected<void> AddCost(const std::vector<std::string>& keys, const YAML::Node& node) {
    std::string name;
    for (const std::string& key : keys) {
      for (const Axis& axis : grid_.axes_) {
        for (const auto& settings : axis.values) {
          for (const Setting& setting : settings) {
            if (setting.key != key || CostOf(setting.value)) continue;
            return At(node, "cost: " + key + " is '" + setting.value + "' at " + setting.where +
                                ", which is no number of at least 0; name what counts under cost:");
          }
        }
      }
      name += (name.empty() ? "" : " * ") + key;
    }
    grid_.costs_.push_back(keys);
    grid_.cost_names_.push_back(std::move(name));
    return {};
  }

  std::string name_;
  std::vector<std::string> seen_;
  SweepGrid grid_;
};

litert::Expected<SweepGrid> SweepGrid::Parse(const std::string& text, const std::string& name) {
  try {
    return Reader(name).Run(YAML::Load(text));
  } catch (const YAML::Exception& error) {
    const YAML::Mark mark = error.mark.is_null() ? YAML::Mark() : error.mark;
    return InvalidArgument(
        fmt::format("{}:{}:{}: {}", name, mark.line + 1, mark.column + 1, error.msg));
  }
}

litert::Expected<SweepGrid> SweepGrid::Read(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, ReadRegularFile(path, kMaxFileBytes));
  return Parse({bytes.begin(), bytes.end()}, path);
}

std::vector<SweepGrid::Setting> SweepGrid::At(size_t point) const {
  // The number's digits, each with its axis's size for a base: the last axis changes fastest.
  std::vector<size_t> position(axes_.size());
  for (size_t a = axes_.size(); a-- > 0;) {
    position[a] = point % axes_[a].size();
    point /= axes_[a].size();
  }
  std::vector<Setting> settings;
  for (size_t a = 0; a < axes_.size(); ++a) {
    for (const auto& values : axes_[a].values) settings.push_back(values[position[a]]);
  }
  return settings;
}

std::vector<SweepGrid::Setting> SweepGrid::Settings() const {
  std::vector<Setting> settings;
  for (const Axis& axis : axes_) {
    for (const auto& values : axis.values)
      settings.insert(settings.end(), values.begin(), values.end());
  }
  return settings;
}

std::vector<double> SweepGrid::CostsAt(size_t point) const {
  const std::vector<Setting> settings = At(point);
  std::vector<double> costs;
  for (const auto& keys : costs_) {
    double cost = 1;
    for (const Setting& setting : settings) {
      if (std::find(keys.begin(), keys.end(), setting.key) != keys.end())
        cost *= *CostOf(setting.value);
    }
    costs.push_back(cost);
  }
  return costs;
}

std::string SweepGrid::SocText(const std::vector<Setting>& settings,
                               const std::string& soc_name) const {
  YAML::Node soc;
  soc["base"] = base_;
  soc["name"] = soc_name;
  for (const Setting& setting : settings) {
    const size_t dot = setting.key.find('.');
    if (dot == std::string::npos) {
      soc[setting.key] = setting.value;
    } else {
      soc[setting.key.substr(0, dot)][setting.key.substr(dot + 1)] = setting.value;
    }
  }
  return YAML::Dump(soc) + "\n";
}

}  // namespace npukit::tools
