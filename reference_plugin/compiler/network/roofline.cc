// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/network/roofline.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

namespace acme::compiler {
namespace {

int64_t CyclesPerRow(Dtype dtype, const Hardware& hardware) {
  if (dtype == Dtype::kI16) return hardware.int16_cycles_per_row;
  return dtype == Dtype::kF32 ? hardware.f32_cycles_per_row : hardware.int8_cycles_per_row;
}

double Lanes(Dtype dtype, const Hardware& hardware) {
  switch (SizeBytes(dtype)) {
    case 1:
      return static_cast<double>(hardware.vector_lanes);
    case 2:
      return static_cast<double>(std::max(hardware.vector_lanes_16, hardware.vector_lanes_32));
    default:
      return static_cast<double>(hardware.vector_lanes_32);
  }
}

template <class T>
int64_t LargestMagnitude(std::span<const uint8_t> bytes) {
  int64_t largest = 0;
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    // -(value + 1): -128 fits 8 bits as 127 does, and the lowest int64 has a magnitude.
    largest = std::max<int64_t>(largest, value < 0 ? -(value + 1) : value);
  }
  return largest;
}

// Bytes an element that a program has to load: wide integers may be stored narrow.
uint64_t LeastElemBytes(const Value& constant) {
  const auto size = static_cast<uint64_t>(SizeBytes(constant.dtype));
  if (constant.dtype == Dtype::kF32 || size <= 1) return size;
  const int64_t largest =
      constant.dtype == Dtype::kI16   ? LargestMagnitude<int16_t>(constant.constant)
      : constant.dtype == Dtype::kI32 ? LargestMagnitude<int32_t>(constant.constant)
                                      : LargestMagnitude<int64_t>(constant.constant);
  if (largest <= INT8_MAX) return 1;
  if (largest <= INT16_MAX) return 2;
  return std::min<uint64_t>(size, 4);
}

bool IsUniform(std::span<const uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [&](uint8_t byte) { return byte == bytes[0]; });
}

class Estimator {
 public:
  Estimator(const Network& network, const Hardware& hardware)
      : network_(network), hardware_(hardware), parent_(network.values.size()) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }

  Roofline Run() {
    FindNeededLayers();
    Roofline roofline;
    for (const Layer& layer : network_.layers) {
      const LayerWork work = layer.op->Work(network_, layer.output);
      roofline.macs += work.macs + work.depthwise_macs;
    }
    roofline.engine_cycles.resize(kEngineCount);
    const auto set = [&](Engine engine, double cycles) {
      roofline.engine_cycles[static_cast<size_t>(engine)] =
          static_cast<uint64_t>(std::max(0.0, std::floor(cycles)));
    };
    const auto bandwidth = static_cast<double>(hardware_.dram_bytes_per_cycle);
    const uint64_t loaded = LoadedBytes();
    const uint64_t stored = StoredBytes();
    // Nothing begins before the first data is there, and the last store's acknowledgement comes
    // after all.
    const auto latency = static_cast<double>(hardware_.dram_latency_cycles);
    const double before =
        loaded > 0 ? static_cast<double>(hardware_.dma_setup_cycles) + latency : 0;
    const double outside = before + (stored > 0 ? latency : 0);
    const double matrix = MatrixCycles();
    const double vector = VectorCycles();
    set(Engine::kMatrix, matrix > 0 ? matrix + outside : 0);
    set(Engine::kVector, vector > 0 ? vector + outside : 0);
    set(Engine::kLoad, static_cast<double>(loaded + stored) / bandwidth + outside);
    set(Engine::kStore, static_cast<double>(stored) / bandwidth + outside);
    return roofline;
  }

 private:
  size_t Root(ValueId id) const { return static_cast<size_t>(network_.RootOf(id).value); }
  bool IsProduct(const LayerWork& work) const { return work.macs + work.depthwise_macs > 0; }

  // Those whose results an output depends on, and that are neither computed from constants alone
  // nor the same as an earlier one.
  void FindNeededLayers() {
    std::vector<bool> wanted(network_.values.size());
    for (ValueId id : network_.outputs) wanted[Root(id)] = true;
    std::vector<bool> reached(network_.layers.size());
    for (size_t i = network_.layers.size(); i-- > 0;) {
      const Layer& layer = network_.layers[i];
      if (!wanted[Root(layer.output)]) continue;
      reached[i] = true;
      for (ValueId id : layer.Inputs()) wanted[Root(id)] = true;
    }
    std::vector<bool> varies(network_.values.size());
    for (ValueId id : network_.inputs) varies[Root(id)] = true;
    // Descriptions name operands, so two that are equal compute the same (LayerOp::Describe).
    std::set<std::string> seen;
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      const Layer& layer = network_.layers[i];
      const std::vector<ValueId> inputs = layer.Inputs();
      if (!std::any_of(inputs.begin(), inputs.end(), [&](ValueId id) { return varies[Root(id)]; }))
        continue;
      varies[Root(layer.output)] = true;
      if (reached[i] && seen.insert(layer.op->Describe()).second) needed_.push_back(&layer);
    }
  }

  double MatrixCycles() const {
    double cycles = 0;
    for (const Layer* layer : needed_) {
      const LayerWork work = layer->op->Work(network_, layer->output);
      if (work.macs == 0) continue;
      const uint64_t macs = work.macs - std::min(work.macs, work.padding_macs);
      cycles += static_cast<double>(macs) *
                static_cast<double>(CyclesPerRow(work.dtype, hardware_)) /
                static_cast<double>(hardware_.array_rows * hardware_.array_cols);
    }
    return cycles;
  }

  size_t Find(size_t value) {
    while (parent_[value] != value) value = parent_[value] = parent_[parent_[value]];
    return value;
  }

  // Cycles of a layer's results in the lanes, of the narrower of its types.
  double PassCycles(const Layer& layer, const LayerWork& work) const {
    const Dtype result = network_.value(layer.output).dtype;
    return static_cast<double>(work.vector_elems) /
           std::max(Lanes(work.dtype, hardware_), Lanes(result, hardware_));
  }

  double WindowCycles(const LayerWork& work) const {
    const uint64_t windows = work.depthwise_macs - std::min(work.depthwise_macs, work.padding_macs);
    return work.depthwise_macs == 0
               ? 0
               : static_cast<double>(windows) /
                     (Lanes(work.dtype, hardware_) * static_cast<double>(hardware_.depthwise_taps));
  }

  double FunctionCycles(const LayerWork& work) const {
    return static_cast<double>(work.functions) *
           static_cast<double>(hardware_.transcendental_cycles) / Lanes(work.dtype, hardware_);
  }

  // Elementwise work may ride on the pass of what it is connected with, so each connected group
  // counts the passes of its products and functions or its largest other layer, whichever is more.
  double VectorCycles() {
    for (const Layer* layer : needed_) {
      // Products do not join what they read with what they make: their passes are instructions of
      // their own, which no fusion makes one.
      if (IsProduct(layer->op->Work(network_, layer->output))) continue;
      for (ValueId id : layer->Inputs()) {
        if (!network_.value(id).is_constant()) parent_[Find(Root(id))] = Find(Root(layer->output));
      }
    }
    struct Group {
      double own = 0;  // of instructions that none of the others is part of
      double largest = 0;
    };
    std::map<size_t, Group> groups;
    for (const Layer* layer : needed_) {
      const LayerWork work = layer->op->Work(network_, layer->output);
      Group& group = groups[Find(Root(layer->output))];
      const double pass = PassCycles(*layer, work);
      if (IsProduct(work)) {
        group.own += std::max(pass, WindowCycles(work));
      } else if (work.functions > 0) {
        group.own += std::max(pass, FunctionCycles(work));
      } else {
        group.largest = std::max(group.largest, pass);
      }
    }
    double cycles = 0;
    for (const auto& [root, group] : groups) cycles += std::max(group.own, group.largest);
    return cycles;
  }

  // Inputs and constants as far as a needed layer reads them; equal constants once, those of one
  // byte's repetition not at all.
  uint64_t LoadedBytes() const {
    std::map<size_t, uint64_t> elems;
    for (const Layer* layer : needed_) {
      for (ValueId id : layer->Inputs()) {
        uint64_t& most = elems[Root(id)];
        most = std::max(most, layer->op->ElemsRead(network_, layer->output, id));
      }
    }
    uint64_t bytes = 0;
    std::set<std::string_view> seen;
    for (const auto& [index, count] : elems) {
      const Value& value = network_.values[index];
      const uint64_t read = std::min(count, static_cast<uint64_t>(value.Elems()));
      if (value.input_index >= 0) bytes += read * static_cast<uint64_t>(SizeBytes(value.dtype));
      if (!value.is_constant() || IsUniform(value.constant)) continue;
      const auto* data = reinterpret_cast<const char*>(value.constant.data());
      if (!seen.insert({data, value.constant.size()}).second) continue;
      bytes += value.int4 ? (read + 1) / 2 : read * LeastElemBytes(value);
    }
    return bytes;
  }

  uint64_t StoredBytes() const {
    uint64_t bytes = 0;
    for (ValueId id : network_.outputs) {
      const Value& value = network_.value(id);
      const auto all = static_cast<uint64_t>(value.Elems());
      bytes += std::min(all, ElemsWritten(id)) * static_cast<uint64_t>(SizeBytes(value.dtype));
    }
    return bytes;
  }

  // An operand of which nothing is read may be the result's own memory: then what is read of the
  // others is all that is written.
  uint64_t ElemsWritten(ValueId output) const {
    for (const Layer* layer : needed_) {
      if (Root(layer->output) != Root(output)) continue;
      uint64_t least = UINT64_MAX;
      uint64_t most = 0;
      for (ValueId id : layer->Inputs()) {
        const uint64_t read = layer->op->ElemsRead(network_, layer->output, id);
        least = std::min(least, read);
        most = std::max(most, read);
      }
      if (least == 0) return most;
    }
    return UINT64_MAX;
  }

  const Network& network_;
  const Hardware& hardware_;
  std::vector<const Layer*> needed_;
  std::vector<size_t> parent_;  // by value, of groups that elementwise layers connect
};

}  // namespace

Roofline EstimateRoofline(const Network& network, const Hardware& hardware) {
  return Estimator(network, hardware).Run();
}

}  // namespace acme::compiler
