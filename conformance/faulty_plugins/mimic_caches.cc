// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/mimic_caches.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "conformance/faulty_plugins/fault.h"

namespace npukit::conformance::mimic {
namespace {

// What was written last to each cache, by whomever.
class LastCaches {
 public:
  static LastCaches& Get() {
    static auto* const caches = new LastCaches;
    return *caches;
  }
  std::vector<uint8_t> Of(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return last_[name];
  }
  void Note(const std::string& name, const std::vector<uint8_t>& values) {
    const std::lock_guard<std::mutex> lock(mutex_);
    last_[name] = values;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<uint8_t>> last_;
};

std::optional<size_t> PortOf(std::span<const PortInfo> ports, const Tensor* tensor) {
  for (size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].tensor == tensor) return i;
  }
  return std::nullopt;
}

std::vector<int32_t> Integers(const std::vector<uint8_t>& bytes) {
  std::vector<int32_t> integers(bytes.size() / sizeof(int32_t));
  std::memcpy(integers.data(), bytes.data(), integers.size() * sizeof(int32_t));
  return integers;
}

// The dimension along which an update is shorter than what it is written to; none: it is as large.
std::optional<size_t> MovingDimension(const Op& op) {
  const std::vector<int32_t>& shape = op.inputs[0]->shape;
  const std::vector<int32_t>& update = op.inputs[1]->shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (update[d] < shape[d]) return d;
  }
  return std::nullopt;
}

// Calls visit(byte offset) for each element whose index along `d` lies in [first, last).
template <typename Visit>
void ForEachIn(const std::vector<int32_t>& shape, size_t d, int32_t first, int32_t last,
               size_t elem_bytes, Visit&& visit) {
  size_t inner = 1;
  for (size_t i = d + 1; i < shape.size(); ++i) inner *= static_cast<size_t>(shape[i]);
  size_t outer = 1;
  for (size_t i = 0; i < d; ++i) outer *= static_cast<size_t>(shape[i]);
  for (size_t o = 0; o < outer; ++o) {
    for (int32_t at = first; at < last; ++at) {
      const size_t begin = (o * static_cast<size_t>(shape[d]) + static_cast<size_t>(at)) * inner;
      for (size_t i = 0; i < inner; ++i) visit((begin + i) * elem_bytes);
    }
  }
}

}  // namespace

CacheFaults::CacheFaults(const SignatureRunner& runner) {
  for (const StepInfo& step : runner.steps()) {
    const Op& op = *step.source;
    if (op.code == kLiteRtOpCodeTflGather) {
      const auto indices = PortOf(runner.inputs(), op.inputs[1]);
      if (indices) gathers_.emplace_back(*indices, op.inputs[0]->shape.front());
    }
    if (op.code != kLiteRtOpCodeTflDynamicUpdateSlice) continue;
    const auto operand = PortOf(runner.inputs(), op.inputs[0]);
    const auto begin = PortOf(runner.inputs(), op.inputs[2]);
    const auto output = PortOf(runner.outputs(), op.outputs[0]);
    if (!operand || !begin || !output) continue;
    Write& write = writes_.emplace_back();
    write.op = &op;
    write.operand = *operand;
    write.begin = *begin;
    write.output = *output;
  }
}

void CacheFaults::PlantInPlaces(Write& write, std::vector<uint8_t>& bytes) const {
  std::vector<int32_t> begins = Integers(bytes);
  if (Has(Fault::cache_keeps_place) && write.kept) begins = *write.kept;
  if (Has(Fault::cache_never_goes_back) && write.kept) {
    for (size_t d = 0; d < begins.size(); ++d) begins[d] = std::max(begins[d], (*write.kept)[d]);
  }
  if (!write.kept || Has(Fault::cache_never_goes_back)) write.kept = begins;
  if (const auto d = MovingDimension(*write.op)) {
    constexpr int32_t kPlace = 32;
    const int32_t rows = write.op->inputs[1]->shape[*d];
    const int32_t most = write.op->inputs[0]->shape[*d] - rows;
    if (Has(Fault::cache_ends_early)) begins[*d] = std::min(begins[*d], most - 1);
    if (Has(Fault::cache_starts_over) && rows == 1 && begins[*d] == kPlace) begins[*d] = 0;
  }
  write.begins = begins;
  std::memcpy(bytes.data(), begins.data(), bytes.size());
}

void CacheFaults::BeforeRun(const std::vector<uint8_t*>& inputs,
                            const std::vector<uint8_t*>& outputs,
                            std::vector<std::vector<uint8_t>>& values) {
  for (const auto& [port, rows] : gathers_) {
    std::vector<int32_t> indices = Integers(values[port]);
    for (int32_t& index : indices) {
      if (Has(Fault::gather_takes_last_row)) index = std::clamp(index, 0, rows - 1);
      if (Has(Fault::negative_index_wraps) && index < 0 && index >= -rows) index += rows;
    }
    std::memcpy(values[port].data(), indices.data(), indices.size() * sizeof(int32_t));
  }
  std::vector<size_t> planted;  // one port may be the place of several
  for (Write& write : writes_) {
    std::vector<uint8_t>& operand = values[write.operand];
    std::vector<uint8_t>& begin = values[write.begin];
    if (std::find(planted.begin(), planted.end(), write.begin) == planted.end()) {
      PlantInPlaces(write, begin);
      planted.push_back(write.begin);
    } else {
      write.begins = Integers(begin);
    }
    const bool is_empty =
        Has(Fault::cache_in_place_is_empty) ||
        (Has(Fault::in_place_though_read) && write.op->inputs[0]->users.size() > 1);
    if (is_empty && inputs[write.operand] == outputs[write.output])
      std::fill(operand.begin(), operand.end(), uint8_t{0});
    if (Has(Fault::caches_are_one)) {
      // Writing a cache of that name and size goes on from its last contents.
      const std::vector<uint8_t> last = LastCaches::Get().Of(write.op->outputs[0]->name);
      const bool is_first =
          std::all_of(write.begins.begin(), write.begins.end(), [](int32_t at) { return at <= 0; });
      if (last.size() == operand.size() && !is_first) operand = last;
    }
    write.before = operand;
  }
}

void CacheFaults::AfterRun(size_t output, std::vector<uint8_t>& values) {
  for (const Write& write : writes_) {
    if (write.output != output || write.before.size() != values.size()) continue;
    const std::vector<int32_t>& shape = write.op->inputs[0]->shape;
    const auto d = MovingDimension(*write.op);
    if (!d || values.empty()) continue;
    const size_t elems = [&] {
      size_t count = 1;
      for (const int32_t dim : shape) count *= static_cast<size_t>(dim);
      return count;
    }();
    const size_t elem_bytes = values.size() / elems;
    const int32_t rows = write.op->inputs[1]->shape[*d];
    // Where DYNAMIC_UPDATE_SLICE writes: it moves an update that would reach out back within the
    // operand.
    const int32_t first = std::clamp(write.begins[*d], 0, shape[*d] - rows);
    if (Has(Fault::cache_chunk_cut) && rows > 1) {
      ForEachIn(shape, *d, first + rows - 1, first + rows, elem_bytes, [&](size_t at) {
        std::memcpy(values.data() + at, write.before.data() + at, elem_bytes);
      });
    }
    if (Has(Fault::cache_forgets_unused)) {
      ForEachIn(shape, *d, first + rows, shape[*d], elem_bytes,
                [&](size_t at) { std::memset(values.data() + at, 0, elem_bytes); });
    }
    if (Has(Fault::caches_are_one)) LastCaches::Get().Note(write.op->outputs[0]->name, values);
  }
}

}  // namespace npukit::conformance::mimic
