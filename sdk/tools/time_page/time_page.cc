// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/time_page/time_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "npukit/metrics.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/reports/bench_report.h"
#include "sdk/tools/time_page/layer_limit.h"
#include "sdk/tools/time_page/page_parts.h"
#include "sdk/tools/time_page/timeline.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(std::optional<double> value) { return value ? JsonNumber(*value) : Json(); }

std::optional<double> BytesOf(const BenchReport& bench) {
  if (!bench.bytes_read && !bench.bytes_written) return std::nullopt;
  return bench.bytes_read.value_or(0) + bench.bytes_written.value_or(0);
}

Json LayerJson(const Layer& layer, const Chip& chip, std::span<const DoubledRun> doubled) {
  const LayerLimit limit = LimitOf(layer, chip, doubled);
  Json entry = {{"name", layer.name},
                {"ops", layer.ops},
                {"target", layer.target == Target::kNpu ? "npu" : "cpu"},
                {"cycles", OrNull(layer.cycles)},
                {"macs", OrNull(layer.macs)},
                {"bytes", OrNull(layer.bytes)},
                {"energy_pj", OrNull(layer.energy_pj)},
                {"host_us", OrNull(layer.host_us)},
                {"stalls", Json::object()},
                {"doubled", Json::object()},
                {"limit", limit.limit},
                {"help", limit.help}};
  for (const auto& [cause, cycles] : layer.stalls) entry["stalls"][cause] = JsonNumber(cycles);
  for (const DoubledRun& run : doubled) {
    const auto found = run.layer_cycles.find(layer.name);
    if (layer.target == Target::kNpu && found != run.layer_cycles.end())
      entry["doubled"][run.resource] = JsonNumber(found->second);
  }
  return entry;
}

// What the page cannot show, as the metrics lack it.
Json NotesOn(const std::vector<Layer>& layers, const Chip& chip, const Json& timeline,
             std::span<const DoubledRun> doubled, const std::string& not_measured) {
  Json notes = Json::array();
  const auto note = [&notes](bool is_missing, std::string_view text) {
    if (is_missing) notes.push_back(text);
  };
  const auto none = [&layers](auto has) {
    return std::none_of(layers.begin(), layers.end(), [&has](const Layer& layer) {
      return layer.target == Target::kNpu && has(layer);
    });
  };
  if (none([](const Layer&) { return true; })) {
    notes.push_back("The NPU ran nothing of which its dispatch library reported operations.");
    return notes;
  }
  note(timeline.is_null(), "The dispatch library reports no trace: no timeline.");
  note(!timeline.is_null() && !timeline.contains("memory"),
       "The dispatch library does not report how full its scratchpad is.");
  note(
      !chip.array_macs_per_cycle || !chip.memory_bytes_per_cycle,
      "The dispatch library does not report both roofs of the chip: the roofline plot lacks them.");
  note(none([](const Layer& layer) { return layer.bytes && layer.macs && layer.cycles; }),
       "The dispatch library does not report bytes and multiply-accumulates of operations: no "
       "roofline plot.");
  note(none([](const Layer& layer) { return !layer.stalls.empty(); }),
       "The dispatch library reports no stalls of operations.");
  note(!not_measured.empty(), "Not measured what would help: " + not_measured + ".");
  for (const DoubledRun& run : doubled)
    note(!run.error.empty(), fmt::format("Twice the {}: {}", run.resource, run.error));
  return notes;
}

// Inside <script>, where "</script" and "<!--" would be more than text.
std::string ForScript(const Json& data) {
  std::string escaped;
  for (const char c : JsonText(data)) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

Json TimePageData(const TimedModel& run, std::span<const DoubledRun> doubled,
                  const std::string& not_measured) {
  const BenchReport bench = MakeBenchReport(run.steps, run.times, run.metrics, {0});
  const Chip chip = ChipOf(run.metrics);
  const std::vector<Layer> layers = LayersOf(run.steps, run.times, run.metrics);
  Json timeline = TimelineJson(run.steps, run.metrics, layers, chip);
  Json data = {{"model", run.model},
               {"soc", chip.soc},
               {"cycles", OrNull(bench.cycles)},
               {"macs", OrNull(bench.macs)},
               {"bytes", OrNull(BytesOf(bench))},
               {"roofline_cycles", OrNull(bench.roofline_cycles)},
               {"energy_pj", OrNull(bench.energy_pj)},
               {"chip",
                {{"array_macs_per_cycle", OrNull(chip.array_macs_per_cycle)},
                 {"memory_bytes_per_cycle", OrNull(chip.memory_bytes_per_cycle)},
                 {"scratchpad_bytes", OrNull(chip.scratchpad_bytes)},
                 {"clock_mhz", OrNull(chip.clock_mhz)}}},
               {"layers", Json::array()},
               {"doubled", Json::array()}};
  for (const Layer& layer : layers) data["layers"].push_back(LayerJson(layer, chip, doubled));
  for (const DoubledRun& more : doubled) {
    data["doubled"].push_back(
        {{"resource", more.resource}, {"cycles", OrNull(more.cycles)}, {"error", more.error}});
  }
  data["notes"] = NotesOn(layers, chip, timeline, doubled, not_measured);
  data["timeline"] = std::move(timeline);
  return data;
}

std::string TimePage(const Json& data) {
  return fmt::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
      "<meta name=viewport content=\"width=device-width\">\n<title>npukit: where the time "
      "went</title>\n<style>{}</style></head>\n<body>\n{}\n"
      "<script type=\"application/json\" id=data>{}</script>\n<script>\n{}</script>\n"
      "</body></html>\n",
      kPageStyle, kPageBody, ForScript(data), kPageScript);
}

}  // namespace npukit::tools
