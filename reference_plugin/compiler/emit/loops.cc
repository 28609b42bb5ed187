// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/emit/loops.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "simulator/isa/codec.h"

namespace acme::compiler {
namespace {

// The longest body that is looked for. All of it stays in the command processor's buffer.
constexpr size_t kMostBody = 96;
constexpr size_t kMostAddresses = 3;  // of an instruction
// Instructions that a loop must save: the command processor is kept from others by its own.
constexpr size_t kLeastSaved = 4;

using Addresses = std::array<int64_t, kMostAddresses>;

constexpr bool IsAddress(FieldKind kind) {
  return kind == FieldKind::kSpm || kind == FieldKind::kAcc || kind == FieldKind::kDram;
}

// Takes an instruction's addresses out of it.
struct AddressTaker {
  Addresses addresses = {};
  size_t count = 0;

  template <int bits, FieldKind kind, class T>
  void Field(T& member) {
    if constexpr (IsAddress(kind)) {
      addresses[count++] = static_cast<int64_t>(member);
      member = T{};
    }
  }
};

// Sets the registers that are added to an instruction's addresses.
// In the order of AddressTaker: isa.def has each address's register right behind it.
struct RegisterSetter {
  const std::array<uint32_t, kMostAddresses>& registers;
  size_t next = 0;

  template <int bits, FieldKind kind, class T>
  void Field(T& member) {
    if constexpr (kind == FieldKind::kAreg) member = registers[next++];
  }
};

template <class Visitor>
void VisitAny(AnyInstr& instr, Visitor& visitor) {
  std::visit(
      [&](auto& op) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(op)>, std::monostate>)
          isa::VisitFields(op, visitor);
      },
      instr);
}

// An instruction as a number, the same for all that differ in addresses alone, and these.
struct Seen {
  uint32_t shape = 0;
  Addresses addresses = {};
};

Addresses Distance(const Seen& from, const Seen& to) {
  Addresses distance;
  for (size_t i = 0; i < kMostAddresses; ++i) distance[i] = to.addresses[i] - from.addresses[i];
  return distance;
}

// Nothing if a value does not fit its field.
// Headers are part of the shape: a loop waits and posts as often as the instructions that it
// replaces, and the pairing of posts and waits (hazards.h) stays.
std::optional<std::vector<Seen>> See(const std::vector<Instr>& code) {
  std::map<std::array<uint32_t, 4>, uint32_t> shapes;
  std::vector<Seen> all;
  all.reserve(code.size());
  for (Instr instr : code) {
    AddressTaker taker;
    VisitAny(instr.op, taker);
    const auto word = Encode(instr);
    if (!word) return std::nullopt;
    const auto shape = shapes.try_emplace(word->w, static_cast<uint32_t>(shapes.size())).first;
    all.push_back({shape->second, taker.addresses});
  }
  return all;
}

struct Loop {
  size_t body = 0;
  size_t count = 0;
  std::vector<int64_t> steps;  // of addresses in the body, each once; register i + 1 takes the i-th

  size_t Instructions() const { return body * count; }
  size_t Cost() const { return body + 2 * steps.size() + 2; }
};

class Roller {
 public:
  explicit Roller(std::vector<Seen> seen) : seen_(std::move(seen)) {}

  // The loop at that place that saves the largest share of what it covers, if there is one.
  std::optional<Loop> BestAt(size_t at) const {
    std::optional<Loop> best;
    for (size_t body = 1; body <= kMostBody && at + 2 * body <= seen_.size(); ++body) {
      // The cheap question first: LoopAt looks at the whole body.
      if (seen_[at].shape != seen_[at + body].shape) continue;
      std::optional<Loop> loop = LoopAt(at, body);
      if (!loop || loop->Cost() + kLeastSaved > loop->Instructions()) continue;
      if (!best || loop->Cost() * best->Instructions() < best->Cost() * loop->Instructions())
        best = std::move(loop);
    }
    return best;
  }

  // By address of the body's instruction, the register that is added.
  std::array<uint32_t, kMostAddresses> RegistersOf(size_t at, const Loop& loop) const {
    std::array<uint32_t, kMostAddresses> registers = {};
    const Addresses distance = Distance(seen_[at], seen_[at + loop.body]);
    for (size_t i = 0; i < kMostAddresses; ++i) {
      if (distance[i] == 0) continue;
      const auto step = std::find(loop.steps.begin(), loop.steps.end(), distance[i]);
      registers[i] = static_cast<uint32_t>(step - loop.steps.begin()) + 1;
    }
    return registers;
  }

 private:
  std::optional<Loop> LoopAt(size_t at, size_t body) const {
    Loop loop{.body = body, .count = 1};
    for (size_t i = at; i < at + body; ++i) {
      if (seen_[i].shape != seen_[i + body].shape) return std::nullopt;
    }
    for (size_t i = at; i < at + body; ++i) {
      for (const int64_t step : Distance(seen_[i], seen_[i + body])) {
        if (step == 0 || std::find(loop.steps.begin(), loop.steps.end(), step) != loop.steps.end())
          continue;
        loop.steps.push_back(step);
        // a0 is always zero, so one register fewer can be stepped.
        if (loop.steps.size() >= kAddressRegisterCount || std::abs(step) > INT32_MAX)
          return std::nullopt;
      }
    }
    while (Repeats(at, at + loop.count * body, body) && HasRoom(loop)) ++loop.count;
    return loop;
  }

  // Whether the registers hold the steps of one time more.
  // cp.adda is executed after the last time, too.
  static bool HasRoom(const Loop& loop) {
    constexpr int64_t kLargest = INT32_MAX;
    return std::all_of(loop.steps.begin(), loop.steps.end(), [&](int64_t step) {
      return std::abs(step) <= kLargest / static_cast<int64_t>(loop.count + 1);
    });
  }

  // Whether the body at `at` stands at `next`, too, as far from the one before as that from its own.
  bool Repeats(size_t at, size_t next, size_t body) const {
    if (next + body > seen_.size()) return false;
    for (size_t i = 0; i < body; ++i) {
      const Seen& here = seen_[next + i];
      if (here.shape != seen_[at + i].shape ||
          Distance(seen_[next + i - body], here) != Distance(seen_[at + i], seen_[at + i + body]))
        return false;
    }
    return true;
  }

  std::vector<Seen> seen_;
};

}  // namespace

std::vector<Instr> RollLoops(std::vector<Instr> code) {
  std::optional<std::vector<Seen>> seen = See(code);
  if (!seen) return code;  // it is told where the code is encoded
  const Roller roller(std::move(*seen));
  std::vector<Instr> rolled;
  for (size_t at = 0; at < code.size();) {
    const std::optional<Loop> loop = roller.BestAt(at);
    if (!loop) {
      rolled.push_back(code[at++]);
      continue;
    }
    const auto registers = static_cast<uint32_t>(loop->steps.size());
    for (uint32_t i = 0; i < registers; ++i)
      rolled.push_back({{}, isa::CpSetA{.areg = i + 1, .value = 0}});
    rolled.push_back({{}, isa::CpLoop{.count = static_cast<uint32_t>(loop->count)}});
    for (size_t i = at; i < at + loop->body; ++i) {
      RegisterSetter setter{roller.RegistersOf(i, *loop)};
      VisitAny(rolled.emplace_back(code[i]).op, setter);
    }
    for (uint32_t i = 0; i < registers; ++i) {
      rolled.push_back(
          {{}, isa::CpAddA{.areg = i + 1, .value = static_cast<int32_t>(loop->steps[i])}});
    }
    rolled.push_back({{}, isa::CpEndLoop{}});
    at += loop->Instructions();
  }
  return rolled;
}

}  // namespace acme::compiler
