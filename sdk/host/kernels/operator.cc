// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/operator.h"

#include <array>
#include <atomic>
#include <new>
#include <string>

#include "sdk/host/kernels/operand_check.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

// LiteRT's tensor layouts hold no more dimensions; CheckNode asks the same of inputs.
constexpr size_t kMaxOutputRank = 8;

// Every operator's parts, defined in the families' folders.
#define NPUKIT_DECLARE_OPERATOR(file)     \
  namespace op_##file {                   \
    extern const OperatorParts kOperator; \
  }
#define NPUKIT_OPERATOR(code, name, file) NPUKIT_DECLARE_OPERATOR(file)
#define NPUKIT_COMPOSITE(name, file) NPUKIT_DECLARE_OPERATOR(file)
#include "sdk/host/kernels/operators.def"

namespace {

Operator MakeOperator(const OperatorParts& parts, LiteRtOpCode code, std::string_view name,
                      std::string_view composite_name, std::string_view file) {
  Operator op;
  static_cast<OperatorParts&>(op) = parts;
  op.code = code;
  op.name = name;
  op.composite_name = composite_name;
  op.file = file;
  return op;
}

// Built at first use, so that no order of static initialisation matters.
const std::vector<Operator>& Table() {
  static const auto* const table = new std::vector<Operator>{
#define NPUKIT_OPERATOR(code, name, file) \
  MakeOperator(op_##file::kOperator, kLiteRtOpCode##code, #name, "", #file),
#define NPUKIT_COMPOSITE(name, file) \
  MakeOperator(op_##file::kOperator, kLiteRtOpCodeShloComposite, name, name, #file),
#include "sdk/host/kernels/operators.def"
  };
  return *table;
}

// Builtin codes are small numbers: a direct index.
constexpr size_t kMaxCodes = 256;

const std::array<const Operator*, kMaxCodes>& TableByCode() {
  static const auto* const by_code = [] {
    auto* index = new std::array<const Operator*, kMaxCodes>{};
    for (const Operator& op : Table()) {
      if (op.composite_name.empty() && static_cast<size_t>(op.code) < kMaxCodes)
        (*index)[op.code] = &op;
    }
    return index;
  }();
  return *by_code;
}

std::atomic<OperatorFinder> customized_operator_finder = nullptr;

const Operator* FindCustomized(std::string_view name) {
  const OperatorFinder find = customized_operator_finder;
  return find == nullptr ? nullptr : find(name);
}

}  // namespace

void SetCustomizedOperatorFinder(OperatorFinder finder) { customized_operator_finder = finder; }

Tolerance ExactTolerance(const Node& /*node*/) {
  return {.kind = Tolerance::Kind::kExact,
          .reason = "the result is determined; nothing is rounded differently"};
}

Tolerance BoundOrExactTolerance(const Node& node) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat32 || type == kLiteRtElementTypeFloat16) {
    return {.kind = Tolerance::Kind::kRunningBound,
            .reason = "each operation may round once to float32, sums in any order"};
  }
  return {.kind = Tolerance::Kind::kExact, .reason = "integer arithmetic with prescribed rounding"};
}

std::span<const Operator> AllOperators() { return Table(); }

const Operator* FindOperator(LiteRtOpCode code) {
  const auto index = static_cast<size_t>(code);
  return index < kMaxCodes ? TableByCode()[index] : nullptr;
}

const Operator* FindOperator(const Op& op) {
  if (op.code == kLiteRtOpCodeTflCustom) return FindCustomized(op.custom_code);
  if (op.code != kLiteRtOpCodeShloComposite) return FindOperator(op.code);
  const auto* options = op.OptionsAs<StableHLOCompositeOptions>();
  if (options == nullptr) return nullptr;
  for (const Operator& candidate : Table()) {
    if (!candidate.composite_name.empty() && candidate.composite_name == options->name)
      return &candidate;
  }
  return FindCustomized(options->name);
}

litert::Expected<Inferred> InferNode(const Node& node) {
  const Operator* op = FindOperator(*node.op);
  if (op == nullptr) return UnsupportedNode(node, "no CPU kernel for this operator");
  litert::Expected<Inferred> inferred = op->infer(node);
  if (inferred && !inferred->needs_value_of && inferred->shapes.size() != node.outputs.size()) {
    return InvalidNode(node, "has " + std::to_string(node.outputs.size()) +
                                 " outputs, the operator gives " +
                                 std::to_string(inferred->shapes.size()));
  }
  if (!inferred || inferred->needs_value_of) return inferred;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const Operand output{.tensor = node.outputs[i]->tensor, .shape = inferred->shapes[i]};
    LITERT_RETURN_IF_ERROR(CheckOperand(node, output));
  }
  if (!inferred) return inferred;
  for (const Shape& shape : inferred->shapes) {
    if (shape.size() > kMaxOutputRank)
      return InvalidNode(node, "gives " + ShapeText(shape) + ", more than 8 dimensions");
  }
  return inferred;
}

litert::Expected<std::unique_ptr<Kernel>> PrepareNode(const Node& node,
                                                      const PrepareOptions& options) {
  const Operator* op = FindOperator(*node.op);
  if (op == nullptr) return UnsupportedNode(node, "no CPU kernel for this operator");
  try {
    return op->prepare(node, options);
  } catch (const std::bad_alloc&) {  // tables as long as a hostile tensor says
    return NodeError(node, kLiteRtStatusErrorMemoryAllocationFailure,
                     "needs more memory than there is");
  }
}

}  // namespace npukit::kernels
