// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/writing/buffer_plan.h"

#include <fmt/format.h>

#include <set>

#include "sdk/host/model/graph/tensor_text.h"

namespace npukit {
namespace {

// A FlatBuffer's offsets reach 2 GiB; tables, names and the rest get what this
// leaves.
constexpr uint64_t kMaxPayloadBytes = (uint64_t{2} << 30) - (uint64_t{128} << 20);

bool IsStored(const Model& model, BufferStore::Id id) { return id < model.buffers().size(); }

// Every id that goes into the file, ascending.
litert::Expected<std::set<BufferStore::Id>> UsedBuffers(const Model& model) {
  std::set<BufferStore::Id> used = {BufferStore::kEmpty};
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& tensor : subgraph->tensors()) {
      const Weights& weights = tensor->weights;
      if (weights.buffer_id == BufferStore::kEmpty) continue;
      if (weights.store != &model.buffers() || !IsStored(model, weights.buffer_id)) {
        return litert::Unexpected(
            kLiteRtStatusErrorSerialization,
            fmt::format("{}: expected a buffer of the model's store, found id {} of another",
                        TensorText(*tensor), weights.buffer_id));
      }
      used.insert(weights.buffer_id);
    }
  }
  for (const Model::Metadata& entry : model.metadata) {
    if (IsStored(model, entry.buffer)) used.insert(entry.buffer);
  }
  for (BufferStore::Id id : model.spare_buffers) {
    if (IsStored(model, id)) used.insert(id);
  }
  return used;
}

uint64_t CustomOptionsBytes(const Model& model) {
  uint64_t bytes = 0;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops())
      bytes += op->is_dispatch() ? 0 : op->custom_options.size();
  }
  return bytes;
}

}  // namespace

litert::Expected<BufferPlan> PlanBuffers(const Model& model, size_t max_inside_bytes) {
  auto used = UsedBuffers(model);
  if (!used) return used.Error();
  std::set<BufferStore::Id> metadata;
  for (const Model::Metadata& entry : model.metadata) metadata.insert(entry.buffer);

  const uint64_t options_bytes = CustomOptionsBytes(model);
  uint64_t payload_bytes = options_bytes;
  for (BufferStore::Id id : *used) {
    if (!model.buffers().IsOutside(id)) payload_bytes += model.buffers().Get(id).bytes.size();
  }
  const bool move_all = payload_bytes > max_inside_bytes;

  BufferPlan plan{.custom_options_outside = move_all};
  uint64_t inside_bytes = move_all ? 0 : options_bytes;
  for (BufferStore::Id id : *used) {
    const uint64_t size_bytes = model.buffers().Get(id).bytes.size();
    const bool moves = move_all && size_bytes != 0 && !metadata.contains(id);
    const bool outside = moves || model.buffers().IsOutside(id);
    inside_bytes += outside ? 0 : size_bytes;
    plan.numbers[id] = static_cast<uint32_t>(plan.entries.size());
    plan.entries.push_back({.id = id, .outside = outside});
  }
  if (inside_bytes > kMaxPayloadBytes) {
    return litert::Unexpected(
        kLiteRtStatusErrorSerialization,
        fmt::format("expected at most {} bytes inside the FlatBuffer, found {}", kMaxPayloadBytes,
                    inside_bytes));
  }
  return plan;
}

}  // namespace npukit
