// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/memory/memory_plan.h"

#include <algorithm>
#include <cstddef>

#include "sdk/host/runtime/memory/arena_planner.h"

namespace npukit {
namespace {

class MemoryPlanner {
 public:
  MemoryPlanner(const ExecutionPlan& plan, const std::vector<ValueRequirements>& requirements,
                bool keep_all, const AsyncSchedule& schedule)
      : plan_(plan),
        requirements_(requirements),
        keep_all_(keep_all),
        schedule_(schedule),
        last_(static_cast<int32_t>(plan.steps.size())) {}

  MemoryPlan Plan() {
    FindLifetimes();
    // Before anything shares: the ideal is measured with memory of its own for each value.
    std::vector<ArenaBlock> apart = ValueBlocks();
    AddScratch(apart);
    if (!keep_all_) ShareInPlace();
    std::vector<ArenaBlock> blocks = ValueBlocks();
    AddScratch(blocks);

    const ArenaLayout layout = PlanArena(blocks);
    MemoryPlan memory;
    memory.arena_bytes = layout.peak_bytes;
    for (ArenaBlock& block : apart) {
      block.size_bytes = (block.size_bytes + block.alignment_bytes - 1) / block.alignment_bytes *
                         block.alignment_bytes;
    }
    memory.ideal_arena_bytes = IdealArenaBytes(apart);
    for (const ArenaBlock& block : blocks) {
      memory.alignment_bytes = std::max(memory.alignment_bytes, block.alignment_bytes);
    }
    for (size_t i = 0; i < plan_.values.size(); ++i) {
      memory.value_offset_bytes.push_back(InArena(i) ? layout.offsets_bytes[owner_[i]]
                                                     : MemoryPlan::kNoOffset);
      memory.value_size_bytes.push_back(SizeOf(i));
    }
    memory.scratch_offset_bytes.assign(
        layout.offsets_bytes.begin() + static_cast<ptrdiff_t>(plan_.values.size()),
        layout.offsets_bytes.end());
    return memory;
  }

 private:
  bool InArena(size_t value) const {
    return plan_.values[value].kind == PlanValue::Kind::kComputed;
  }
  uint64_t SizeOf(size_t value) const {
    return std::max(plan_.values[value].size_bytes, requirements_[value].size_bytes);
  }

  // Steps are numbered from 0; the run ends at step last_.
  void FindLifetimes() {
    const size_t count = plan_.values.size();
    first_.assign(count, last_);
    final_.assign(count, -1);
    owner_.resize(count);
    for (size_t i = 0; i < count; ++i) owner_[i] = i;
    auto extend = [&](int value, int32_t step) {
      if (value == kNoValue) return;
      const auto i = static_cast<size_t>(value);
      first_[i] = std::min(first_[i], step);
      final_[i] = std::max(final_[i], step);
    };
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      const size_t end = schedule_.IsAsync(s) ? schedule_.join_before[s] - 1 : s;
      for (const auto* values : {&plan_.steps[s].inputs, &plan_.steps[s].outputs}) {
        for (int value : *values) {
          extend(value, static_cast<int32_t>(s));
          extend(value, static_cast<int32_t>(end));
        }
      }
    }
    for (int value : plan_.outputs) extend(value, last_);
    for (int value : plan_.inputs) {
      extend(value, 0);
      extend(value, last_);
    }
    if (!keep_all_) return;
    std::fill(first_.begin(), first_.end(), 0);
    std::fill(final_.begin(), final_.end(), last_);
  }

  // One block per value, empty for those that lie elsewhere or in another value's memory.
  std::vector<ArenaBlock> ValueBlocks() const {
    std::vector<ArenaBlock> blocks(plan_.values.size());
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (!InArena(i) || final_[i] < first_[i]) continue;
      ArenaBlock& block = blocks[owner_[i]];
      const bool is_new = block.size_bytes == 0;
      block.size_bytes = std::max(block.size_bytes, SizeOf(i));
      block.alignment_bytes =
          std::max<uint64_t>(block.alignment_bytes, requirements_[i].alignment_bytes);
      block.first_step = is_new ? first_[i] : std::min(block.first_step, first_[i]);
      block.last_step = is_new ? final_[i] : std::max(block.last_step, final_[i]);
    }
    return blocks;
  }

  void AddScratch(std::vector<ArenaBlock>& blocks) const {
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      const kernels::Kernel* kernel = plan_.steps[s].kernel.get();
      const auto step = static_cast<int32_t>(s);
      blocks.push_back({.size_bytes = kernel == nullptr ? 0 : kernel->scratch_bytes(),
                        .first_step = step,
                        .last_step = step});
    }
  }

  void ShareInPlace() {
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      const PlanStep& step = plan_.steps[s];
      if (step.kernel == nullptr || step.outputs.empty()) continue;
      const int from = step.kernel->in_place_input();
      if (from < 0 || static_cast<size_t>(from) >= step.inputs.size()) continue;
      const int input = step.inputs[static_cast<size_t>(from)];
      if (input != kNoValue && MayTakeOver(static_cast<int32_t>(s), step, input)) {
        // Steps come in order, so the input's own owner is known: chains of ops end in one block.
        owner_[static_cast<size_t>(step.outputs[0])] = owner_[static_cast<size_t>(input)];
      }
    }
  }

  bool MayTakeOver(int32_t s, const PlanStep& step, int input) const {
    const auto in = static_cast<size_t>(input);
    const auto out = static_cast<size_t>(step.outputs[0]);
    // In place only where the input dies in this step, and is one of its operands once: a kernel
    // that has it as another operand, too, would read what it has written.
    if (!InArena(in) || !InArena(out) || SizeOf(in) != SizeOf(out) || final_[in] != s) return false;
    if (requirements_[in].is_shared_with_device || requirements_[out].is_shared_with_device)
      return false;
    return std::count(step.inputs.begin(), step.inputs.end(), input) == 1;
  }

  const ExecutionPlan& plan_;
  const std::vector<ValueRequirements>& requirements_;
  const bool keep_all_;
  const AsyncSchedule& schedule_;
  const int32_t last_;
  std::vector<int32_t> first_;  // per value
  std::vector<int32_t> final_;
  std::vector<size_t> owner_;  // whose memory the value lies in
};

}  // namespace

MemoryPlan PlanMemory(const ExecutionPlan& plan, const std::vector<ValueRequirements>& requirements,
                      bool keep_all, const AsyncSchedule& schedule) {
  return MemoryPlanner(plan, requirements, keep_all, schedule).Plan();
}

}  // namespace npukit
