// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/placement/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference_plugin/compiler/network/drained_extremes.h"
#include "reference_plugin/compiler/placement/alignment.h"
#include "reference_plugin/compiler/tasks/symbolic_addresses.h"

namespace acme::compiler {
namespace {

// Blocks of one memory over the time of the program. First fit among those that live at the same
// time.
class LifetimeAllocator {
 public:
  explicit LifetimeAllocator(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  std::optional<int64_t> Place(int64_t bytes, Lifetime lifetime) {
    const int64_t size = std::max(kBufferAlignBytes, AlignUp(bytes));
    std::vector<Block> live;
    for (const Block& block : blocks_) {
      if (block.lifetime.first <= lifetime.last && lifetime.first <= block.lifetime.last)
        live.push_back(block);
    }
    std::sort(live.begin(), live.end(),
              [](const Block& a, const Block& b) { return a.begin < b.begin; });
    int64_t begin = 0;
    for (const Block& block : live) {
      if (begin + size <= block.begin) break;
      begin = std::max(begin, block.end);
    }
    if (begin + size > limit_bytes_) return std::nullopt;
    blocks_.push_back({begin, begin + size, lifetime});
    used_bytes_ = std::max(used_bytes_, begin + size);
    return begin;
  }

  int64_t used_bytes() const { return used_bytes_; }

 private:
  struct Block {
    int64_t begin;
    int64_t end;
    Lifetime lifetime;
  };
  int64_t limit_bytes_;
  int64_t used_bytes_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace

// A buffer that would cross a multiple of 2^32 begins behind it, `first` bytes on: the addresses
// below belong to values that last, which instructions name by their low 32 bits
// (SymbolicAddresses).
int64_t AddBuffer(int64_t bytes, std::vector<ScratchpadBuffer>& buffers, int64_t first) {
  constexpr int64_t kPeriod = SymbolicAddresses::kPeriod;
  const int64_t end = EndOf(buffers);
  int64_t period = end / kPeriod * kPeriod;
  if (end - period + AlignUp(bytes) + kBufferAlignBytes > kPeriod) period += kPeriod;
  const int64_t begin = std::max(end, period + first);
  buffers.push_back({begin, std::max<int64_t>(bytes, 1)});
  return begin;
}

int64_t EndOf(std::span<const ScratchpadBuffer> buffers) {
  // Address 0 is never given out: instructions that do not use a field have 0 there.
  if (buffers.empty()) return kBufferAlignBytes;
  // A gap behind each buffer: FindFootprints joins ranges that touch, and a range is taken for the
  // buffer that it begins in.
  return buffers.back().begin + AlignUp(buffers.back().bytes) + kBufferAlignBytes;
}

std::vector<Lifetime> PlanLifetimes(const Network& network,
                                    const std::map<ValueId, DrainedExtremes>& extremes) {
  std::vector<Lifetime> lifetimes(network.values.size());
  const auto use = [&](ValueId id, int32_t time) {
    Lifetime& lifetime = lifetimes[static_cast<size_t>(network.RootOf(id).value)];
    lifetime = {std::min(lifetime.first, time), std::max(lifetime.last, time)};
  };
  const auto end = static_cast<int32_t>(network.layers.size());
  for (ValueId id : network.inputs) use(id, 0);
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const auto time = static_cast<int32_t>(i);
    use(network.layers[i].output, time);
    for (ValueId id : network.layers[i].Inputs()) use(id, time);
  }
  for (ValueId id : network.outputs) use(id, end);
  // They are there as soon as what they are of.
  for (const auto& [root, found] : extremes) {
    for (ValueId id : {found.result, found.lows}) {
      if (id != kNoValue) use(id, static_cast<int32_t>(found.first_maker));
    }
  }
  return lifetimes;
}

namespace {

// Whether a value is of some rows that one region alone makes and reads: the region's steps are as
// many as let all of these be there at a time.
std::vector<bool> FindStrips(const Network& network) {
  constexpr int32_t kUnused = -2;
  std::vector<int32_t> region(network.values.size(), kUnused);
  const auto use = [&](ValueId id, int32_t strips) {
    int32_t& its = region[static_cast<size_t>(network.RootOf(id).value)];
    its = its == kUnused || its == strips ? strips : -1;
  };
  for (const Layer& layer : network.layers) {
    use(layer.output, layer.strips);
    for (ValueId id : layer.Inputs()) use(id, layer.strips);
  }
  std::vector<bool> is_strip(network.values.size());
  for (size_t i = 0; i < is_strip.size(); ++i)
    is_strip[i] =
        region[i] >= 0 && network.values[i].input_index < 0 && network.values[i].output_index < 0;
  return is_strip;
}

// Which values live in the scratchpad: the smallest first, as long as there is room at every time. A
// large one that stays drives many small ones out to the DRAM, each of which costs a latency; and
// large ones can be streamed in tiles while they are computed with.
std::vector<bool> ChooseResidents(const Network& network, const std::vector<Lifetime>& lifetimes,
                                  const std::vector<bool>& goes_first, int64_t limit_bytes) {
  std::vector<bool> in_dram(network.values.size());
  for (const Layer& layer : network.layers) {
    for (const ValueId id : layer.op->ValuesInDram(layer.output))
      in_dram[static_cast<size_t>(network.RootOf(id).value)] = true;
  }
  std::vector<size_t> candidates;
  for (size_t i = 0; i < network.values.size(); ++i) {
    if (lifetimes[i].is_used() && !network.values[i].is_constant() &&
        network.values[i].base == kNoValue && !in_dram[i])
      candidates.push_back(i);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](size_t a, size_t b) {
    return std::pair(!goes_first[a], network.values[a].Bytes()) <
           std::pair(!goes_first[b], network.values[b].Bytes());
  });
  // Sums by layer, not places: whether the buffers fit beside each other is found when they get
  // real addresses (scratchpad_plan.h).
  std::vector<int64_t> used(network.layers.size() + 1);
  std::vector<bool> resident(network.values.size());
  for (size_t i : candidates) {
    const int64_t bytes = AlignUp(network.values[i].Bytes());
    const auto first = used.begin() + lifetimes[i].first;
    const auto last = used.begin() + lifetimes[i].last + 1;
    if (*std::max_element(first, last) + bytes > limit_bytes) continue;
    std::for_each(first, last, [&](int64_t& at) { at += bytes; });
    resident[i] = true;
  }
  return resident;
}

// A binding of inputs and outputs, if the value has one.
std::optional<DramPlace> BindingOf(const Value& value, const Network& network) {
  const auto inputs = static_cast<uint32_t>(network.inputs.size());
  if (value.input_index >= 0)
    return DramPlace{kFirstIoBinding + static_cast<uint32_t>(value.input_index), 0};
  if (value.output_index >= 0)
    return DramPlace{kFirstIoBinding + inputs + static_cast<uint32_t>(value.output_index), 0};
  return std::nullopt;
}

}  // namespace

Placement PlanPlacement(const Network& network, const ScratchpadShares& shares) {
  Placement placement;
  placement.step_bytes = shares.step_bytes;
  placement.values.resize(network.values.size());
  placement.extremes = FindDrainedExtremes(network);
  const std::vector<Lifetime> lifetimes = PlanLifetimes(network, placement.extremes);
  const std::vector<bool> is_strip = FindStrips(network);
  const std::vector<bool> resident = ChooseResidents(
      network, lifetimes, shares.strips_first ? is_strip : std::vector<bool>(network.values.size()),
      shares.resident_bytes);
  // Without a limit: Place always gives one.
  LifetimeAllocator workspace(INT64_MAX);
  for (size_t i = 0; i < network.values.size(); ++i) {
    const Value& value = network.values[i];
    if (!lifetimes[i].is_used() || value.is_constant() || value.base != kNoValue) continue;
    ValuePlace& place = placement.values[i];
    place.dram = BindingOf(value, network);
    if (resident[i]) {
      place.scratchpad_offset = AddBuffer(value.Bytes(), placement.buffers);
    } else if (!place.dram) {
      placement.has_strips_in_dram = placement.has_strips_in_dram || is_strip[i];
      place.dram = DramPlace{kWorkspaceBinding, *workspace.Place(value.Bytes(), lifetimes[i])};
    }
  }
  for (size_t i = 0; i < network.values.size(); ++i) {
    if (network.values[i].base == kNoValue) continue;
    const Network::Storage storage = network.RootOf(static_cast<ValueId>(i));
    ValuePlace place = placement.values[static_cast<size_t>(storage.value)];
    if (place.dram) place.dram->offset_bytes += storage.offset_bytes;
    if (place.scratchpad_offset) *place.scratchpad_offset += storage.offset_bytes;
    placement.values[i] = place;
  }
  placement.workspace_bytes = workspace.used_bytes();
  return placement;
}

std::string Placement::ToString() const {
  std::string text =
      fmt::format("placement: steps of {}, workspace {} bytes\n", step_bytes, workspace_bytes);
  for (size_t i = 0; i < values.size(); ++i) {
    const ValuePlace& place = values[i];
    if (!place.dram && !place.scratchpad_offset) continue;
    text += fmt::format("  v{}", i);
    if (place.scratchpad_offset) text += fmt::format(" scratchpad {}", *place.scratchpad_offset);
    if (place.dram)
      text += fmt::format(" dram {}+{}", place.dram->binding, place.dram->offset_bytes);
    text += "\n";
  }
  return text;
}

}  // namespace acme::compiler
