// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Whether each element is true, or not 0.
litert::Expected<std::vector<bool>> TruthOf(const Node& node, std::span<const uint8_t> bytes) {
  const Operand& in = *node.inputs[0];
  LITERT_ASSIGN_OR_RETURN(const size_t elem_bytes, ElemBytes(node, in));
  std::vector<bool> truth(static_cast<size_t>(in.elems()));
  for (size_t i = 0; i < truth.size(); ++i) {
    if (in.type() == kLiteRtElementTypeFloat32) {
      truth[i] = DataOf<float>(bytes)[i] != 0.0f;  // -0 too
      continue;
    }
    for (size_t b = 0; b < elem_bytes; ++b) truth[i] = truth[i] || bytes[i * elem_bytes + b] != 0;
  }
  return truth;
}

// The number of rows depends on the elements: they must be known.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.empty()) return InvalidNode(node, &in, "must have at least one dimension");
  if (IsUnknown(in)) return Inferred::NeedsValueOf(0);
  LITERT_ASSIGN_OR_RETURN(const std::vector<bool> truth, TruthOf(node, in.constant));
  const auto rows = std::count(truth.begin(), truth.end(), true);
  const std::vector<int64_t> dims = {rows, static_cast<int64_t>(in.shape.size())};
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

// The rows, computed when the kernel was made.
class WhereKernel final : public Kernel {
 public:
  explicit WhereKernel(std::vector<int64_t> rows) : rows_(std::move(rows)) {
    packed_bytes_ = rows_.size() * sizeof(int64_t);
  }
  litert::Expected<void> Run(const RunContext& context) const override {
    if (!rows_.empty())
      std::memcpy(context.outputs[0].data(), rows_.data(), rows_.size() * sizeof(int64_t));
    return {};
  }

 private:
  std::vector<int64_t> rows_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const Operand& in = *node.inputs[0];
  LITERT_ASSIGN_OR_RETURN(const std::vector<bool> truth, TruthOf(node, in.constant));
  std::vector<int64_t> rows;
  for (size_t i = 0; i < truth.size(); ++i) {
    if (!truth[i]) continue;
    rows.resize(rows.size() + in.shape.size());
    auto rest = static_cast<int64_t>(i);
    for (size_t d = in.shape.size(), at = rows.size(); d-- > 0;) {
      rows[--at] = rest % in.shape[d];
      rest /= in.shape[d];
    }
  }
  return std::unique_ptr<Kernel>(std::make_unique<WhereKernel>(std::move(rows)));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (inputs[0]->is_uncertain())
    return UnsupportedNode(node, node.inputs[0], "is uncertain and decides the output's shape");
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Kernel> kernel, Prepare(node, {}));
  const std::span<uint8_t> out[] = {outputs[0].bytes};
  RunContext context;
  context.outputs = out;
  return kernel->Run(context);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Where) = {
    .doc = {.formula = "the indices of the elements that are true or not 0, a row each, in order",
            .source = "TFLite WHERE"},
    .signature = "bool|float32|int8|uint8|int32|uint32|int64 -> int64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
