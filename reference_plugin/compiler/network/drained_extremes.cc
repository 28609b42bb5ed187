// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/network/drained_extremes.h"

#include <optional>

namespace acme::compiler {
namespace {

// Those that are asked of one value.
struct Asked {
  std::optional<size_t> max;
  std::optional<size_t> min;
  std::optional<size_t> magnitude;
};

class Finder {
 public:
  explicit Finder(const Network& network) : network_(network) {}

  std::map<ValueId, DrainedExtremes> Find() {
    for (size_t i = 0; i < network_.layers.size(); ++i) Ask(i);
    std::map<ValueId, DrainedExtremes> found;
    if (asked_.empty()) return found;  // most networks
    FindMakers();
    for (const auto& [root, asked] : asked_) {
      const auto makers = makers_.find(root);
      if (makers != makers_.end() && makers->second.all_find)
        found[root] = Answer(makers->second.first, asked);
    }
    return found;
  }

 private:
  struct Makers {
    size_t first = 0;
    bool all_find = true;
  };

  void FindMakers() {
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      const Layer& layer = network_.layers[i];
      const ValueId root = network_.RootOf(layer.output).value;
      Makers& makers = makers_.try_emplace(root, Makers{i}).first->second;
      makers.all_find = makers.all_find && layer.op->FindsExtremes(network_.value(root));
    }
  }

  // Whether it is all of what it stands in, and the partition's own.
  bool IsAll(ValueId x) const {
    const Network::Storage storage = network_.RootOf(x);
    const Value& root = network_.value(storage.value);
    return storage.offset_bytes == 0 && root.Bytes() == network_.value(x).Bytes() &&
           root.input_index < 0;
  }

  void Ask(size_t i) {
    const Layer& layer = network_.layers[i];
    const std::optional<RowReduction> reduction = layer.op->AsRowReduction();
    if (!reduction || layer.strips >= 0 || network_.value(layer.output).base != kNoValue ||
        network_.value(layer.output).output_index >= 0 || !IsAll(reduction->x) ||
        reduction->row_elems != network_.value(reduction->x).Elems())
      return;
    const ValueId root = network_.RootOf(reduction->x).value;
    std::optional<size_t>* const place = reduction->op == ReduceOp::kMax   ? &asked_[root].max
                                         : reduction->op == ReduceOp::kMin ? &asked_[root].min
                                         : reduction->op == ReduceOp::kMaxMagnitude
                                             ? &asked_[root].magnitude
                                             : nullptr;
    if (place != nullptr && !*place) *place = i;
  }

  // One reduction is found on the way, or the largest and the least.
  DrainedExtremes Answer(size_t first_maker, const Asked& asked) const {
    DrainedExtremes extremes{.first_maker = first_maker};
    const auto result = [&](size_t reducer) {
      extremes.reducers.push_back(reducer);
      return network_.layers[reducer].output;
    };
    if (asked.max) {
      extremes.result = result(*asked.max);
      if (asked.min) extremes.lows = result(*asked.min);
    } else if (asked.min) {
      extremes.op = ReduceOp::kMin;
      extremes.result = result(*asked.min);
    } else {
      extremes.op = ReduceOp::kMaxMagnitude;
      extremes.result = result(*asked.magnitude);
    }
    return extremes;
  }

  const Network& network_;
  std::map<ValueId, Makers> makers_;
  std::map<ValueId, Asked> asked_;
};

}  // namespace

std::map<ValueId, DrainedExtremes> FindDrainedExtremes(const Network& network) {
  return Finder(network).Find();
}

}  // namespace acme::compiler
