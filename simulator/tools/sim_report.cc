// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/sim_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simulator/tools/json_text.h"

namespace acme {
namespace {

std::string HandleName(const Module& module, uint32_t handle) {
  return handle >= 1 && handle <= module.debug.size() ? module.debug[handle - 1].name
                                                      : std::string();
}

double Share(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Of the matrix engine. Depthwise multiply-accumulates are the vector engine's, beside it.
double Utilisation(const RunResult& result, const Hardware& hw) {
  return Share(result.counters.array_macs, result.counters.cycles * hw.PeakMacsPerCycle());
}

int64_t RooflineCycles(const ModuleEntry& entry) {
  int64_t most = 0;
  for (uint64_t cycles : entry.roofline_cycles) most = std::max(most, static_cast<int64_t>(cycles));
  return most;
}

}  // namespace

int64_t ProgramBoundCycles(const RunResult& result, const Hardware& hw) {
  const Counters& c = result.counters;
  int64_t bound = (c.dram_read_bytes + c.dram_write_bytes + hw.dram_bytes_per_cycle - 1) /
                  hw.dram_bytes_per_cycle;
  for (int e = 1; e < kEngineCount; ++e) bound = std::max(bound, c.busy_cycles[e]);
  return bound;
}

std::string ReportJson(const RunResult& result, const Module& module, const ModuleEntry& entry,
                       const Hardware& hw) {
  const Counters& c = result.counters;
  nlohmann::json out = {
      {"soc", hw.name},
      {"entry", entry.name},
      {"cycles", c.cycles},
      {"microseconds", static_cast<double>(c.cycles) / static_cast<double>(hw.clock_mhz)},
      {"instructions", c.instructions},
      {"macs", c.macs},
      {"utilisation", Utilisation(result, hw)},
      {"roofline_cycles", RooflineCycles(entry)},
      {"program_bound_cycles", ProgramBoundCycles(result, hw)},
      {"dram_read_bytes", c.dram_read_bytes},
      {"dram_write_bytes", c.dram_write_bytes},
      {"fetch_bytes", c.fetch_bytes},
      {"scratchpad_bytes", c.scratchpad_bytes},
      {"accumulator_bytes", c.accumulator_bytes},
      {"vector_elems", c.vector_elems},
      {"energy_pj", c.energy_pj}};
  for (int e = 0; e < kEngineCount; ++e) {
    nlohmann::json stalls;
    for (int s = 0; s < kStallCount; ++s)
      stalls[std::string(NameOfStall(s))] = c.stall_cycles[e][s];
    out["engines"][std::string(NameOfEngine(e))] = {{"busy_cycles", c.busy_cycles[e]},
                                                    {"instructions", c.engine_instructions[e]},
                                                    {"stall_cycles", stalls}};
  }
  if (!result.profile.empty()) {
    nlohmann::json handles = nlohmann::json::array();
    for (const HandleCounters& h : result.profile) {
      nlohmann::json busy;
      for (int e = 1; e < kEngineCount; ++e) busy[std::string(NameOfEngine(e))] = h.busy_cycles[e];
      handles.push_back({{"handle", h.handle},
                         {"name", HandleName(module, h.handle)},
                         {"cycles", h.cycles},
                         {"busy_cycles", busy},
                         {"instructions", h.instructions},
                         {"macs", h.macs},
                         {"dram_bytes", h.dram_bytes},
                         {"energy_pj", h.energy_pj}});
    }
    out["handles"] = handles;
  }
  return JsonText(out);
}

std::string ReportText(const RunResult& result, const ModuleEntry& entry, const Hardware& hw) {
  const Counters& c = result.counters;
  std::string text = fmt::format("{} on {}: {} cycles ({:.1f} us at {} MHz), {} instructions\n",
                                 entry.name, hw.name, c.cycles,
                                 static_cast<double>(c.cycles) / static_cast<double>(hw.clock_mhz),
                                 hw.clock_mhz, c.instructions);
  text += fmt::format("multiply-accumulates {}, utilisation {:.1f}%\n", c.macs,
                      100 * Utilisation(result, hw));
  text += fmt::format("DRAM {} B read ({} B instructions), {} B written; energy {:.3f} uJ\n",
                      c.dram_read_bytes, c.fetch_bytes, c.dram_write_bytes, c.energy_pj * 1e-6);
  text += fmt::format("bound: {} cycles by the program's own work{}\n\n",
                      ProgramBoundCycles(result, hw),
                      RooflineCycles(entry) > 0
                          ? fmt::format(", {} by the operators' (roofline)", RooflineCycles(entry))
                          : "");
  text += fmt::format("{:<9}{:>8}", "engine", "busy");
  for (int s = 0; s < kStallCount; ++s) text += fmt::format("{:>16}", NameOfStall(s));
  text += "\n";
  for (int e = 0; e < kEngineCount; ++e) {
    text += fmt::format("{:<9}{:>7.1f}%", NameOfEngine(e), 100 * Share(c.busy_cycles[e], c.cycles));
    for (int s = 0; s < kStallCount; ++s)
      text += fmt::format("{:>15.1f}%", 100 * Share(c.stall_cycles[e][s], c.cycles));
    text += "\n";
  }
  return text;
}

std::string ReportCsv(const RunResult& result, const Module& module) {
  std::string text =
      "handle,name,cycles,load_busy,matrix_busy,vector_busy,store_busy,instructions,macs,dram_"
      "bytes,energy_pj\n";
  for (const HandleCounters& h : result.profile) {
    std::string name = HandleName(module, h.handle);
    std::replace(name.begin(), name.end(), '"', '\'');
    text += fmt::format("{},\"{}\",{},{},{},{},{},{},{},{},{:.1f}\n", h.handle, name, h.cycles,
                        h.busy_cycles[1], h.busy_cycles[2], h.busy_cycles[3], h.busy_cycles[4],
                        h.instructions, h.macs, h.dram_bytes, h.energy_pj);
  }
  return text;
}

}  // namespace acme
