// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/layer_cycles.h"

#include <algorithm>

#include "reference_plugin/compiler/lower/movement/resize.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

// Results of a move by the vector engine: no work that the roofline counts, but cycles.
uint64_t ResampledElems(const Layer& layer, const Network& network) {
  return AsNearest(layer) == nullptr ? 0
                                     : static_cast<uint64_t>(network.value(layer.output).Elems());
}

// Of a further step: a product that each step has some rows of loads its weights again.
double StepCycles(const Layer& layer, const Hardware& hardware) {
  const auto* matmul = layer.As<MatMul>();
  if (matmul == nullptr || !matmul->row_of_each) return kStepCycles;
  return kStepCycles + static_cast<double>(PartCycles(*matmul, hardware));
}

}  // namespace

std::vector<LayerCycles> EstimateLayers(const Network& network, const Hardware& hardware) {
  std::vector<LayerCycles> all;
  for (const Layer& layer : network.layers) {
    const LayerWork work = layer.op->Work(network, layer.output);
    const Dtype result = network.value(layer.output).dtype;
    const auto array = static_cast<double>(hardware.array_rows * hardware.array_cols);
    const auto lanes =
        static_cast<double>(std::min(LanesFor(work.dtype, hardware), LanesFor(result, hardware)));
    const Dtype weight = work.dtype == Dtype::kI16 ? Dtype::kI8 : work.dtype;
    const auto row_cycles = static_cast<double>(CyclesPerRow(work.dtype, weight, hardware));
    const auto elems = static_cast<double>(work.vector_elems + ResampledElems(layer, network));
    all.push_back({static_cast<double>(work.macs) * row_cycles / array,
                   elems / lanes + static_cast<double>(work.depthwise_macs) /
                                       (lanes * static_cast<double>(hardware.depthwise_taps)),
                   StepCycles(layer, hardware)});
  }
  return all;
}

}  // namespace acme::compiler
