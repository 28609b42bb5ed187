// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Larger values first, the earlier of equals first.
template <typename T>
struct Before {
  const T* row;
  bool operator()(int32_t a, int32_t b) const {
    return row[b] < row[a] || (!(row[b] > row[a]) && a < b);
  }
};

// All of a row, in order. std::sort would read beyond it where NaN keeps the order from being one; up
// to 16 elements it inserts, as is done here.
template <typename T>
void SortAll(const Before<T>& before, int32_t count, int32_t* order) {
  std::iota(order, order + count, 0);
  if (count > 16) return std::partial_sort(order, order + count, order + count, before);
  for (int32_t index = 1; index < count; ++index) {
    int32_t at = before(index, order[0]) ? 0 : index;
    while (at > 0 && before(index, order[at - 1])) --at;
    std::move_backward(order + at, order + index, order + index + 1);
    order[at] = index;
  }
}

// The first k of a row's indices go to the front of `kept`, which has room for one more. A NaN is
// neither before nor after a number, so that the steps decide where it comes: they are TFLite's, a heap
// of the best so far.
template <typename T>
void KeepFirst(const T* row, int64_t cols, int64_t k, int32_t* kept) {
  const Before<T> before{row};
  if (k >= cols) return SortAll(before, static_cast<int32_t>(cols), kept);
  std::iota(kept, kept + k + 1, 0);
  std::make_heap(kept, kept + k + 1, before);
  std::pop_heap(kept, kept + k + 1, before);
  for (auto index = static_cast<int32_t>(k + 1); index < cols; ++index) {
    if (!before(index, kept[0])) continue;
    std::pop_heap(kept, kept + k, before);
    kept[k - 1] = index;
    std::push_heap(kept, kept + k, before);
  }
  std::sort_heap(kept, kept + k, before);
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.empty()) return InvalidNode(node, &in, "must have at least one dimension");
  if (node.inputs[1]->elems() != 1)
    return InvalidNode(node, node.inputs[1], "must have one element");
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> k, IntegerValues(node, *node.inputs[1]));
  if (k[0] > in.shape.back()) {
    return InvalidNode(node, node.inputs[1],
                       fmt::format("asks for {} of {} elements", k[0], in.shape.back()));
  }
  if (node.outputs[1]->type() == kLiteRtElementTypeInt16 &&
      in.shape.back() > std::numeric_limits<int16_t>::max()) {
    return InvalidNode(node, &in, "has rows that are longer than int16 indices reach");
  }
  Shape shape = in.shape;
  shape.back() = static_cast<int32_t>(std::max<int64_t>(k[0], 0));
  return Inferred{.shapes = {shape, shape}};
}

template <typename T, typename Index>
class TopKKernel final : public Kernel {
 public:
  TopKKernel(int64_t rows, int64_t cols, int64_t k) : rows_(rows), cols_(cols), k_(k) {
    if (rows > 0) scratch_bytes_ = static_cast<size_t>(k + 1) * sizeof(int32_t);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* values = DataOf<T>(context.outputs[0]);
    Index* indices = DataOf<Index>(context.outputs[1]);
    int32_t* order = DataOf<int32_t>(context.scratch);
    for (int64_t row = 0; row < rows_ && k_ > 0; ++row, in += cols_) {
      KeepFirst(in, cols_, k_, order);
      for (int64_t i = 0; i < k_; ++i) {
        *indices++ = static_cast<Index>(order[i]);
        *values++ = in[order[i]];
      }
    }
    return {};
  }

 private:
  int64_t rows_;
  int64_t cols_;
  int64_t k_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const Shape& shape = node.inputs[0]->shape;
  const int64_t rows = ElemsOf(shape, 0, shape.size() - 1);
  const int64_t k = node.outputs[0]->shape.back();
  return WithElementType<int8_t, uint8_t, int16_t, int32_t, int64_t, float>(
      node.inputs[0]->type(), [&]<typename T>(T /*type*/) {
        return WithElementType<int16_t, int32_t>(
            node.outputs[1]->type(), [&]<typename Index>(Index /*type*/) {
              return litert::Expected<std::unique_ptr<Kernel>>(
                  std::make_unique<TopKKernel<T, Index>>(rows, shape.back(), k));
            });
      });
}

// The i-th largest of values that are each off by at most b is off by at most b. An index may be
// that of any element whose interval reaches the i-th's.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  const OracleTensor& in = *inputs[0];
  if (!in.is_float()) return OracleByKernel(node, inputs, outputs);
  const Shape& shape = node.inputs[0]->shape;
  const int64_t cols = shape.back();
  const int64_t k = node.outputs[0]->shape.back();
  outputs[1].bounds.assign(static_cast<size_t>(outputs[1].elems()), 0.0);
  std::vector<int32_t> order(in.elems() == 0 ? 0 : static_cast<size_t>(k) + 1);
  for (int64_t row = 0; row < ElemsOf(shape, 0, shape.size() - 1); ++row) {
    const double* values = in.values.data() + row * cols;
    const double* bounds = in.bounds.data() + row * cols;
    if (k > 0) KeepFirst(values, cols, k, order.data());
    const double widest = cols == 0 ? 0 : *std::max_element(bounds, bounds + cols);
    for (int64_t i = 0; i < k; ++i) {
      const int64_t at = row * k + i;
      WithElementType<int16_t, int32_t>(outputs[1].type, [&]<typename Index>(Index /*type*/) {
        DataOf<Index>(std::span<uint8_t>(outputs[1].bytes))[at] = static_cast<Index>(order[i]);
      });
      Put(outputs[0], at, {values[order[i]], widest});
      for (int64_t c = 0; widest > 0 && c < cols; ++c) {
        if (std::fabs(values[c] - values[order[i]]) > 2 * widest) continue;
        outputs[1].bounds[at] =
            std::max(outputs[1].bounds[at], std::fabs(static_cast<double>(c - order[i])));
      }
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(TopkV2) = {
    .doc = {.formula = "the k largest elements along the last dimension and their indices, largest "
                       "first, the earlier of equals first",
            .source = "TFLite TOPK_V2"},
    .signature = "T, int16|int32|int64 -> T, int16|int32; T = float32|int8|uint8|int16|int32|int64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
