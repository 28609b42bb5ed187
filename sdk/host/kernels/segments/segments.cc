// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SEGMENT_SUM and the UNSORTED_SEGMENT operators: rows of the data that have the same id are combined.

#include <algorithm>
#include <functional>
#include <limits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Functions of two numbers; integers wrap.
struct SumOf {
  template <typename T>
  static constexpr T kFirst = T{0};
  static float Combine(float a, float b) { return a + b; }
  static int32_t Combine(int32_t a, int32_t b) { return Wrapping(a, b, std::plus<>()); }
  static Bounded Combine(Bounded a, Bounded b) { return Add(a, b); }
};
struct ProductOf {
  template <typename T>
  static constexpr T kFirst = T{1};
  static float Combine(float a, float b) { return a * b; }
  static int32_t Combine(int32_t a, int32_t b) { return Wrapping(a, b, std::multiplies<>()); }
  static Bounded Combine(Bounded a, Bounded b) { return Mul(a, b); }
};
struct LargestOf {
  template <typename T>
  static constexpr T kFirst = std::numeric_limits<T>::lowest();
  template <typename T>
  static T Combine(T a, T b) {
    return std::max(a, b);
  }
  static Bounded Combine(Bounded a, Bounded b) { return Max(a, b); }
};
struct SmallestOf {
  template <typename T>
  static constexpr T kFirst = std::numeric_limits<T>::max();
  template <typename T>
  static T Combine(T a, T b) {
    return std::min(a, b);
  }
  static Bounded Combine(Bounded a, Bounded b) { return Min(a, b); }
};

// Rows of the data, one for each id.
struct Rows {
  int64_t ids = 0;
  int64_t width = 0;
};

Rows RowsOf(const Node& node) {
  const size_t rank = node.inputs[1]->shape.size();
  const Shape& data = node.inputs[0]->shape;
  return {.ids = node.inputs[1]->elems(), .width = ElemsOf(data, rank, data.size())};
}

// fn(element of the output, element of the data); negative ids are left out.
template <typename Fn>
litert::Expected<void> ForEach(const IndexReader& ids, const Rows& rows, int64_t segments,
                               const RunContext& context, Fn fn) {
  for (int64_t i = 0; i < rows.ids; ++i) {
    const int64_t id = ids.At(context, i);
    if (id < 0) continue;
    if (id >= segments) return ids.OutOfRange(id, i, segments);
    for (int64_t k = 0; k < rows.width; ++k) fn(id * rows.width + k, i * rows.width + k);
  }
  return {};
}

template <typename Function, typename T>
class SegmentKernel final : public Kernel {
 public:
  explicit SegmentKernel(const Node& node)
      : ids_(node, 1), rows_(RowsOf(node)), segments_(node.outputs[0]->shape[0]) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* data = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    std::fill_n(out, context.outputs[0].size() / sizeof(T), Function::template kFirst<T>);
    return ForEach(ids_, rows_, segments_, context, [&](int64_t to, int64_t from) {
      out[to] = Function::Combine(out[to], data[from]);
    });
  }

 private:
  IndexReader ids_;
  Rows rows_;
  int64_t segments_;
};

template <typename Function>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (node.outputs[0]->type() == kLiteRtElementTypeInt32)
    return std::unique_ptr<Kernel>(std::make_unique<SegmentKernel<Function, int32_t>>(node));
  return std::unique_ptr<Kernel>(std::make_unique<SegmentKernel<Function, float>>(node));
}

template <typename Function>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  if (inputs[1]->is_uncertain())
    return UnsupportedNode(node, node.inputs[1], "is uncertain and decides where elements go");
  for (int64_t i = 0; i < outputs[0].elems(); ++i)
    Put(outputs[0], i, {Function::template kFirst<float>, 0});
  const std::span<const uint8_t> in[] = {{}, inputs[1]->bytes};
  RunContext context;
  context.inputs = in;
  return ForEach(IndexReader(node, 1), RowsOf(node), node.outputs[0]->shape[0], context,
                 [&](int64_t to, int64_t from) {
                   const Bounded before{outputs[0].values[to], outputs[0].bounds[to]};
                   Put(outputs[0], to, Function::Combine(before, At(*inputs[0], from)));
                 });
}

litert::Expected<Inferred> InferUnsorted(const Node& node) {
  const Shape& data = node.inputs[0]->shape;
  const Shape& ids = node.inputs[1]->shape;
  if (ids.size() > data.size() || !std::equal(ids.begin(), ids.end(), data.begin()))
    return InvalidNode(node, node.inputs[1], "must have the first dimensions of the data");
  if (node.inputs[2]->shape.size() > 1 || node.inputs[2]->elems() != 1)
    return InvalidNode(node, node.inputs[2], "must have one element");
  if (IsUnknown(*node.inputs[2])) return Inferred::NeedsValueOf(2);
  LITERT_ASSIGN_OR_RETURN(std::vector<int64_t> dims, IntegerValues(node, *node.inputs[2]));
  dims.insert(dims.end(), data.begin() + static_cast<ptrdiff_t>(ids.size()), data.end());
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

// Ids start at 0 and rise by at most one.
litert::Expected<Inferred> InferSorted(const Node& node) {
  const Operand& ids = *node.inputs[1];
  const Shape& data = node.inputs[0]->shape;
  if (data.empty()) return InvalidNode(node, node.inputs[0], "must have at least one dimension");
  if (ids.shape != Shape{data[0]}) return InvalidNode(node, &ids, "must have an id for each row");
  if (IsUnknown(ids)) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> values, IntegerValues(node, ids));
  int64_t last = -1;
  for (int64_t id : values) {
    if (id != last + 1 && (id != last || last < 0))
      return InvalidNode(node, &ids, "must start at 0 and rise by at most 1");
    last = id;
  }
  Shape shape = data;
  shape[0] = static_cast<int32_t>(last + 1);
  return Inferred{.shapes = {std::move(shape)}};
}

template <typename Function>
constexpr OperatorParts UnsortedOperator(const Documentation& doc) {
  return {.doc = doc,
          .signature = "T, int32, int32 -> T; T = float32|int32",
          .infer = InferUnsorted,
          .prepare = Prepare<Function>,
          .oracle = Oracle<Function>,
          .tolerance = kRoundedFloats};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(SegmentSum) = {
    .doc = {.formula = "sums of rows with the same id; ids rise from 0",
            .source = "TFLite SEGMENT_SUM"},
    .signature = "T, int32 -> T; T = float32|int32",
    .infer = InferSorted,
    .prepare = Prepare<SumOf>,
    .oracle = Oracle<SumOf>,
    .tolerance = kRoundedFloats,
};

NPUKIT_DEFINE_OPERATOR(UnsortedSegmentSum) = UnsortedOperator<SumOf>(
    {.formula = "sums of rows with the same id; 0 where there are none, negative ids are left out",
     .source = "TFLite UNSORTED_SEGMENT_SUM"});
NPUKIT_DEFINE_OPERATOR(UnsortedSegmentProd) = UnsortedOperator<ProductOf>(
    {.formula = "products of rows with the same id; 1 where there are none",
     .source = "TFLite UNSORTED_SEGMENT_PROD"});
NPUKIT_DEFINE_OPERATOR(UnsortedSegmentMax) = UnsortedOperator<LargestOf>(
    {.formula = "the largest of rows with the same id; the type's lowest where there are none",
     .source = "TFLite UNSORTED_SEGMENT_MAX"});
NPUKIT_DEFINE_OPERATOR(UnsortedSegmentMin) = UnsortedOperator<SmallestOf>(
    {.formula = "the smallest of rows with the same id; the type's largest where there are none",
     .source = "TFLite UNSORTED_SEGMENT_MIN"});

}  // namespace npukit::kernels
