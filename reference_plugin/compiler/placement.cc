// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/placement.h"

#include <algorithm>
#include <sstream>

namespace acme::compiler {
namespace {

constexpr int64_t kAlignBytes = 64;

int64_t AlignUp(int64_t bytes) { return (bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes; }

// Blocks of one memory over the time of the program. First fit among those that live at the same
// time.
class LifetimeAllocator {
 public:
  explicit LifetimeAllocator(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  std::optional<int64_t> Place(int64_t bytes, Lifetime lifetime) {
    const int64_t size = std::max(kAlignBytes, AlignUp(bytes));
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

std::vector<Lifetime> PlanLifetimes(const Network& network) {
  std::vector<Lifetime> lifetimes(network.values.size());
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const auto time = static_cast<int32_t>(i);
    const Layer& layer = network.layers[i];
    lifetimes[static_cast<size_t>(layer.output)] = {time, time};
    for (ValueId id : layer.Inputs()) lifetimes[static_cast<size_t>(id)].last = time;
  }
  for (ValueId id : network.outputs) {
    lifetimes[static_cast<size_t>(id)].last = static_cast<int32_t>(network.layers.size());
  }
  return lifetimes;
}

Placement PlanPlacement(const Network& network, const Hardware& hardware) {
  Placement placement;
  placement.values.resize(network.values.size());
  const std::vector<Lifetime> lifetimes = PlanLifetimes(network);
  LifetimeAllocator scratchpad(hardware.scratchpad_bytes / 2 / kAlignBytes * kAlignBytes);
  LifetimeAllocator workspace(INT64_MAX);
  for (size_t i = 0; i < network.values.size(); ++i) {
    const Value& value = network.values[i];
    ValuePlace& place = placement.values[i];
    if (value.is_constant()) continue;
    const uint32_t inputs = static_cast<uint32_t>(network.inputs.size());
    if (value.input_index >= 0) {
      place.dram = DramPlace{kFirstIoBinding + static_cast<uint32_t>(value.input_index), 0};
    } else if (value.output_index >= 0) {
      place.dram =
          DramPlace{kFirstIoBinding + inputs + static_cast<uint32_t>(value.output_index), 0};
    }
    place.scratchpad_offset = scratchpad.Place(value.Bytes(), lifetimes[i]);
    if (!place.dram && !place.scratchpad_offset) {
      place.dram = DramPlace{kWorkspaceBinding, *workspace.Place(value.Bytes(), lifetimes[i])};
    }
  }
  placement.workspace_bytes = workspace.used_bytes();
  placement.stream_begin = scratchpad.used_bytes();
  placement.stream_end = hardware.scratchpad_bytes;
  return placement;
}

std::string Placement::ToString() const {
  std::ostringstream out;
  out << "placement: streaming " << stream_begin << " .. " << stream_end << ", workspace "
      << workspace_bytes << " bytes\n";
  for (size_t i = 0; i < values.size(); ++i) {
    const ValuePlace& place = values[i];
    if (!place.dram && !place.scratchpad_offset) continue;
    out << "  v" << i;
    if (place.scratchpad_offset) out << " scratchpad " << *place.scratchpad_offset;
    if (place.dram) out << " dram " << place.dram->binding << "+" << place.dram->offset_bytes;
    out << "\n";
  }
  return out.str();
}

}  // namespace acme::compiler
