// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/rewrite/replaced_ops.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>

namespace npukit {
namespace {

using Ops = std::span<const Op* const>;
using Tensors = std::set<const Tensor*>;

class ReplacedFinder {
 public:
  ReplacedFinder(Ops built, Ops erased) : built_(built), erased_(erased.begin(), erased.end()) {
    for (const Op* op : built) rewritten_.insert(op->outputs.begin(), op->outputs.end());
  }

  // Tensors of erased ops that the op computes or contributes to.
  Tensors Anchors(const Op& start) const {
    Tensors anchors;
    std::set<const Op*> seen;
    std::vector<const Op*> open = {&start};
    while (!open.empty()) {
      const Op* op = open.back();
      open.pop_back();
      if (!seen.insert(op).second) continue;
      bool is_anchored = false;
      for (const Tensor* output : op->outputs) {
        if (!IsErased(output->defining_op)) continue;
        anchors.insert(output);
        is_anchored = true;
      }
      if (is_anchored) continue;
      std::copy_if(built_.begin(), built_.end(), std::back_inserter(open),
                   [&](const Op* reader) { return Reads(*reader, *op); });
    }
    return anchors;
  }

  std::unordered_set<const Op*> Behind(const Tensors& anchors) const {
    std::unordered_set<const Op*> found;
    std::vector<const Op*> open;
    for (const Tensor* anchor : anchors) open.push_back(anchor->defining_op);
    while (!open.empty()) {
      const Op* op = open.back();
      open.pop_back();
      if (!found.insert(op).second) continue;
      for (const Tensor* input : op->inputs) {
        if (input != nullptr && IsErased(input->defining_op) && !rewritten_.contains(input))
          open.push_back(input->defining_op);
      }
    }
    return found;
  }

 private:
  bool IsErased(const Op* op) const { return op != nullptr && erased_.contains(op); }
  static bool Reads(const Op& reader, const Op& op) {
    return std::any_of(op.outputs.begin(), op.outputs.end(), [&](const Tensor* output) {
      return std::find(reader.inputs.begin(), reader.inputs.end(), output) != reader.inputs.end();
    });
  }

  Ops built_;
  std::unordered_set<const Op*> erased_;
  std::unordered_set<const Tensor*> rewritten_;
};

}  // namespace

std::vector<std::vector<const Op*>> ReplacedOps(Ops built, Ops erased) {
  const ReplacedFinder finder(built, erased);
  std::vector<std::vector<const Op*>> replaced;
  for (const Op* op : built) {
    const auto behind = finder.Behind(finder.Anchors(*op));
    auto& ops = replaced.emplace_back();
    std::copy_if(erased.begin(), erased.end(), std::back_inserter(ops),
                 [&](const Op* one) { return behind.empty() || behind.contains(one); });
  }
  return replaced;
}

}  // namespace npukit
