// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/dimension_order.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/tasks/task_cost.h"

namespace acme::compiler {
namespace {

// What v.view's innermost stride holds.
constexpr int32_t kMaxInnerStrideBytes = (1 << 21) - 1;

bool IsElementwise(const AnyInstr& work) {
  return std::holds_alternative<isa::VBinary>(work) || std::holds_alternative<isa::VChain>(work) ||
         std::holds_alternative<isa::VUnary>(work) || std::holds_alternative<isa::VConvert>(work) ||
         std::holds_alternative<isa::VLut>(work) || std::holds_alternative<isa::VReduce>(work);
}

bool HasEpilogue(const AnyInstr& work) {
  return std::visit(
      [](const auto& op) {
        if constexpr (requires { op.epilogue; }) return op.epilogue;
        return false;
      },
      work);
}

isa::VShape* ShapeOf(Task& task) {
  for (AnyInstr& config : task.config) {
    if (auto* shape = std::get_if<isa::VShape>(&config)) return shape;
  }
  return nullptr;
}

// The task with dimension `d` first; false if its stride is too wide for the first.
bool PutFirst(size_t d, Task& task) {
  const auto rotate = [d](auto& a, auto& b, auto& c, auto& e) {
    std::array values = {a, b, c, e};
    const auto first = values[d];
    for (size_t i = d; i > 0; --i) values[i] = values[i - 1];
    values[0] = first;
    a = values[0];
    b = values[1];
    c = values[2];
    e = values[3];
  };
  for (AnyInstr& config : task.config) {
    if (auto* shape = std::get_if<isa::VShape>(&config))
      rotate(shape->n0, shape->n1, shape->n2, shape->n3);
    if (auto* view = std::get_if<isa::VView>(&config)) {
      rotate(view->s0, view->s1, view->s2, view->s3);
      if (std::abs(view->s0) > kMaxInnerStrideBytes) return false;
    }
  }
  auto* reduce = std::get_if<isa::VReduce>(&task.work);
  if (reduce == nullptr) return true;
  const uint32_t low = (1u << d) - 1;
  const uint32_t bit = reduce->dims >> d & 1;
  // Those that it overtakes may not be reduced if it is.
  if (bit != 0 && (reduce->dims & low) != 0) return false;
  reduce->dims = (reduce->dims & ~(low | 1u << d)) | (reduce->dims & low) << 1 | bit;
  return true;
}

}  // namespace

void OrderDimensions(Task& task, const Hardware& hardware) {
  // An epilogue's results stand in the order of the dimensions.
  if (!IsElementwise(task.work) || HasEpilogue(task.work)) return;
  const isa::VShape* shape = ShapeOf(task);
  if (shape == nullptr) return;
  const std::array<uint32_t, kVectorRank> extents = {shape->n0, shape->n1, shape->n2, shape->n3};
  // One row, or rows of several groups of lanes, of which the last alone is not full.
  if (extents[1] * uint64_t{extents[2]} * extents[3] == 1 ||
      extents[0] >= 4 * static_cast<uint64_t>(hardware.vector_lanes))
    return;
  const auto cycles = [&](const Task& candidate) {
    EngineState state;
    return EstimateTask(candidate, state, hardware).busy_cycles;
  };
  int64_t fewest = cycles(task);
  Task best = task;
  for (size_t d = 1; d < kVectorRank; ++d) {
    if (extents[d] == 1) continue;
    Task candidate = task;
    if (!PutFirst(d, candidate)) continue;
    const int64_t taken = cycles(candidate);
    if (taken >= fewest) continue;
    fewest = taken;
    best = std::move(candidate);
  }
  task = std::move(best);
}

}  // namespace acme::compiler
