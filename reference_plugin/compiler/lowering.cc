// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lowering.h"

#include <algorithm>
#include <utility>

namespace acme::compiler {
namespace {

constexpr int64_t kAlignBytes = 64;
constexpr int64_t kMaxCopyBytes = (1 << 24) - kAlignBytes;  // what the instruction's field holds

}  // namespace

void LoweringContext::Append(Task task) {
  task.handle = handle_;
  tasks_.push_back(std::move(task));
}

int64_t LoweringContext::BeginStep(int64_t bytes) {
  const int64_t size = (bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes;
  if (stream_next_ + size > placement_.stream_end) stream_next_ = placement_.stream_begin;
  return std::exchange(stream_next_, stream_next_ + size);
}

void LoweringContext::MakeResident(ValueId id) {
  const ValuePlace& where = place(id);
  if (value(id).input_index < 0 || !where.scratchpad_offset || loaded_[static_cast<size_t>(id)])
    return;
  loaded_[static_cast<size_t>(id)] = true;
  Load(*where.dram, *where.scratchpad_offset, value(id).Bytes());
}

void LoweringContext::Load(const DramPlace& from, int64_t scratchpad, int64_t bytes) {
  for (int64_t done = 0; done < bytes; done += kMaxCopyBytes) {
    const int64_t part = std::min(bytes - done, kMaxCopyBytes);
    Task task;
    task.work = isa::LdCopy{.binding = from.binding,
                            .dram = static_cast<uint32_t>(from.offset_bytes + done),
                            .spm = static_cast<uint32_t>(scratchpad + done),
                            .bytes = static_cast<uint32_t>(part)};
    task.reads = {DramRegion(from.binding, from.offset_bytes + done, part)};
    task.writes = {ScratchpadRegion(scratchpad + done, part)};
    Append(std::move(task));
  }
}

void LoweringContext::Store(int64_t scratchpad, const DramPlace& to, int64_t bytes) {
  for (int64_t done = 0; done < bytes; done += kMaxCopyBytes) {
    const int64_t part = std::min(bytes - done, kMaxCopyBytes);
    Task task;
    task.work = isa::StCopy{.binding = to.binding,
                            .dram = static_cast<uint32_t>(to.offset_bytes + done),
                            .spm = static_cast<uint32_t>(scratchpad + done),
                            .bytes = static_cast<uint32_t>(part)};
    task.reads = {ScratchpadRegion(scratchpad + done, part)};
    task.writes = {DramRegion(to.binding, to.offset_bytes + done, part)};
    Append(std::move(task));
  }
}

Expected<std::vector<Task>> LowerNetwork(const Network& network, const Placement& placement,
                                         const Hardware& hardware, ConstantPool& constants) {
  LoweringContext context(network, placement, hardware, constants);
  for (const Layer& layer : network.layers) {
    context.BeginLayer(layer);
    ACME_RETURN_IF_ERROR(layer.op->Lower(layer.output, context));
  }
  return context.TakeTasks();
}

}  // namespace acme::compiler
