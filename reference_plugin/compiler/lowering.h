// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From layers to tasks. Each kind of layer has a file of its own under lower/; this is what they
// share.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWERING_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWERING_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/constant_pool.h"
#include "reference_plugin/compiler/network.h"
#include "reference_plugin/compiler/placement.h"
#include "reference_plugin/compiler/task.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// The share of the scratchpad that a step has whatever else is resident.
constexpr int64_t GuaranteedStepBytes(const Hardware& hardware) {
  return hardware.scratchpad_bytes / 2 / 3;
}

// State of lowering one network. Tasks are appended in an order that is right when they run one
// after the other.
class LoweringContext {
 public:
  LoweringContext(const Network& network, const Placement& placement, const Hardware& hardware,
                  ConstantPool& constants)
      : network_(network),
        placement_(placement),
        hardware_(hardware),
        constants_(constants),
        stream_next_(placement.stream_begin),
        loaded_(network.values.size()) {}

  const Network& network() const { return network_; }
  const Hardware& hardware() const { return hardware_; }
  ConstantPool& constants() { return constants_; }
  const Value& value(ValueId id) const { return network_.value(id); }
  const ValuePlace& place(ValueId id) const { return placement_.values[static_cast<size_t>(id)]; }

  // The layer whose tasks follow.
  void BeginLayer(const Layer& layer) { handle_ = layer.handle; }
  void Append(Task task);

  // Bytes that one step may hold: so few that the next step's loads find room while this one
  // computes.
  int64_t StepBytes() const { return (placement_.stream_end - placement_.stream_begin) / 3; }
  // Room for one step, aligned to 64 bytes. It is used again after two further steps of that size
  // at the earliest, and only by tasks that wait for those that use it now.
  int64_t BeginStep(int64_t bytes);

  // Loads a value with a scratchpad home into it unless it is there already: partition inputs
  // before their first use.
  void MakeResident(ValueId id);

  // Copies consecutive bytes.
  void Load(const DramPlace& from, int64_t scratchpad, int64_t bytes);
  void Store(int64_t scratchpad, const DramPlace& to, int64_t bytes);

  std::vector<Task> TakeTasks() { return std::move(tasks_); }

 private:
  const Network& network_;
  const Placement& placement_;
  const Hardware& hardware_;
  ConstantPool& constants_;
  uint32_t handle_ = 0;
  int64_t stream_next_;
  std::vector<bool> loaded_;
  std::vector<Task> tasks_;
};

// All layers.
Expected<std::vector<Task>> LowerNetwork(const Network& network, const Placement& placement,
                                         const Hardware& hardware, ConstantPool& constants);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWERING_H_
