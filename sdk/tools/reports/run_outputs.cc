// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/run_outputs.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/reports/session_report.h"
#include "sdk/tools/tensors/comparison.h"
#include "sdk/tools/tensors/npy.h"
#include "sdk/tools/tensors/statistics.h"

namespace npukit::tools {
namespace {

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// JSON has no NaN and no infinity.
nlohmann::ordered_json FiniteOrText(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

}  // namespace

void OutputFlags::AddTo(CommandLine& line) {
  const Argument files =
      line.Add("--out-prefix", prefix,
               "write the outputs to PREFIX0.bin, PREFIX1.bin, ... (or .npy, see --out-format)");
  line.Add("--out-format", format, "of these files: raw little-endian bytes, or NumPy's")
      .ShowDefault()
      .OneOf({"bin", "npy"})
      .Needs(files);
  line.AddFlag("--stats", statistics, "print minimum, maximum, mean and deviation of each output");
  const Argument largest =
      line.Add("--top", top, "print this many of each output's largest elements")
          .Between(0, 1'000'000);
  line.Add("--labels", labels, "a file with the elements' names for --top, one a line")
      .Needs(largest);
}

litert::Expected<RunOutputs> RunOutputs::Create(const OutputFlags& flags,
                                                const SignatureRunner& runner) {
  RunOutputs outputs(flags, runner);
  if (!flags.labels.empty()) {
    LITERT_ASSIGN_OR_RETURN(const auto bytes, ReadWholeFile(flags.labels));
    outputs.labels_ = LinesOf({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  outputs.files_.resize(runner.outputs().size());
  outputs.bytes_.resize(runner.outputs().size());
  return outputs;
}

void RunOutputs::Add() {
  ++runs_;
  // Without files to write only the last run's values matter.
  if (flags_.prefix.empty()) return;
  for (size_t i = 0; i < bytes_.size(); ++i) {
    const std::span<const uint8_t> bytes = runner_.output(i);
    bytes_[i].insert(bytes_[i].end(), bytes.begin(), bytes.end());
  }
}

litert::Expected<void> RunOutputs::Write() {
  if (flags_.prefix.empty()) return {};
  for (size_t i = 0; i < files_.size(); ++i) {
    const std::string file = fmt::format("{}{}.{}", flags_.prefix, i, flags_.format);
    auto content = Content(i);
    if (!content) {
      return litert::Unexpected(
          content.Error().Status(),
          fmt::format("{}: output {} ('{}'): {}", file, i, ShortName(runner_.outputs()[i].name),
                      content.Error().Message()));
    }
    LITERT_RETURN_IF_ERROR(WriteWholeFile(file, *content));
    files_[i] = file;
  }
  return {};
}

litert::Expected<std::vector<uint8_t>> RunOutputs::Content(size_t output) const {
  if (flags_.format != "npy") return bytes_[output];
  const PortInfo& port = runner_.outputs()[output];
  TensorData data{.name = {},
                  .type = port.element_type,
                  .shape = {port.shape.begin(), port.shape.end()},
                  .bytes = {}};
  const size_t run_bytes = runner_.output(output).size();
  if (bytes_[output].size() != run_bytes * static_cast<size_t>(runs_)) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "its shape changes from run to run, which an array can't hold");
  }
  if (runs_ > 1) data.shape.insert(data.shape.begin(), runs_);
  data.bytes = bytes_[output];
  return FormatNpy(data);
}

TensorData RunOutputs::LastOf(size_t output) const {
  const PortInfo& port = runner_.outputs()[output];
  const std::span<const uint8_t> bytes = runner_.output(output);
  return {.name = port.name,
          .type = port.element_type,
          .shape = {port.shape.begin(), port.shape.end()},
          .bytes = {bytes.begin(), bytes.end()}};
}

std::string RunOutputs::LabelOf(int64_t elem) const {
  const auto index = static_cast<size_t>(elem);
  return index < labels_.size() ? labels_[index] : std::string();
}

nlohmann::ordered_json RunOutputs::Json(size_t output) const {
  nlohmann::ordered_json entry;
  entry["file"] =
      files_[output].empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(files_[output]);
  if (!flags_.statistics && flags_.top == 0) return entry;
  const TensorData data = LastOf(output);
  if (!IsNumber(data.type)) return entry;
  const Quantization& quantization = runner_.outputs()[output].tensor->quantization;
  if (flags_.statistics) {
    const Statistics statistics = StatisticsOf(data, quantization);
    entry["statistics"] = {{"elems", statistics.elems},
                           {"min", statistics.min},
                           {"max", statistics.max},
                           {"mean", statistics.mean},
                           {"deviation", statistics.deviation},
                           {"zeros", statistics.zero_elems},
                           {"nan", statistics.nan_elems},
                           {"infinite", statistics.infinite_elems}};
  }
  if (flags_.top == 0) return entry;
  entry["top"] = nlohmann::ordered_json::array();
  for (const RankedElement& ranked :
       LargestOf(data, quantization, static_cast<size_t>(flags_.top))) {
    nlohmann::ordered_json item = {{"index", PositionOf(ranked.elem, data.shape)},
                                   {"value", FiniteOrText(ranked.value)}};
    if (!labels_.empty()) item["label"] = LabelOf(ranked.elem);
    entry["top"].push_back(std::move(item));
  }
  return entry;
}

std::string RunOutputs::FileText(size_t output) const {
  return files_[output].empty() ? "" : " to " + files_[output];
}

std::string RunOutputs::ValuesText(size_t output) const {
  if (!flags_.statistics && flags_.top == 0) return "";
  const TensorData data = LastOf(output);
  if (!IsNumber(data.type)) return "  no numbers\n";
  const Quantization& quantization = runner_.outputs()[output].tensor->quantization;
  std::string text;
  if (flags_.statistics) text += fmt::format("  {}\n", StatisticsOf(data, quantization).Text());
  for (const RankedElement& ranked :
       LargestOf(data, quantization, static_cast<size_t>(flags_.top))) {
    text += fmt::format("  {:>12.6g} at [{}] {}", ranked.value,
                        fmt::join(PositionOf(ranked.elem, data.shape), ","), LabelOf(ranked.elem));
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  }
  return text;
}

}  // namespace npukit::tools
