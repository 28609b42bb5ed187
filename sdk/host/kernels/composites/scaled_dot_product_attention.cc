// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <vector>

#include "sdk/host/kernels/composites/composite_attributes.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;

// Inputs: 0 queries [B, T, N, H], 1 keys and 2 values [B, S, K, H], K dividing N, 3 a mask that is
// added to the logits, broadcast to [B, N, T, S].
struct Attention {
  int64_t batches = 0;
  int64_t queries = 0;
  int64_t heads = 0;
  int64_t depth = 0;
  int64_t keys = 0;
  int64_t key_heads = 0;
  float scale = 0;
  int64_t mask_stride[3] = {};  // of batch, head, query; keys are contiguous

  int64_t QueryAt(int64_t b, int64_t t, int64_t n) const {
    return ((b * queries + t) * heads + n) * depth;
  }
  int64_t KeyAt(int64_t b, int64_t s, int64_t n) const {
    return ((b * keys + s) * key_heads + n / (heads / key_heads)) * depth;
  }
  int64_t MaskAt(int64_t b, int64_t n, int64_t t) const {
    return b * mask_stride[0] + n * mask_stride[1] + t * mask_stride[2];
  }
};

// Unsupported, so that the decomposition runs, for other layouts: the mask tells them apart.
litert::Expected<Attention> Read(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const auto attributes, CompositeAttributes::Read(node, {"scale"}));
  for (size_t i = 0; i < 4; ++i) {
    if (node.inputs[i]->shape.size() != 4)
      return UnsupportedNode(node, node.inputs[i], "must have 4 dimensions");
  }
  const Shape& q = node.inputs[0]->shape;
  const Shape& k = node.inputs[1]->shape;
  const Shape& v = node.inputs[2]->shape;
  const Shape& mask = node.inputs[3]->shape;
  const bool fits = k[0] == q[0] && k[3] == q[3] && v == k && k[2] > 0 && q[2] % k[2] == 0 &&
                    q[3] > 0 && k[1] > 0;
  if (!fits) return UnsupportedNode(node, node.inputs[1], "does not fit the queries");
  const int32_t logits[] = {q[0], q[2], q[1], k[1]};
  for (size_t d = 0; d < 4; ++d) {
    if (mask[d] != logits[d] && (d == 3 || mask[d] != 1))
      return UnsupportedNode(node, node.inputs[3], "does not fit the logits");
  }
  Attention attention{.batches = q[0],
                      .queries = q[1],
                      .heads = q[2],
                      .depth = q[3],
                      .keys = k[1],
                      .key_heads = k[2]};
  int64_t stride = mask[3];
  for (size_t d = 3; d-- > 0; stride *= mask[d])
    attention.mask_stride[d] = mask[d] == 1 ? 0 : stride;
  const float usual = 1.0f / std::sqrt(static_cast<float>(attention.depth));
  LITERT_ASSIGN_OR_RETURN(attention.scale, attributes.Number("scale", usual));
  return attention;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(Read(node));
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

class AttentionKernel final : public Kernel {
 public:
  explicit AttentionKernel(const Attention& attention) : attention_(attention) {
    if (attention.batches * attention.queries * attention.heads > 0)
      scratch_bytes_ = static_cast<size_t>(attention.keys) * sizeof(float);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    for (int64_t b = 0; b < attention_.batches; ++b) {
      for (int64_t t = 0; t < attention_.queries; ++t) {
        for (int64_t n = 0; n < attention_.heads; ++n) RunQuery(context, b, t, n);
      }
    }
    return {};
  }

 private:
  void RunQuery(const RunContext& context, int64_t b, int64_t t, int64_t n) const {
    const Attention& a = attention_;
    const float* query = DataOf<float>(context.inputs[0]) + a.QueryAt(b, t, n);
    const float* keys = DataOf<float>(context.inputs[1]);
    const float* values = DataOf<float>(context.inputs[2]);
    const float* mask = DataOf<float>(context.inputs[3]) + a.MaskAt(b, n, t);
    float* out = DataOf<float>(context.outputs[0]) + a.QueryAt(b, t, n);
    float* weights = DataOf<float>(context.scratch);
    float max = std::numeric_limits<float>::lowest();
    for (int64_t s = 0; s < a.keys; ++s) {
      const float* key = keys + a.KeyAt(b, s, n);
      float dot = 0;
      for (int64_t c = 0; c < a.depth; ++c) dot += query[c] * key[c];
      weights[s] = dot * a.scale + mask[s];
      max = std::max(max, weights[s]);
    }
    float sum = 0;
    for (int64_t s = 0; s < a.keys; ++s) {
      weights[s] = std::exp(weights[s] - max);
      sum += weights[s];
    }
    std::fill_n(out, a.depth, 0.0f);
    for (int64_t s = 0; s < a.keys; ++s) {
      const float* value = values + a.KeyAt(b, s, n);
      const float weight = weights[s] / sum;
      for (int64_t c = 0; c < a.depth; ++c) out[c] += weight * value[c];
    }
  }

  Attention attention_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Attention attention, Read(node));
  return std::unique_ptr<Kernel>(std::make_unique<AttentionKernel>(attention));
}

// exp(logit - max). What is masked out is 0 or below every normal number, also where a float32
// logit overflows.
Bounded Exponential(Bounded logit, Bounded max) {
  constexpr double kVanishing = -100;  // exp(-100) < 2^-126
  if (logit.high() - max.low() < kVanishing) return {0, kSmallestNormal};
  return Monotone([](double x) { return std::exp(x); }, Sub(logit, max), FunctionUlps::kExp);
}

// Products with the scale before or after the sum; all sums in any order.
void QueryOracle(const Attention& a, int64_t b, int64_t t, int64_t n,
                 std::span<const OracleTensor* const> inputs, OracleTensor& out) {
  std::vector<Bounded> weights(static_cast<size_t>(a.keys));
  double low = std::numeric_limits<float>::lowest();
  double high = low;
  double largest = low;
  for (int64_t s = 0; s < a.keys; ++s) {
    BoundedSum dot;
    for (int64_t c = 0; c < a.depth; ++c) {
      const Bounded product = ExactProduct(At(*inputs[0], a.QueryAt(b, t, n) + c),
                                           At(*inputs[1], a.KeyAt(b, s, n) + c));
      dot.Add(ExactProduct(product, {a.scale, 0}));
    }
    const Bounded mask = At(*inputs[3], a.MaskAt(b, n, t) + s);
    weights[s] = std::isinf(mask.value) ? mask : Add(dot.Result(2), mask);
    low = std::max(low, weights[s].low());
    high = std::max(high, weights[s].high());
    largest = std::max(largest, weights[s].value);
  }
  // The doubt of what is far below the largest does not count.
  const Bounded max{largest, std::max(high - largest, largest - low)};
  BoundedSum sum;
  for (Bounded& weight : weights) {
    weight = Exponential(weight, max);
    sum.Add(weight);
  }
  const Bounded total = sum.Result(0);
  for (Bounded& weight : weights) weight = Div(weight, total);
  for (int64_t c = 0; c < a.depth; ++c) {
    BoundedSum mixed;
    for (int64_t s = 0; s < a.keys; ++s)
      mixed.Add(ExactProduct(weights[s], At(*inputs[2], a.KeyAt(b, s, n) + c)));
    // The division by the total may also come last.
    Put(out, a.QueryAt(b, t, n) + c, mixed.Result(4));
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Attention attention, Read(node));
  for (int64_t b = 0; b < attention.batches; ++b) {
    for (int64_t t = 0; t < attention.queries; ++t) {
      for (int64_t n = 0; n < attention.heads; ++n)
        QueryOracle(attention, b, t, n, inputs, outputs[0]);
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ScaledDotProductAttention) = {
    .doc =
        {.formula =
             "softmax(scale q k^T + mask) v for each head; scale is 1 / sqrt(depth) unless given",
         .source = "the composite odml.scaled_dot_product_attention for [batch, sequence, heads, "
                   "depth] with a mask"},
    .signature = "float32, float32, float32, float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
