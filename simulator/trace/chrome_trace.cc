// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/trace/chrome_trace.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "simulator/isa/info.h"

namespace acme {
namespace {

// A JSON string with quotes; names come from models and may hold anything.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Cycles as microseconds with three decimals.
std::string Microseconds(int64_t cycles, int64_t clock_mhz) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.3f",
                static_cast<double>(cycles) / static_cast<double>(clock_mhz));
  return text;
}

// Slices of the weight port get a track of their own: they overlap streams. DMA slices never
// overlap in their data phase.
int TrackOf(const TraceSlice& slice) {
  if (static_cast<Opcode>(slice.opcode) == Opcode::kMLoadW) return kEngineCount;
  return static_cast<int>(slice.engine);
}

std::string_view TrackName(int track) {
  return track == kEngineCount ? std::string_view("matrix weights") : NameOfEngine(track);
}

// Slices on one track may overlap by the array's drain or a store's latency; viewers want them
// nested or apart, so each is cut where the next one begins.
std::vector<TraceSlice> Separated(std::span<const TraceSlice> slices) {
  std::vector<TraceSlice> sorted(slices.begin(), slices.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const TraceSlice& a, const TraceSlice& b) {
    return std::pair(TrackOf(a), a.begin_cycle) < std::pair(TrackOf(b), b.begin_cycle);
  });
  for (size_t i = 0; i + 1 < sorted.size(); ++i) {
    if (TrackOf(sorted[i]) == TrackOf(sorted[i + 1])) {
      sorted[i].end_cycle = std::min(sorted[i].end_cycle, sorted[i + 1].begin_cycle);
    }
  }
  return sorted;
}

// DRAM bytes per cycle over time, from transfers taken as even over their slices.
void AppendBandwidth(std::span<const TraceSlice> slices, const TraceContext& context,
                     std::string& out) {
  struct Change {
    int64_t cycle;
    double delta;
  };
  std::vector<Change> changes;
  for (const TraceSlice& slice : slices) {
    if (slice.dram_bytes == 0 || slice.end_cycle <= slice.begin_cycle) continue;
    const double rate = static_cast<double>(slice.dram_bytes) /
                        static_cast<double>(slice.end_cycle - slice.begin_cycle);
    changes.push_back({slice.begin_cycle, rate});
    changes.push_back({slice.end_cycle, -rate});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.cycle < b.cycle; });
  double level = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    level += changes[i].delta;
    if (i + 1 < changes.size() && changes[i + 1].cycle == changes[i].cycle) continue;
    char value[48];
    std::snprintf(value, sizeof(value), "%.2f", std::max(0.0, level));
    out += ",\n{\"ph\":\"C\",\"pid\":1,\"name\":\"DRAM bytes per cycle\",\"ts\":" +
           Microseconds(changes[i].cycle, context.clock_mhz) + ",\"args\":{\"bytes\":" + value +
           "}}";
  }
}

// How many engines work at a time.
void AppendOccupancy(std::span<const TraceSlice> separated, const TraceContext& context,
                     std::string& out) {
  std::vector<std::pair<int64_t, int>> changes;
  for (const TraceSlice& slice : separated) {
    if (TrackOf(slice) == kEngineCount || slice.end_cycle <= slice.begin_cycle) continue;
    changes.emplace_back(slice.begin_cycle, 1);
    changes.emplace_back(slice.end_cycle, -1);
  }
  std::sort(changes.begin(), changes.end());
  int level = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    level += changes[i].second;
    if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
    out += ",\n{\"ph\":\"C\",\"pid\":1,\"name\":\"busy engines\",\"ts\":" +
           Microseconds(changes[i].first, context.clock_mhz) +
           ",\"args\":{\"engines\":" + std::to_string(level) + "}}";
  }
}

}  // namespace

std::string ChromeTraceJson(std::span<const TraceSlice> slices, const TraceContext& context) {
  const std::vector<TraceSlice> separated = Separated(slices);
  std::string out = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"cycles\":" +
                    std::to_string(context.total_cycles) +
                    ",\"clock_mhz\":" + std::to_string(context.clock_mhz) + "},\"traceEvents\":[\n";
  out += "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":" +
         Quoted(context.process_name) + "}}";
  for (int track = 1; track <= kEngineCount; ++track) {
    out += ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":" + std::to_string(track) +
           ",\"name\":\"thread_name\",\"args\":{\"name\":" + Quoted(TrackName(track)) + "}}";
  }
  for (const TraceSlice& slice : separated) {
    const std::string_view mnemonic = InfoOf(static_cast<Opcode>(slice.opcode)).mnemonic;
    std::string name = context.handle_name ? context.handle_name(slice.handle) : std::string();
    if (name.empty()) name = mnemonic;
    out += ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":" + std::to_string(TrackOf(slice)) +
           ",\"name\":" + Quoted(name) + ",\"cat\":" + Quoted(mnemonic) +
           ",\"ts\":" + Microseconds(slice.begin_cycle, context.clock_mhz) +
           ",\"dur\":" + Microseconds(slice.end_cycle - slice.begin_cycle, context.clock_mhz) +
           ",\"args\":{\"pc\":" + std::to_string(slice.pc) +
           ",\"handle\":" + std::to_string(slice.handle) +
           ",\"begin_cycle\":" + std::to_string(slice.begin_cycle) +
           ",\"end_cycle\":" + std::to_string(slice.end_cycle) +
           ",\"macs\":" + std::to_string(slice.macs) +
           ",\"dram_bytes\":" + std::to_string(slice.dram_bytes) + "}}";
  }
  AppendBandwidth(slices, context, out);
  AppendOccupancy(separated, context, out);
  return out + "\n]}\n";
}

Expected<void> WriteChromeTrace(const std::string& path, std::span<const TraceSlice> slices,
                                const TraceContext& context) {
  std::ofstream file(path, std::ios::binary);
  file << ChromeTraceJson(slices, context);
  file.close();
  if (!file) return Error(ErrorCode::kIo, "can't write " + path);
  return {};
}

}  // namespace acme
