// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/race_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulator/device/counters.h"
#include "simulator/isa/codec.h"
#include "simulator/isa/info.h"

namespace acme {
namespace {

// A cell takes 28 bytes, so this is half a gigabyte.
constexpr int64_t kLargestWatchedBuffer = 16 << 20;

void Join(RaceClock& clock, const RaceClock& other) {
  for (int e = 0; e < kEngineCount; ++e) clock[e] = std::max(clock[e], other[e]);
}

std::string_view SpaceName(Space space) {
  switch (space) {
    case Space::kScratchpad:
      return "scratchpad byte";
    case Space::kAccumulators:
      return "accumulator word";
    default:
      return "DRAM byte";
  }
}

}  // namespace

RaceChecker::RaceChecker(const Hardware& hardware, const std::vector<int64_t>& buffer_bytes,
                         std::function<std::string(uint32_t)> handle_name)
    : handle_name_(std::move(handle_name)),
      array_cols_(hardware.array_cols),
      scratchpad_(hardware.scratchpad_bytes),
      accumulators_(hardware.accumulator_rows * hardware.array_cols) {
  for (size_t b = 0; b < buffer_bytes.size(); ++b) {
    // Constants are only read.
    const bool watched = b != kConstantsBinding && buffer_bytes[b] <= kLargestWatchedBuffer;
    dram_.emplace_back(watched ? buffer_bytes[b] : 0);
  }
  // Instructions are numbered from 1, for 0 in a cell is "never": the entries of number 0 are
  // unused.
  for (auto& origins : origins_) origins.push_back({});
  for (auto& clocks : begin_clock_) clocks.push_back({});
}

uint32_t RaceChecker::Begin(Engine engine, const Sync& sync, const RaceClock& dispatched,
                            uint32_t pc, uint32_t handle) {
  const int e = static_cast<int>(engine);
  Join(clock_[e], dispatched);
  for (uint8_t s : sync.wait) {
    if (s == 0) continue;
    // First in, first out, as the engines' order of completion makes it for a semaphore of one poster.
    // There is one: TimedRun has taken the semaphore, and each of its posts came by Post() before.
    Join(clock_[e], posted_[s].front());
    posted_[s].pop_front();
  }
  const uint32_t number = ++begun_[e];
  origins_[e].push_back({pc, handle});
  begin_clock_[e].push_back(clock_[e]);
  return number;
}

void RaceChecker::Post(Engine engine, uint32_t number, const Sync& sync) {
  const int e = static_cast<int>(engine);
  // What the instruction knew as it began, and itself with all before it, since an engine completes
  // in order. Not the engine's clock of now: instructions after it may have begun and learnt of
  // things that this one's completion says nothing about.
  RaceClock clock = begin_clock_[e][number];
  clock[e] = std::max(clock[e], number);
  for (uint8_t s : sync.post) {
    if (s != 0) posted_[s].push_back(clock);
  }
}

void RaceChecker::Fence() {
  for (RaceClock& clock : clock_) Join(clock, begun_);
}

RaceChecker::Cells* RaceChecker::CellsOf(const Access& access, int64_t& shift) {
  shift = 0;
  switch (access.space) {
    case Space::kScratchpad:
      return &scratchpad_;
    case Space::kAccumulators:
      shift = 2;
      return &accumulators_;
    default:
      return access.binding < dram_.size() && !dram_[access.binding].empty()
                 ? &dram_[access.binding]
                 : nullptr;
  }
}

std::string RaceChecker::Describe(Engine engine, uint32_t number) const {
  const Origin& origin = origins_[static_cast<int>(engine)][number];
  const std::string name = handle_name_ ? handle_name_(origin.handle) : std::string();
  return fmt::format("{} instruction {}{}", NameOfEngine(static_cast<int>(engine)), origin.pc,
                     name.empty() ? std::string() : fmt::format(" ({})", name));
}

std::optional<std::string> RaceChecker::CheckCell(Engine engine, const Access& access, int64_t at,
                                                  Cell& cell) {
  const int me = static_cast<int>(engine);
  const RaceClock& known = clock_[me];
  auto message = [&](int other, uint32_t number, std::string_view their_verb) {
    return fmt::format("race on {} {}: {} {} what {} {}, and no semaphore orders them",
                       SpaceName(access.space), at, Describe(engine, begun_[me]),
                       access.write ? "writes" : "reads",
                       Describe(static_cast<Engine>(other), number), their_verb);
  };
  // An engine's own accesses are ordered by its queue.
  const int writer = cell.write_engine;
  if (cell.write_number != 0 && writer != me && known[writer] < cell.write_number) {
    return message(writer, cell.write_number, "writes");
  }
  if (!access.write) {
    cell.read_number[me] = begun_[me];
    return std::nullopt;
  }
  for (int e = 0; e < kEngineCount; ++e) {
    if (e != me && known[e] < cell.read_number[e]) return message(e, cell.read_number[e], "reads");
  }
  // The reads stay noted although the write is after them all: whoever is ordered behind this write
  // is behind them, too, as its clock came with the post.
  cell.write_number = begun_[me];
  cell.write_engine = static_cast<uint8_t>(me);
  return std::nullopt;
}

std::optional<std::string> RaceChecker::CheckAccesses(Engine engine, const Instr& instr,
                                                      const EngineState& state) {
  std::optional<std::string> race;
  ForEachAccess(instr, state, array_cols_, [&](const Access& access) {
    int64_t shift = 0;
    Cells* cells = CellsOf(access, shift);
    if (cells == nullptr || race) return;
    const auto check = [&](int64_t addr, int64_t bytes) {
      for (int64_t at = addr >> shift; at < (addr + bytes) >> shift && !race; ++at) {
        race = CheckCell(engine, access, at, (*cells)[at]);
      }
    };
    // What indices choose is known to the program that made them: all of it counts as touched.
    if (access.chosen > 0) return check(access.LowBytes(), access.HighBytes() - access.LowBytes());
    ForEachRun(access, check);
  });
  return race;
}

}  // namespace acme
