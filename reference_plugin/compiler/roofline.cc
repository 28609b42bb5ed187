// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/roofline.h"

#include <algorithm>

namespace acme::compiler {
namespace {

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

int64_t CyclesPerRow(Dtype dtype, const Hardware& hardware) {
  if (dtype == Dtype::kI16) return hardware.int16_cycles_per_row;
  return dtype == Dtype::kF32 ? hardware.f32_cycles_per_row : hardware.int8_cycles_per_row;
}

uint64_t Lanes(Dtype dtype, const Hardware& hardware) {
  switch (SizeBytes(dtype)) {
    case 1:
      return static_cast<uint64_t>(hardware.vector_lanes);
    case 2:
      return static_cast<uint64_t>(hardware.vector_lanes_16);
    default:
      return static_cast<uint64_t>(hardware.vector_lanes_32);
  }
}

}  // namespace

Roofline EstimateRoofline(const Network& network, const Hardware& hardware) {
  Roofline roofline;
  roofline.engine_cycles.resize(kEngineCount);
  uint64_t matrix_cycles = 0;
  uint64_t vector_cycles = 0;
  std::vector<bool> used(network.values.size());
  for (const Layer& layer : network.layers) {
    const LayerWork work = layer.op->Work(network, layer.output);
    matrix_cycles += CeilDiv(work.macs * static_cast<uint64_t>(CyclesPerRow(work.dtype, hardware)),
                             static_cast<uint64_t>(hardware.array_rows * hardware.array_cols));
    roofline.macs += work.macs + work.depthwise_macs;
    const uint64_t lanes = Lanes(work.dtype, hardware);
    vector_cycles += std::max(
        CeilDiv(work.vector_elems, lanes),
        CeilDiv(work.depthwise_macs, lanes * static_cast<uint64_t>(hardware.depthwise_taps)));
    for (ValueId id : layer.Inputs()) used[static_cast<size_t>(id)] = true;
  }
  uint64_t moved_bytes = 0;
  uint64_t output_bytes = 0;
  for (size_t i = 0; i < network.values.size(); ++i) {
    const Value& value = network.values[i];
    const auto bytes = static_cast<uint64_t>(value.Bytes());
    if ((used[i] && (value.is_constant() || value.input_index >= 0)) || value.output_index >= 0)
      moved_bytes += bytes;
    if (value.output_index >= 0) output_bytes += bytes;
  }
  const auto bandwidth = static_cast<uint64_t>(hardware.dram_bytes_per_cycle);
  const auto set = [&](Engine engine, uint64_t cycles) {
    roofline.engine_cycles[static_cast<size_t>(engine)] = cycles;
  };
  set(Engine::kMatrix, matrix_cycles);
  set(Engine::kVector, vector_cycles);
  set(Engine::kLoad, CeilDiv(moved_bytes, bandwidth));
  set(Engine::kStore, CeilDiv(output_bytes, bandwidth));
  return roofline;
}

}  // namespace acme::compiler
