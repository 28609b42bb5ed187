// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/trace/chrome_trace.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/isa/info.h"

namespace acme {
namespace {

// A JSON string with quotes; names come from models and may hold anything: bytes that are not UTF-8
// are replaced.
std::string Quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Text under construction; with a file, it goes there piece by piece. Numbers are formatted in
// place: a trace has a line for every instruction, and writing it must not slow a run noticeably.
class Json {
 public:
  Json(int64_t clock_mhz, std::FILE* file) : clock_mhz_(clock_mhz), file_(file) {
    text_.reserve(kPieceBytes + 1024);
  }

  Json& operator<<(std::string_view text) {
    text_.append(text);
    return *this;
  }
  Json& operator<<(int64_t value) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, std::end(digits), value).ptr);
    return *this;
  }
  // Cycles as microseconds with three decimals, halves up.
  Json& Microseconds(int64_t cycles) {
    // In integers: the same text on every machine.
    Decimal((2 * 1000 * cycles + clock_mhz_) / (2 * clock_mhz_), 3);
    return *this;
  }
  // value / 10^digits.
  Json& Decimal(int64_t value, int digits) {
    int64_t unit = 1;
    for (int i = 0; i < digits; ++i) unit *= 10;
    *this << value / unit;
    text_ += '.';
    for (int64_t rest = value % unit; unit > 1; rest %= unit) {
      unit /= 10;
      text_ += static_cast<char>('0' + rest / unit);
    }
    return *this;
  }
  // Between two lines: hands full pieces to the file.
  void EndLine() {
    if (file_ != nullptr && text_.size() >= kPieceBytes) Flush();
  }
  // The end. What went to a file is not returned.
  std::string Finish() {
    if (file_ != nullptr) Flush();
    return std::move(text_);
  }
  bool failed() const { return failed_; }

 private:
  static constexpr size_t kPieceBytes = 32 << 10;

  void Flush() {
    failed_ = failed_ || std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size();
    text_.clear();
  }

  std::string text_;
  int64_t clock_mhz_;
  std::FILE* file_;
  bool failed_ = false;
};

// Slices of the weight port get a track of their own: they overlap streams. DMA slices never
// overlap in their data phase.
constexpr int kWeightTrack = kEngineCount;
constexpr int kTrackCount = kEngineCount + 1;

int TrackOf(const TraceSlice& slice) {
  if (static_cast<Opcode>(slice.opcode) == Opcode::kMLoadW) return kWeightTrack;
  return static_cast<int>(slice.engine);
}

std::string_view TrackName(int track) {
  return track == kWeightTrack ? std::string_view("matrix weights") : NameOfEngine(track);
}

// Slices on one track may overlap by the array's drain or a store's latency; viewers want them
// nested or apart, so each is cut where the next one begins. By track, ascending.
std::vector<TraceSlice> Separated(std::span<const TraceSlice> slices) {
  std::vector<TraceSlice> sorted;
  sorted.reserve(slices.size());
  auto earlier = [](const TraceSlice& a, const TraceSlice& b) {
    return a.begin_cycle < b.begin_cycle;
  };
  for (int track = 0; track < kTrackCount; ++track) {
    const ptrdiff_t first = static_cast<ptrdiff_t>(sorted.size());
    for (const TraceSlice& slice : slices) {
      if (TrackOf(slice) == track) sorted.push_back(slice);
    }
    // An engine completes in order, so this is the rule.
    if (!std::is_sorted(sorted.begin() + first, sorted.end(), earlier))
      std::stable_sort(sorted.begin() + first, sorted.end(), earlier);
    for (size_t i = static_cast<size_t>(first); i + 1 < sorted.size(); ++i)
      sorted[i].end_cycle = std::min(sorted[i].end_cycle, sorted[i + 1].begin_cycle);
  }
  return sorted;
}

struct Change {
  int64_t cycle;
  int64_t delta;
};

// One counter: the level after each cycle in which it changes.
void AppendCounter(std::vector<Change>& changes, std::string_view name, std::string_view argument,
                   int decimals, Json& out) {
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.cycle < b.cycle; });
  int64_t level = 0;
  int64_t shown = -1;
  for (size_t i = 0; i < changes.size(); ++i) {
    level += changes[i].delta;
    if (i + 1 < changes.size() && changes[i + 1].cycle == changes[i].cycle) continue;
    if (level == shown) continue;
    shown = level;
    out << ",\n{\"ph\":\"C\",\"pid\":1,\"name\":\"" << name << "\",\"ts\":";
    out.Microseconds(changes[i].cycle) << ",\"args\":{\"" << argument << "\":";
    if (decimals == 0) {
      out << level;
    } else {
      out.Decimal(level, decimals);
    }
    out << "}}";
    out.EndLine();
  }
}

// DRAM bytes per cycle over time, from transfers taken as even over their slices.
void AppendBandwidth(std::span<const TraceSlice> slices, Json& out) {
  std::vector<Change> changes;
  for (const TraceSlice& slice : slices) {
    const int64_t cycles = slice.end_cycle - slice.begin_cycle;
    if (slice.dram_bytes == 0 || cycles <= 0) continue;
    const int64_t rate = (slice.dram_bytes * 100 + cycles / 2) / cycles;  // hundredths
    changes.push_back({slice.begin_cycle, rate});
    // The rounded rate both times: the level comes back to 0.
    changes.push_back({slice.end_cycle, -rate});
  }
  AppendCounter(changes, "DRAM bytes per cycle", "bytes", 2, out);
}

// How many engines (the command processor aside) work at a time.
void AppendOccupancy(std::span<const TraceSlice> separated, Json& out) {
  std::vector<Change> changes;
  changes.reserve(2 * separated.size());
  for (const TraceSlice& slice : separated) {
    if (TrackOf(slice) == kWeightTrack || slice.engine == Engine::kCommand) continue;
    if (slice.end_cycle <= slice.begin_cycle) continue;
    // Back to back on one track: nothing changes.
    if (!changes.empty() && changes.back().cycle == slice.begin_cycle && changes.back().delta < 0) {
      changes.pop_back();
    } else {
      changes.push_back({slice.begin_cycle, 1});
    }
    changes.push_back({slice.end_cycle, -1});
  }
  AppendCounter(changes, "busy engines", "engines", 0, out);
}

void AppendScratchpad(std::span<const OccupancyLevel> levels, Json& out) {
  std::vector<Change> changes;
  changes.reserve(levels.size());
  int64_t before = 0;
  for (const auto& [cycle, bytes] : levels) {
    changes.push_back({cycle, bytes - before});
    before = bytes;
  }
  AppendCounter(changes, "scratchpad bytes", "bytes", 0, out);
}

// Names of debug handles as JSON strings, asked for once each.
class HandleNames {
 public:
  explicit HandleNames(const TraceContext& context) : context_(context) {}
  // "" when the handle has no name.
  std::string_view Of(uint32_t handle) {
    auto [found, added] = names_.try_emplace(handle);
    if (added && context_.handle_name) {
      const std::string name = context_.handle_name(handle);
      if (!name.empty()) found->second = Quoted(name);
    }
    return found->second;
  }

 private:
  const TraceContext& context_;
  std::unordered_map<uint32_t, std::string> names_;
};

void AppendSlice(const TraceSlice& slice, HandleNames& names, Json& out) {
  const std::string_view mnemonic = InfoOf(static_cast<Opcode>(slice.opcode)).mnemonic;
  const std::string_view name = names.Of(slice.handle);
  out << ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":" << int64_t{TrackOf(slice)} << ",\"name\":";
  if (name.empty()) {
    out << "\"" << mnemonic << "\"";
  } else {
    out << name;
  }
  out << ",\"cat\":\"" << mnemonic << "\",\"ts\":";
  out.Microseconds(slice.begin_cycle) << ",\"dur\":";
  out.Microseconds(slice.end_cycle - slice.begin_cycle)
      << ",\"args\":{\"pc\":" << int64_t{slice.pc} << ",\"handle\":" << int64_t{slice.handle}
      << ",\"begin_cycle\":" << slice.begin_cycle << ",\"end_cycle\":" << slice.end_cycle
      << ",\"macs\":" << slice.macs << ",\"dram_bytes\":" << slice.dram_bytes << "}}";
  out.EndLine();
}

void AppendAll(std::span<const TraceSlice> slices, const TraceContext& context, Json& out) {
  const std::vector<TraceSlice> separated = Separated(slices);
  HandleNames names(context);
  out << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"cycles\":" << context.total_cycles
      << ",\"clock_mhz\":" << context.clock_mhz << "},\"traceEvents\":[\n"
      << "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":"
      << Quoted(context.process_name) << "}}";
  for (int track = 0; track < kTrackCount; ++track) {
    out << ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":" << int64_t{track}
        << ",\"name\":\"thread_name\",\"args\":{\"name\":" << Quoted(TrackName(track)) << "}}";
  }
  for (const TraceSlice& slice : separated) AppendSlice(slice, names, out);
  AppendBandwidth(slices, out);
  AppendOccupancy(separated, out);
  AppendScratchpad(context.scratchpad_levels, out);
  out << "\n]}\n";
}

}  // namespace

std::string ChromeTraceJson(std::span<const TraceSlice> slices, const TraceContext& context) {
  Json out(context.clock_mhz, nullptr);
  AppendAll(slices, context, out);
  return out.Finish();
}

Expected<void> WriteChromeTrace(const std::string& path, std::span<const TraceSlice> slices,
                                const TraceContext& context) {
  const auto failed = [&] {
    return Error(ErrorCode::kIo,
                 "can't write " + path + ": " + std::generic_category().message(errno));
  };
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return failed();
  std::setvbuf(file, nullptr, _IONBF, 0);  // the pieces are large enough
  Json out(context.clock_mhz, file);
  AppendAll(slices, context, out);
  out.Finish();
  const bool is_closed = std::fclose(file) == 0;
  if (!is_closed || out.failed()) return failed();
  return {};
}

}  // namespace acme
