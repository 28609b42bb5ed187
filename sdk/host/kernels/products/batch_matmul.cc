// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/fixed_point/rounded_activations.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/products/matmul.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt8 = kLiteRtElementTypeInt8;
constexpr auto kInt16 = kLiteRtElementTypeInt16;
constexpr auto kInt32 = kLiteRtElementTypeInt32;

BatchMatMulOptions OptionsOf(const Node& node) {
  const auto* options = node.op->OptionsAs<BatchMatMulOptions>();
  return options == nullptr ? BatchMatMulOptions{} : *options;
}

constexpr int32_t kMostColumns = 1 << 24;
constexpr int64_t kMostMatrices = int64_t{1} << 22;  // their offsets are held in a list

// The node as products of matrices, and its output shape.
struct Products {
  MatMul matmul;
  Shape out;
};

// A [..., rows, depth] and B [..., depth, cols]; the dimensions before are broadcast.
litert::Expected<Products> ProductsOf(const Node& node) {
  const Operand& a = *node.inputs[0];
  const Operand& b = *node.inputs[1];
  for (const Operand* operand : {&a, &b}) {
    if (operand->shape.size() < 2)
      return InvalidNode(node, operand, "must have at least 2 dimensions");
  }
  const BatchMatMulOptions options = OptionsOf(node);
  Products products;
  MatMul& m = products.matmul;
  m.a_transposed = options.adj_x;
  m.b_transposed = options.adj_y;
  const size_t a_rank = a.shape.size();
  const size_t b_rank = b.shape.size();
  m.rows = a.shape[a_rank - (options.adj_x ? 1 : 2)];
  m.depth = a.shape[a_rank - (options.adj_x ? 2 : 1)];
  m.cols = b.shape[b_rank - (options.adj_y ? 2 : 1)];
  if (b.shape[b_rank - (options.adj_y ? 1 : 2)] != m.depth) {
    return InvalidNode(node, &b,
                       fmt::format("does not match the depth of {}: {}", OperandName(&a), m.depth));
  }
  Operand a_stack = a;
  Operand b_stack = b;
  a_stack.shape.resize(a_rank - 2);
  b_stack.shape.resize(b_rank - 2);
  LITERT_ASSIGN_OR_RETURN(products.out, BroadcastShapes(node, a_stack, b_stack));
  int64_t matrices = 1;
  for (int32_t dim : products.out) {
    matrices *= dim;
    if (matrices > kMostMatrices) return InvalidNode(node, &a, "makes too many matrices");
  }
  const auto plan = PlanBroadcast<2>(products.out, {a_stack.shape, b_stack.shape});
  plan.ForEachRow(
      0, ElemsOf(products.out) == 0 ? 0 : plan.rows, [&](const auto& offsets, int64_t /*at*/) {
        for (int64_t i = 0; i < plan.row.extent; ++i) {
          m.batches.push_back({.a = (offsets[0] + i * plan.row.stride[0]) * m.rows * m.depth,
                               .b = (offsets[1] + i * plan.row.stride[1]) * m.depth * m.cols});
        }
      });
  products.out.push_back(static_cast<int32_t>(m.rows));
  products.out.push_back(static_cast<int32_t>(m.cols));
  return products;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(Products products, ProductsOf(node));
  return Inferred{.shapes = {std::move(products.out)}};
}

// One scale, or one per column of B.
litert::Expected<std::vector<float>> ColumnScales(const Node& node, bool b_transposed) {
  const Operand& b = *node.inputs[1];
  if (b.quantization().is_per_channel()) {
    const auto rank = static_cast<int32_t>(b.shape.size());
    LITERT_ASSIGN_OR_RETURN(std::vector<float> scales,
                            PerChannelScales(node, b, b_transposed ? rank - 2 : rank - 1));
    return scales;
  }
  LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, b));
  return std::vector<float>{params.scale};
}

litert::Expected<MatMulQuantization> QuantizationOf(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams a, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const std::vector<float> scales,
                          ColumnScales(node, OptionsOf(node).adj_y));
  const bool per_column = scales.size() > 1;
  const auto b_zero_point =
      per_column ? 0 : static_cast<int32_t>(node.inputs[1]->quantization().ZeroPointOf(0));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const bool wide = node.inputs[0]->type() == kInt16;
  if (wide && (a.zero_point != 0 || b_zero_point != 0 || out.zero_point != 0)) {
    return InvalidNode(node, "int16 tensors must have zero points 0");
  }
  MatMulQuantization quantization{.a_zero_point = a.zero_point, .b_zero_point = b_zero_point};
  Requantizer& requantizer = quantization.requantizer;
  requantizer.kind = wide ? Requantizer::Kind::kFixed64 : Requantizer::Kind::kFixed32;
  requantizer.zero_point = out.zero_point;
  requantizer.range = RangeOf(node.outputs[0]->type());
  if (ElemsOf(node.outputs[0]->shape) > 0 && node.outputs[0]->shape.back() > kMostColumns)
    return InvalidNode(node, node.inputs[1], "has too many columns");
  for (float scale : scales) {
    // The product of scales is rounded to float32.
    const double real = static_cast<double>(a.scale * scale) / static_cast<double>(out.scale);
    LITERT_ASSIGN_OR_RETURN(const FixedMultiplier fixed, CheckedMultiplier(node, real));
    if (wide && fixed.shift > 14)
      return InvalidNode(node, "the tensors' scales give too large a multiplier for 16 bits");
    requantizer.fixed.push_back(fixed);
  }
  // One multiplier per column, though they be equal.
  const int32_t cols = node.outputs[0]->shape.empty() ? 1 : node.outputs[0]->shape.back();
  if (!per_column)
    requantizer.fixed.assign(static_cast<size_t>(std::max(1, cols)), requantizer.fixed.front());
  return quantization;
}

// fn(output_index, column, sum) with the exact sum of (a - za)(b - zb).
template <typename A, typename B, typename Fn>
void Accumulate(const MatMul& m, const A* a, int32_t a_zero_point, const B* b, int32_t b_zero_point,
                Fn fn) {
  int64_t index = 0;
  for (const MatMul::Pair& batch : m.batches) {
    for (int64_t row = 0; row < m.rows; ++row) {
      for (int64_t col = 0; col < m.cols; ++col) {
        int64_t sum = 0;
        for (int64_t k = 0; k < m.depth; ++k) {
          sum += static_cast<int64_t>(a[m.AIndex(batch, row, k)] - a_zero_point) *
                 (b[m.BIndex(batch, k, col)] - b_zero_point);
        }
        fn(index++, col, sum);
      }
    }
  }
}

// Plain loops: what the oracle runs, and what is too rare to be fast.
litert::Expected<void> RunIntegers(const Node& node, const MatMul& m,
                                   const MatMulQuantization& quantization, const uint8_t* a,
                                   const uint8_t* b, uint8_t* out) {
  auto requantized = [&]<typename Out>(Out* to) {
    return [&, to](int64_t index, int64_t col, int64_t sum) {
      to[index] = static_cast<Out>(quantization.requantizer.Apply(sum, col));
    };
  };
  const auto* a8 = reinterpret_cast<const int8_t*>(a);
  const auto* b8 = reinterpret_cast<const int8_t*>(b);
  const auto* a16 = reinterpret_cast<const int16_t*>(a);
  const int32_t a_zero = quantization.a_zero_point;
  const int32_t b_zero = quantization.b_zero_point;
  if (node.outputs[0]->type() == kInt32) {
    // The stored numbers' products: TFLite's kernel knows no zero points here.
    auto* to = reinterpret_cast<int32_t*>(out);
    Accumulate(m, a8, 0, b8, 0,
               [&](int64_t index, int64_t, int64_t sum) { to[index] = static_cast<int32_t>(sum); });
  } else if (node.inputs[0]->type() == kInt8) {
    Accumulate(m, a8, a_zero, b8, b_zero, requantized(reinterpret_cast<int8_t*>(out)));
  } else if (node.inputs[1]->type() == kInt8) {
    Accumulate(m, a16, a_zero, b8, b_zero, requantized(reinterpret_cast<int16_t*>(out)));
  } else {
    Accumulate(m, a16, a_zero, reinterpret_cast<const int16_t*>(b), b_zero,
               requantized(reinterpret_cast<int16_t*>(out)));
  }
  return {};
}

class PlainKernel final : public Kernel {
 public:
  PlainKernel(const Node& node, MatMul matmul, MatMulQuantization quantization)
      : matmul_(std::move(matmul)),
        quantization_(std::move(quantization)),
        operands_{*node.inputs[0], *node.inputs[1]},
        output_(*node.outputs[0]) {
    node_.inputs = {&operands_[0], &operands_[1]};
    node_.outputs = {&output_};
  }
  litert::Expected<void> Run(const RunContext& context) const override {
    return RunIntegers(node_, matmul_, quantization_, context.inputs[0].data(),
                       context.inputs[1].data(), context.outputs[0].data());
  }

 private:
  MatMul matmul_;
  MatMulQuantization quantization_;
  Operand operands_[2];  // for their types
  Operand output_;
  Node node_;
};

litert::Expected<std::vector<float>> HybridScales(const Node& node, const MatMul& m) {
  const Operand& b = *node.inputs[1];
  if (b.quantization().ZeroPointOf(0) != 0)
    return InvalidNode(node, &b, "must have the zero point 0");
  return ColumnScales(node, m.b_transposed);
}

// A's rows, each with a scale of its own.
ActivationRows RowsOf(const Node& node, const MatMul& m) {
  const int64_t matrix = m.rows * m.depth;
  return {.groups = matrix == 0 ? 0 : node.inputs[0]->elems() / matrix,
          .rows = m.rows,
          .cols = m.depth,
          .row_stride = m.a_transposed ? 1 : m.depth,
          .col_stride = m.a_transposed ? m.rows : 1,
          .asymmetric = OptionsOf(node).asymmetric_quantize_inputs};
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(Products products, ProductsOf(node));
  if (node.outputs[0]->type() == kFloat) {
    std::vector<float> scales;
    if (node.inputs[1]->type() == kInt8) {
      LITERT_ASSIGN_OR_RETURN(scales, HybridScales(node, products.matmul));
    }
    const bool hybrid = !scales.empty();
    std::unique_ptr<Kernel> kernel =
        MakeFloatMatMul(node, products.matmul, std::move(scales), options);
    if (!hybrid || options.hybrid == HybridMode::kExact) return kernel;
    return WithRoundedActivations(std::move(kernel), RowsOf(node, products.matmul));
  }
  MatMulQuantization quantization;
  if (node.outputs[0]->type() != kInt32) {
    LITERT_ASSIGN_OR_RETURN(quantization, QuantizationOf(node));
  }
  if (node.outputs[0]->type() == kInt8)
    return MakeInt8MatMul(node, products.matmul, quantization, options);
  return std::unique_ptr<Kernel>(
      std::make_unique<PlainKernel>(node, std::move(products.matmul), std::move(quantization)));
}

// A float product. An int8 B counts as its real values, and A may be rounded to 8 bits row by row,
// as TFLite does.
litert::Expected<void> FloatOracle(const Node& node, const MatMul& m, const OracleTensor& a,
                                   const OracleTensor& b, OracleTensor& out) {
  std::vector<float> scales;
  if (!b.is_float()) {
    LITERT_ASSIGN_OR_RETURN(scales, HybridScales(node, m));
  }
  const bool asymmetric = OptionsOf(node).asymmetric_quantize_inputs;
  int64_t index = 0;
  for (const MatMul::Pair& batch : m.batches) {
    for (int64_t row = 0; row < m.rows; ++row) {
      double low = 0, high = 0;
      for (int64_t k = 0; k < m.depth; ++k) {
        low = std::min(low, At(a, m.AIndex(batch, row, k)).low());
        high = std::max(high, At(a, m.AIndex(batch, row, k)).high());
      }
      // How far A may be moved: half a step of 127, or, with a zero point, half a step of 255 and
      // half a step of that. The factor covers the rounding of the step itself
      // (docs/tolerances.md).
      const double step =
          std::max(std::max(-low, high) / 254, asymmetric ? (high - low) / 255 : 0.0) *
          (1 + 0x1p-20);
      for (int64_t col = 0; col < m.cols; ++col) {
        BoundedSum sum;
        for (int64_t k = 0; k < m.depth; ++k) {
          Bounded x = At(a, m.AIndex(batch, row, k));
          const int64_t from = m.BIndex(batch, k, col);
          if (b.is_float()) {
            sum.Add(ExactProduct(x, At(b, from)));
            continue;
          }
          x.bound += step;
          const double scale = scales[scales.size() == 1 ? 0 : col];
          const double real = scale * static_cast<int8_t>(b.bytes[from]);
          sum.Add(ExactProduct(x, {real, kRoundingUnit * std::fabs(real)}));
        }
        Put(out, index++, sum.Result(b.is_float() ? 1 : 3));
      }
    }
  }
  return {};
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Products products, ProductsOf(node));
  if (outputs[0].is_float())
    return FloatOracle(node, products.matmul, *inputs[0], *inputs[1], outputs[0]);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]->is_uncertain()) {
      return UnsupportedNode(node, node.inputs[i],
                             "is uncertain, and bounds do not pass through integer sums");
    }
  }
  MatMulQuantization quantization;
  if (outputs[0].type != kInt32) {
    LITERT_ASSIGN_OR_RETURN(quantization, QuantizationOf(node));
  }
  return RunIntegers(node, products.matmul, quantization, inputs[0]->bytes.data(),
                     inputs[1]->bytes.data(), outputs[0].bytes.data());
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(BatchMatmul) = {
    .doc = {.formula =
                "out[..,i,j] = sum over k of a[..,i,k] b[..,k,j], with adj_x and adj_y for "
                "stored transposes; integers: (a - za)(b - zb) in int32 (int16: int64), "
                "scaled by fixed(float32(s_a s_b) / s_out), s_b one or one for each column of b",
            .source = "TFLite BATCH_MATMUL, reference kernels"},
    .signature =
        "float32, float32|int8 -> float32; int8, int8 -> int8|int32; int16, int8|int16 -> int16",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
