// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which buffers of the store go into a file, under which number, and whether
// inside the FlatBuffer.

#ifndef NPUKIT_SDK_HOST_MODEL_WRITING_BUFFER_PLAN_H_
#define NPUKIT_SDK_HOST_MODEL_WRITING_BUFFER_PLAN_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

struct BufferPlan {
  struct Entry {
    BufferStore::Id id;
    bool outside;
  };
  // By number in the file. In order of the store, so that an unedited model
  // keeps its numbers; the first is empty.
  std::vector<Entry> entries;
  std::unordered_map<BufferStore::Id, uint32_t> numbers;
  // Custom options of this model's ops go outside too.
  bool custom_options_outside = false;
};

// What the tensors and the metadata refer to, and what the file it came from
// held unused. Everything but metadata and dispatch options moves outside if it
// exceeds `max_inside_bytes` together. Error: a tensor of another model's
// store, or more inside bytes than a FlatBuffer can hold.
litert::Expected<BufferPlan> PlanBuffers(const Model& model, size_t max_inside_bytes);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_WRITING_BUFFER_PLAN_H_
