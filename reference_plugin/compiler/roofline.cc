// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/roofline.h"

namespace acme::compiler {
namespace {

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

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

struct LayerWork {
  uint64_t macs = 0;
  uint64_t vector_elems = 0;
};

LayerWork WorkOf(const Layer& layer, const Network& network) {
  const auto elems = static_cast<uint64_t>(network.value(layer.output).Elems());
  if (const auto* op = std::get_if<MatMul>(&layer.op))
    return {elems * static_cast<uint64_t>(op->k), elems};
  if (const auto* op = std::get_if<RmsNorm>(&layer.op))
    return {0, elems * (op->weight == kNoValue ? 2 : 3)};
  return {0, elems};
}

}  // namespace

Roofline EstimateRoofline(const Network& network, const Hardware& hardware) {
  Roofline roofline;
  roofline.engine_cycles.resize(kEngineCount);
  uint64_t vector_cycles = 0;
  for (const Layer& layer : network.layers) {
    const LayerWork work = WorkOf(layer, network);
    roofline.macs += work.macs;
    vector_cycles += CeilDiv(work.vector_elems, Lanes(network.value(layer.output).dtype, hardware));
  }
  uint64_t moved_bytes = 0;
  uint64_t output_bytes = 0;
  for (const Value& value : network.values) {
    const auto bytes = static_cast<uint64_t>(value.Bytes());
    if (value.is_constant() || value.input_index >= 0 || value.output_index >= 0)
      moved_bytes += bytes;
    if (value.output_index >= 0) output_bytes += bytes;
  }
  const auto bandwidth = static_cast<uint64_t>(hardware.dram_bytes_per_cycle);
  const auto set = [&](Engine engine, uint64_t cycles) {
    roofline.engine_cycles[static_cast<size_t>(engine)] = cycles;
  };
  set(Engine::kMatrix, CeilDiv(roofline.macs, static_cast<uint64_t>(hardware.PeakMacsPerCycle())));
  set(Engine::kVector, vector_cycles);
  set(Engine::kLoad, CeilDiv(moved_bytes, bandwidth));
  set(Engine::kStore, CeilDiv(output_bytes, bandwidth));
  return roofline;
}

}  // namespace acme::compiler
