// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// EMBEDDING_LOOKUP_SPARSE. A sparse tensor of row numbers: element i stands at `indices[i]` within
// `dense_shape`. The rows along its last dimension are combined to one.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

enum Input { kRows = 0, kIndices = 1, kDenseShape = 2, kWeights = 3, kTable = 4 };

CombinerType CombinerOf(const Node& node) {
  const auto* options = node.op->OptionsAs<EmbeddingLookupSparseOptions>();
  return options == nullptr ? CombinerType::kSum : options->combiner;
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& rows = *node.inputs[kRows];
  const Operand& indices = *node.inputs[kIndices];
  const Operand& dense_shape = *node.inputs[kDenseShape];
  const Operand& table = *node.inputs[kTable];
  for (int input : {kRows, kDenseShape, kWeights}) {
    const Operand* vector = node.inputs[static_cast<size_t>(input)];
    if (vector->shape.size() != 1) return InvalidNode(node, vector, "must have one dimension");
  }
  if (indices.shape.size() != 2 || indices.shape[0] != rows.shape[0])
    return InvalidNode(node, &indices, "must have a row for each number that is looked up");
  if (indices.shape[1] < 1 || dense_shape.shape[0] != indices.shape[1])
    return InvalidNode(node, &dense_shape, "must have as many elements as an index");
  if (node.inputs[kWeights]->shape != rows.shape)
    return InvalidNode(node, node.inputs[kWeights], "must have a weight for each number");
  if (table.shape.size() < 2) return InvalidNode(node, &table, "must have at least two dimensions");
  if (IsUnknown(dense_shape)) return Inferred::NeedsValueOf(kDenseShape);
  LITERT_ASSIGN_OR_RETURN(std::vector<int64_t> dims, IntegerValues(node, dense_shape));
  dims.pop_back();
  dims.insert(dims.end(), table.shape.begin() + 1, table.shape.end());
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

// Neighbours that go to the same row of the output.
struct Group {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t bucket = 0;
};

// Where rows come from and go to.
class Layout {
 public:
  explicit Layout(const Node& node)
      : name_(NodeName(node)),
        count_(node.inputs[kRows]->elems()),
        rank_(node.inputs[kIndices]->shape[1]),
        num_rows_(node.inputs[kTable]->shape[0]) {
    const Shape& table = node.inputs[kTable]->shape;
    const Shape& out = node.outputs[0]->shape;
    cols_ = ElemsOf(table, 1, table.size());
    const size_t outer = out.size() - (table.size() - 1);
    strides_.assign(static_cast<size_t>(rank_) - 1, 1);
    for (size_t i = outer; i-- > 0; num_buckets_ *= out[i]) strides_[i] = num_buckets_;
  }

  int64_t cols() const { return cols_; }

  // The group that begins at `begin`, its numbers checked.
  litert::Expected<Group> GroupAt(const int32_t* rows, const int32_t* indices,
                                  int64_t begin) const {
    Group group{.begin = begin, .end = begin, .bucket = 0};
    for (int64_t i = begin; i < count_; ++i) {
      int64_t bucket = 0;
      for (size_t k = 0; k < strides_.size(); ++k)
        bucket += indices[i * rank_ + static_cast<int64_t>(k)] * strides_[k];
      if (i != begin && bucket != group.bucket) break;
      if (bucket < 0 || bucket >= num_buckets_)
        return Bad(fmt::format("index {} is outside the dense shape", i));
      if (rows[i] < 0 || rows[i] >= num_rows_)
        return Bad(fmt::format("looks up row {} at {}, the table has {}", rows[i], i, num_rows_));
      group.bucket = bucket;
      group.end = i + 1;
    }
    return group;
  }
  int64_t count() const { return count_; }

 private:
  litert::Unexpected Bad(const std::string& what) const {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("{}: {}", name_, what));
  }

  std::string name_;
  int64_t count_;
  int64_t rank_;
  int64_t num_rows_;
  int64_t cols_ = 0;
  int64_t num_buckets_ = 1;
  std::vector<int64_t> strides_;
};

// What a group's sum is divided by; 1 for sums.
float DivisorOf(CombinerType combiner, const float* weights, const Group& group) {
  float total = 0;
  float squares = 0;
  for (int64_t i = group.begin; i < group.end; ++i) {
    total += weights[i];
    squares += weights[i] * weights[i];
  }
  if (combiner == CombinerType::kSum) return 1;
  return combiner == CombinerType::kMean ? total : std::sqrt(squares);
}

// TFLite's way: a bucket that comes up again, after others, is summed onto and divided once more.
class CombineKernel final : public Kernel {
 public:
  explicit CombineKernel(const Node& node) : layout_(node), combiner_(CombinerOf(node)) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const auto* rows = DataOf<int32_t>(context.inputs[kRows]);
    const auto* indices = DataOf<int32_t>(context.inputs[kIndices]);
    const auto* weights = DataOf<float>(context.inputs[kWeights]);
    const auto* table = DataOf<float>(context.inputs[kTable]);
    auto* out = DataOf<float>(context.outputs[0]);
    std::fill_n(out, context.outputs[0].size() / sizeof(float), 0.0f);
    const int64_t cols = layout_.cols();
    for (int64_t begin = 0; begin < layout_.count();) {
      LITERT_ASSIGN_OR_RETURN(const Group group, layout_.GroupAt(rows, indices, begin));
      begin = group.end;
      float* sum = out + group.bucket * cols;
      for (int64_t i = group.begin; i < group.end; ++i) {
        const float* row = table + rows[i] * cols;
        for (int64_t c = 0; c < cols; ++c) sum[c] += row[c] * weights[i];
      }
      if (combiner_ == CombinerType::kSum) continue;
      const float divisor = DivisorOf(combiner_, weights, group);
      for (int64_t c = 0; c < cols; ++c) sum[c] /= divisor;
    }
    return {};
  }

 private:
  Layout layout_;
  CombinerType combiner_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return std::unique_ptr<Kernel>(std::make_unique<CombineKernel>(node));
}

Bounded BoundedDivisor(CombinerType combiner, const OracleTensor& weights, const Group& group) {
  BoundedSum sum;
  for (int64_t i = group.begin; i < group.end; ++i) {
    const Bounded weight = At(weights, i);
    sum.Add(combiner == CombinerType::kMean ? weight : ExactProduct(weight, weight));
  }
  if (combiner == CombinerType::kMean) return sum.Result(0);
  return Monotone([](double x) { return std::sqrt(std::max(x, 0.0)); }, sum.Result(1),
                  FunctionUlps::kSqrt);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  for (int input : {kRows, kIndices}) {
    const auto at = static_cast<size_t>(input);
    if (inputs[at]->is_uncertain())
      return UnsupportedNode(node, node.inputs[at],
                             "is uncertain and decides which rows are taken");
  }
  const Layout layout(node);
  const CombinerType combiner = CombinerOf(node);
  const auto* rows = DataOf<int32_t>(std::span<const uint8_t>(inputs[kRows]->bytes));
  const auto* indices = DataOf<int32_t>(std::span<const uint8_t>(inputs[kIndices]->bytes));
  OracleTensor& out = outputs[0];
  for (int64_t e = 0; e < out.elems(); ++e) Put(out, e, {});
  for (int64_t begin = 0; begin < layout.count();) {
    LITERT_ASSIGN_OR_RETURN(const Group group, layout.GroupAt(rows, indices, begin));
    begin = group.end;
    for (int64_t c = 0; c < layout.cols(); ++c) {
      const int64_t to = group.bucket * layout.cols() + c;
      BoundedSum sum;
      sum.Add(At(out, to));
      for (int64_t i = group.begin; i < group.end; ++i) {
        sum.Add(ExactProduct(At(*inputs[kTable], rows[i] * layout.cols() + c),
                             At(*inputs[kWeights], i)));
      }
      Bounded result = sum.Result(1);
      if (combiner != CombinerType::kSum)
        result = Div(result, BoundedDivisor(combiner, *inputs[kWeights], group));
      Put(out, to, result);
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(EmbeddingLookupSparse) = {
    .doc = {.formula =
                "the rows of a table that a sparse tensor names, weighted, and combined along "
                "its last dimension: the sum, divided by the sum of the weights (mean) or the "
                "root of that of their squares (sqrtn)",
            .source = "TFLite EMBEDDING_LOOKUP_SPARSE"},
    .signature = "int32, int32, int32, float32, float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
