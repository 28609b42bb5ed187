// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/region_rows.h"

#include <algorithm>

namespace acme::compiler {
namespace {

constexpr int64_t kLargeValuePercent = 25;  // of the scratchpad

}  // namespace

int64_t LargeValueBytes(const Hardware& hardware) {
  return hardware.scratchpad_bytes * kLargeValuePercent / 100;
}

bool CanBeInRegion(const Layer& layer, const Network& network) {
  const Value& result = network.value(layer.output);
  const RowWise* rows = layer.op->AsRowWise();
  if (rows == nullptr || result.shape.size() != 4 || result.shape[0] != 1 ||
      result.shape[kRowDimension] < 2)
    return false;
  const std::vector<ValueId> images = rows->Images();
  const std::optional<RowWise::Walked> walked = rows->WalkedRows();
  const std::vector<int32_t>& image =
      network.value(images.empty() ? layer.output : images[0]).shape;
  if (walked && (walked->rows != result.shape[kRowDimension] || image.size() != 4 ||
                 walked->in_rows != image[kRowDimension]))
    return false;
  return std::all_of(images.begin(), images.end(), [&](ValueId id) {
    const Value& image = network.value(id);
    return image.shape.size() == 4 && image.shape[0] == 1;
  });
}

bool ReadsByPart(const Layer& layer, size_t first, const std::vector<ValueId>& parts,
                 const ValueUses& uses, const Network& network) {
  for (ValueId id : layer.Inputs()) {
    const int32_t writer = uses.writer[static_cast<size_t>(network.RootOf(id).value)];
    if (writer < static_cast<int32_t>(first)) continue;
    if (network.layers[static_cast<size_t>(writer)].output != id ||
        std::find(parts.begin(), parts.end(), id) == parts.end())
      return false;
  }
  return true;
}

bool CanJoin(size_t layer, size_t first, const ValueUses& uses, const Network& network) {
  const Layer& joining = network.layers[layer];
  return CanBeInRegion(joining, network) &&
         ReadsByPart(joining, first, joining.op->AsRowWise()->Images(), uses, network);
}

RegionRows::RegionRows(const Network& network, const ValueUses& uses, size_t first, size_t last,
                       int64_t large_bytes)
    : network_(network), first_(first) {
  const size_t count = last - first + 1;
  made_.resize(count);
  inner_.resize(count);
  has_reader_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const ValueId id = network.layers[first + i].output;
    const Value& value = network.value(id);
    rows_.push_back(value.shape[kRowDimension]);
    bool inner = uses.AreLayersAlone(network, id);
    for (int32_t reader : uses.readers[static_cast<size_t>(id)]) {
      const auto at = static_cast<size_t>(reader);
      inner = inner && at >= first && at <= last;
      if (!inner) break;
      const std::vector<ValueId> images = network.layers[at].op->AsRowWise()->Images();
      inner = std::find(images.begin(), images.end(), id) != images.end();
    }
    inner_[i] = inner;
    for (ValueId image : op(i).Images()) {
      const int32_t writer = uses.writer[static_cast<size_t>(network.RootOf(image).value)];
      if (writer < static_cast<int32_t>(first)) continue;
      const size_t from = static_cast<size_t>(writer) - first;
      made_[i].push_back({image, from});
      has_reader_[from] = true;
    }
  }
  beside_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const Value& value = network.value(network.layers[first + i].output);
    beside_[i] = !inner_[i] && has_reader_[i] && value.Bytes() > large_bytes;
  }
  last_read_by_.resize(count);
  std::vector<bool> seen(count);
  for (size_t i = count; i-- > 0;) {
    for (const Made& made : made_[i]) {
      if (seen[made.by]) continue;
      seen[made.by] = true;
      last_read_by_[i].push_back(made.by);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (!has_reader_[i]) most_steps_ = std::max(most_steps_, rows_[i]);
  }
  all_ = Done(1, 1);
}

std::vector<int32_t> RegionRows::Done(int32_t step, int32_t steps) const {
  std::vector<int32_t> done(size());
  // Layers that nobody in the region reads share the steps evenly; what the others have to do
  // follows from their readers, so from the last to the first.
  for (size_t i = size(); i-- > 0;) {
    if (!has_reader_[i])
      done[i] = static_cast<int32_t>((int64_t{rows_[i]} * step + steps - 1) / steps);
    // Windows may leave out the last rows, which readers outside want all the same.
    if (!inner_[i] && step == steps) done[i] = rows_[i];
    if (done[i] == 0) continue;
    for (const Made& made : made_[i])
      done[made.by] = std::max(done[made.by], op(i).RowsRead(made.image, {0, done[i]}).end);
  }
  return done;
}

std::vector<int32_t> RegionRows::FirstNeeded(const std::vector<int32_t>& done) const {
  std::vector<int32_t> first = done;
  for (size_t i = 0; i < size(); ++i) {
    if (done[i] >= all_[i]) continue;
    for (const Made& made : made_[i]) {
      const int32_t begin = op(i).RowsRead(made.image, {done[i], all_[i]}).begin;
      first[made.by] = std::min(first[made.by], begin);
    }
  }
  return first;
}

}  // namespace acme::compiler
