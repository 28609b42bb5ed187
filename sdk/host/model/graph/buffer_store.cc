// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/buffer_store.h"

namespace npukit {

SharedBytes SharedBytes::Copy(std::span<const uint8_t> source) {
  return Take(std::vector<uint8_t>(source.begin(), source.end()));
}

SharedBytes SharedBytes::Take(std::vector<uint8_t> source) {
  auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(source));
  return {.bytes = *owner, .owner = owner};
}

void BufferStore::SetOutside(Id id, bool outside) {
  auto place = std::lower_bound(outside_.begin(), outside_.end(), id);
  const bool listed = place != outside_.end() && *place == id;
  if (outside && !listed && id != kEmpty && id < buffers_.size()) {
    outside_.insert(place, id);
  } else if (!outside && listed) {
    outside_.erase(place);
  }
}

}  // namespace npukit
