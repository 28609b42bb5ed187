// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/npu_requirement.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace npukit::tools {
namespace {

constexpr std::string_view kAny = "any";

}  // namespace

void NpuRequirement::AddTo(CommandLine& line) {
  line.AddFlagWithValue(
      "--require-npu", text_, std::string(kAny),
      "fail unless ops run on the NPU; --require-npu=90: at least 90 percent of them");
}

litert::Expected<void> NpuRequirement::Read() {
  if (text_.empty()) return {};
  if (text_ == kAny) {
    least_op_percent_ = 0;
    return {};
  }
  const auto [end, error] =
      std::from_chars(text_.data(), text_.data() + text_.size(), least_op_percent_);
  if (error == std::errc() && end == text_.data() + text_.size() && least_op_percent_ > 0 &&
      least_op_percent_ <= 100) {
    return {};
  }
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("--require-npu={}: expected a percentage of ops above 0 and up to 100", text_));
}

litert::Expected<void> NpuRequirement::Check(size_t npu_ops, size_t cpu_ops,
                                             std::string_view reason) const {
  if (least_op_percent_ < 0) return {};
  const size_t all = npu_ops + cpu_ops;
  const double percent =
      all == 0 ? 0 : 100 * static_cast<double>(npu_ops) / static_cast<double>(all);
  if (npu_ops > 0 && percent >= least_op_percent_) return {};
  std::string message = fmt::format("--require-npu: {} of {} ops run on the NPU", npu_ops, all);
  if (least_op_percent_ > 0) {
    message += fmt::format(" ({:.1f}%, {:g}% are required)", percent, least_op_percent_);
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
    case Fallback::kNotLoaded:
    case Fallback::kNotDispatched:
      return kNotLoaded;
  }
  return kFailed;
}

}  // namespace npukit::tools
