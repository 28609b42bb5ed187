// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/indexing/fingerprint.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr int32_t kMaxBits = 32;

LSHProjectionType TypeOf(const Node& node) {
  const auto* options = node.op->OptionsAs<LSHProjectionOptions>();
  return options == nullptr ? LSHProjectionType::kUnknown : options->type;
}

// Inputs: 0 seeds [hashes, bits], 1 items [n, ...], 2 a weight for each item [n].
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& seeds = *node.inputs[0];
  const Operand& items = *node.inputs[1];
  const Operand* weights = node.input(2);
  if (seeds.shape.size() != 2 || seeds.shape[1] > kMaxBits)
    return InvalidNode(node, &seeds, "must have two dimensions, the second of at most 32");
  if (items.shape.empty() || items.shape[0] < 1)
    return InvalidNode(node, &items, "must have an element along its first dimension");
  if (weights != nullptr && weights->shape != Shape{items.shape[0]})
    return InvalidNode(node, weights, "must have one weight for each row of the input");
  switch (TypeOf(node)) {
    case LSHProjectionType::kSparse:
      return Inferred{.shapes = {{seeds.shape[0]}}};
    case LSHProjectionType::kDense: {
      LITERT_ASSIGN_OR_RETURN(
          Shape shape,
          NarrowShape(node, std::vector<int64_t>{int64_t{seeds.shape[0]} * seeds.shape[1]}));
      return Inferred{.shapes = {std::move(shape)}};
    }
    default:
      return InvalidNode(node, "has a type that is neither SPARSE nor DENSE");
  }
}

class ProjectionKernel final : public Kernel {
 public:
  ProjectionKernel(const Node& node, size_t elem_bytes)
      : hashes_(node.inputs[0]->shape[0]),
        bits_(node.inputs[0]->shape[1]),
        items_(node.inputs[1]->shape[0]),
        is_sparse_(TypeOf(node) == LSHProjectionType::kSparse) {
    const Shape& shape = node.inputs[1]->shape;
    item_bytes_ = static_cast<size_t>(ElemsOf(shape, 1, shape.size())) * elem_bytes;
    scratch_bytes_ = sizeof(float) + item_bytes_;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const auto* seeds = DataOf<float>(context.inputs[0]);
    auto* out = DataOf<int32_t>(context.outputs[0]);
    for (int64_t hash = 0; hash < hashes_; ++hash) {
      uint32_t signature = 0;
      for (int64_t bit = 0; bit < bits_; ++bit) {
        const uint32_t set = IsAbove(context, seeds[hash * bits_ + bit]) ? 1 : 0;
        if (!is_sparse_) *out++ = static_cast<int32_t>(set);
        signature = signature << 1 | set;
      }
      // So that signatures of different hashes differ. Of 32 bits there is no room for it.
      const uint32_t offset = bits_ < kMaxBits ? static_cast<uint32_t>(hash) << bits_ : 0;
      if (is_sparse_) *out++ = static_cast<int32_t>(signature + offset);
    }
    return {};
  }

 private:
  // The sign of the weighted sum of the items' hashes.
  bool IsAbove(const RunContext& context, float seed) const {
    const bool weighted = context.inputs.size() > 2 && !context.inputs[2].empty();
    const std::span<uint8_t> key = context.scratch.first(sizeof(float) + item_bytes_);
    std::memcpy(key.data(), &seed, sizeof(seed));
    double score = 0;
    for (int64_t i = 0; i < items_; ++i) {
      if (item_bytes_ != 0) {
        std::memcpy(key.data() + sizeof(seed),
                    context.inputs[1].data() + static_cast<size_t>(i) * item_bytes_, item_bytes_);
      }
      const auto value = static_cast<double>(static_cast<int64_t>(Fingerprint64(key)));
      score += weighted ? static_cast<double>(DataOf<float>(context.inputs[2])[i]) * value : value;
    }
    return score > 0;
  }

  int64_t hashes_;
  int64_t bits_;
  int64_t items_;
  bool is_sparse_;
  size_t item_bytes_ = 0;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const size_t elem_bytes, ElemBytes(node, *node.inputs[1]));
  return std::unique_ptr<Kernel>(std::make_unique<ProjectionKernel>(node, elem_bytes));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return OracleByFloatKernel(node, inputs, outputs, 0);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(LshProjection) = {
    .doc = {.formula = "for each seed the sign of the (weighted) sum of the hashes (FarmHash's "
                       "Fingerprint64) of seed and item: a bit; sparse: the bits of a hash as one "
                       "number",
            .source = "TFLite LSH_PROJECTION"},
    .signature = "float32, bytes, float32? -> int32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
