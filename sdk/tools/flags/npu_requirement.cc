// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/npu_requirement.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace npukit::tools {
namespace {

constexpr std::string_view kAny = "any";
constexpr std::string_view kOps = "ops";
constexpr std::string_view kMacs = "macs";

// "90", "90%"; nullopt for what is no percentage above 0.
std::optional<double> ReadPercent(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(percent > 0 && percent <= 100)) return std::nullopt;
  return percent;
}

// Whether `word` goes on with a value that so far is `value`.
bool BelongsToValue(std::string_view value, std::string_view word) {
  if (value.empty() && (word == kOps || word == kMacs)) return true;
  const bool wants_number = value.empty() || value == kOps || value == kMacs;
  return wants_number && ReadPercent(word).has_value();
}

}  // namespace

void NpuRequirement::AddTo(CommandLine& line) {
  line.AddFlagWithValue("--require-npu", text_, std::string(kAny),
                        "fail unless ops run on the NPU; --require-npu=90 or =ops 90: at least 90 "
                        "percent of them, =macs 90: of the multiply-accumulates");
  line.JoinWords("--require-npu", BelongsToValue);
}

litert::Expected<void> NpuRequirement::Read() {
  if (text_.empty() || text_ == kAny) return {};
  std::string_view rest = text_;
  for (const auto& [word, unit] : {std::pair{kOps, Unit::kOps}, {kMacs, Unit::kMacs}}) {
    if (!rest.starts_with(word)) continue;
    unit_ = unit;
    rest.remove_prefix(word.size());
    if (rest.empty()) return {};
    // "ops90" is no word.
    if (std::string_view(" =:,").find(rest.front()) == std::string_view::npos) rest = {};
    if (!rest.empty()) rest.remove_prefix(1);
    break;
  }
  const std::optional<double> percent = ReadPercent(rest);
  if (percent) {
    least_percent_ = *percent;
    return {};
  }
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format(
          "--require-npu={}: expected ops, macs or both, and a percentage above 0 and up to "
          "100, as in --require-npu=\"macs 90\"",
          text_));
}

litert::Expected<void> NpuRequirement::Check(const NpuShare& share, std::string_view reason) const {
  if (!is_asked()) return {};
  const bool in_macs = unit_ == Unit::kMacs;
  const auto npu = static_cast<double>(in_macs ? share.npu_macs : share.npu_ops);
  const auto all = npu + static_cast<double>(in_macs ? share.cpu_macs : share.cpu_ops);
  const bool is_unknown = in_macs && !share.knows_npu_macs && share.cpu_macs > 0;
  const double percent = all == 0 ? 0 : 100 * npu / all;
  const bool has_some = share.npu_ops > 0 && (!in_macs || npu > 0 || share.cpu_macs == 0);
  const bool has_all = in_macs ? share.cpu_macs == 0 : share.cpu_ops == 0;
  if (has_some && !is_unknown && (has_all || percent >= least_percent_)) return {};
  std::string message;
  if (is_unknown) {
    message = fmt::format(
        "--require-npu: {} MACs are left on the CPU, and how many the compiled partitions have is "
        "not known; ask for ops, or for the model before it was compiled",
        share.cpu_macs);
  } else {
    message = fmt::format("--require-npu: {:.0f} of {:.0f} {} run on the NPU", npu, all,
                          in_macs ? "MACs" : "ops");
    if (least_percent_ > 0)
      message += fmt::format(" ({:.1f}%, {:g}% are required)", percent, least_percent_);
  }
  if (!reason.empty()) message += fmt::format(": {}", reason);
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, message);
}

ExitCode CodeOfFallback(Fallback fallback) {
  switch (fallback) {
    case Fallback::kNone:
    case Fallback::kNothingSelected:
      return kDone;
    case Fallback::kNotCompiled:
      return kFailed;
    case Fallback::kWrongRequest:
      return kWrongUsage;
    case Fallback::kNotLoaded:
    case Fallback::kNotDispatched:
      return kNotLoaded;
  }
  return kFailed;
}

}  // namespace npukit::tools
