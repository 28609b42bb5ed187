// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/sweep_grid.h"

#include <charconv>
#include <sstream>

namespace acme {
namespace {

constexpr size_t kMaxPoints = 10000000;

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace

Expected<SweepGrid> SweepGrid::Parse(const std::vector<std::string>& vary, const Hardware& base) {
  SweepGrid grid;
  grid.base_ = base;
  size_t points = 1;
  for (const std::string& text : vary) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error(ErrorCode::kInvalidArgument,
                   "--vary " + text + ": expected NAME=VALUE,VALUE,...");
    }
    const std::string name = text.substr(0, equals);
    const std::vector<std::string> values = SplitAtCommas(text.substr(equals + 1));
    if (values.empty()) return Error(ErrorCode::kInvalidArgument, "--vary " + text + ": no value");
    ACME_ASSIGN_OR_RETURN(const bool recompile, FieldNeedsRecompile(name));
    if (recompile) {
      return Error(
          ErrorCode::kInvalidArgument,
          "--vary " + name + ": programs depend on it; compile again for each value instead");
    }
    for (const std::string& value : values) {
      Hardware trial = base;
      ACME_RETURN_IF_ERROR(SetHardwareField(trial, name, value));
    }
    grid.names_.push_back(name);
    grid.values_.push_back(values);
    points *= values.size();
    if (points > kMaxPoints)
      return Error(ErrorCode::kInvalidArgument, "the grid has more than ten million points");
  }
  for (size_t i = 0; i < points; ++i) grid.selected_.push_back(i);
  return grid;
}

Expected<void> SweepGrid::SelectShard(const std::string& shard) {
  if (shard.empty()) return {};
  size_t index = 0, count = 0;
  const char* end = shard.data() + shard.size();
  const auto [slash, error] = std::from_chars(shard.data(), end, index);
  const bool has_slash = error == std::errc() && slash != end && *slash == '/';
  const auto [stop, count_error] = has_slash
                                       ? std::from_chars(slash + 1, end, count)
                                       : std::from_chars_result{end, std::errc::invalid_argument};
  if (count_error != std::errc() || stop != end || count == 0 || index >= count) {
    return Error(ErrorCode::kInvalidArgument,
                 "--shard " + shard + ": expected I/N with I from 0 to N-1");
  }
  std::vector<size_t> mine;
  for (size_t i = index; i < selected_.size(); i += count) mine.push_back(selected_[i]);
  selected_ = std::move(mine);
  return {};
}

std::vector<std::string> SweepGrid::ValuesAt(size_t point) const {
  std::vector<std::string> values(names_.size());
  size_t index = selected_[point];
  for (size_t d = names_.size(); d-- > 0;) {
    values[d] = values_[d][index % values_[d].size()];
    index /= values_[d].size();
  }
  return values;
}

Hardware SweepGrid::HardwareAt(size_t point) const {
  Hardware hardware = base_;
  const std::vector<std::string> values = ValuesAt(point);
  for (size_t d = 0; d < names_.size(); ++d) {
    // Checked when the grid was made.
    if (!SetHardwareField(hardware, names_[d], values[d])) continue;
  }
  return hardware;
}

}  // namespace acme
