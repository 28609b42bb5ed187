// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/operator.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <new>
#include <utility>
#include <vector>

#include "sdk/host/kernels/operand_check.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

// Every operator's parts, defined in the families' folders.
#define NPUKIT_OPERATOR(Name, NAME) extern const OperatorParts k##Name##Parts;
#define NPUKIT_STABLEHLO(Name, NAME) extern const OperatorParts kShlo##Name##Parts;
#define NPUKIT_CUSTOM(Name, code) extern const OperatorParts k##Name##Parts;
#define NPUKIT_COMPOSITE(Name, name) extern const OperatorParts k##Name##Parts;
#include "sdk/host/kernels/operators.def"

namespace {

// In the schema, but without a name in LiteRT's C API.
constexpr auto kLiteRtOpCodeShloShiftLeft = static_cast<LiteRtOpCode>(207);

constinit const Operator kTable[] = {
#define NPUKIT_OPERATOR(Name, NAME) \
  {.code = kLiteRtOpCodeTfl##Name, .name = #NAME, .composite_name = "", .parts = k##Name##Parts},
#define NPUKIT_STABLEHLO(Name, NAME) \
  {.code = kLiteRtOpCodeShlo##Name,  \
   .name = #NAME,                    \
   .composite_name = "",             \
   .parts = kShlo##Name##Parts},
#define NPUKIT_CUSTOM(Name, code_text) \
  {.code = kLiteRtOpCodeTflCustom,     \
   .name = code_text,                  \
   .composite_name = "",               \
   .parts = k##Name##Parts},
#define NPUKIT_COMPOSITE(Name, text)   \
  {.code = kLiteRtOpCodeShloComposite, \
   .name = text,                       \
   .composite_name = text,             \
   .parts = k##Name##Parts},
#include "sdk/host/kernels/operators.def"
};

// Builtin codes are small numbers: a direct index.
constexpr size_t kMaxCodes = 256;

const std::array<const Operator*, kMaxCodes>& TableByCode() {
  static const auto* const by_code = [] {
    auto* index = new std::array<const Operator*, kMaxCodes>{};
    for (const Operator& op : kTable) {
      const bool is_builtin = op.composite_name.empty() && op.code != kLiteRtOpCodeTflCustom;
      if (is_builtin && static_cast<size_t>(op.code) < kMaxCodes) (*index)[op.code] = &op;
    }
    return index;
  }();
  return *by_code;
}

// Kernels read constants as they are: whoever makes the node has expanded those of which a file holds
// only what is not zero.
litert::Expected<void> CheckConstantsAreWhole(const Node& node) {
  for (const Operand* input : node.inputs) {
    if (input == nullptr || !input->has_constant() || !input->tensor->sparsity) continue;
    if (DenseBytes(input->type(), input->shape) != input->constant.size())
      return UnsupportedNode(node, input, "is sparse");
  }
  return {};
}

std::atomic<OperatorFinder> customized_operator_finder = nullptr;

const Operator* FindCustomized(std::string_view name) {
  const OperatorFinder find = customized_operator_finder;
  return find == nullptr ? nullptr : find(name);
}

}  // namespace

const Signature& Operator::signature() const {
  const Signature* known = parsed.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  auto made = std::make_unique<Signature>();
  if (auto read = Signature::Parse(parts.signature)) *made = std::move(*read);
  if (parsed.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel))
    known =
        made.release();  // for as long as the operator lives: the host's, as long as the process
  return *known;
}

void SetCustomizedOperatorFinder(OperatorFinder finder) { customized_operator_finder = finder; }

std::span<const Operator> AllOperators() { return kTable; }

const Operator* FindOperator(LiteRtOpCode code) {
  const auto index = static_cast<size_t>(code);
  return index < kMaxCodes ? TableByCode()[index] : nullptr;
}

const Operator* FindOperator(const Op& op) {
  if (op.code == kLiteRtOpCodeTflCustom) {
    // An op package may replace what is here.
    if (const Operator* customized = FindCustomized(op.custom_code)) return customized;
    for (const Operator& candidate : kTable) {
      if (candidate.code == op.code && candidate.name == op.custom_code) return &candidate;
    }
    return nullptr;
  }
  if (op.code != kLiteRtOpCodeShloComposite) return FindOperator(op.code);
  const auto* options = op.OptionsAs<StableHLOCompositeOptions>();
  if (options == nullptr) return nullptr;
  for (const Operator& candidate : kTable) {
    if (!candidate.composite_name.empty() && candidate.composite_name == options->name)
      return &candidate;
  }
  return FindCustomized(options->name);
}

litert::Expected<Inferred> InferNode(const Node& node) {
  const Operator* op = FindOperator(*node.op);
  if (op == nullptr) return UnsupportedNode(node, "no CPU kernel for this operator");
  if (const auto fits = op->signature().Check(node); !fits) {
    if (op->composite_name.empty()) return fits.Error();
    return litert::Unexpected(kLiteRtStatusErrorUnsupported, fits.Error().Message());
  }
  LITERT_RETURN_IF_ERROR(CheckConstantsAreWhole(node));
  LITERT_ASSIGN_OR_RETURN(Inferred inferred, op->parts.infer(node));
  if (inferred.needs_value_of) return inferred;
  if (inferred.shapes.size() != node.outputs.size()) {
    return InvalidNode(node, fmt::format("has {} outputs, the operator gives {}",
                                         node.outputs.size(), inferred.shapes.size()));
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const Operand output{.tensor = node.outputs[i]->tensor, .shape = inferred.shapes[i]};
    LITERT_RETURN_IF_ERROR(CheckOperand(node, output));
  }
  return inferred;
}

litert::Expected<std::unique_ptr<Kernel>> PrepareNode(const Node& node,
                                                      const PrepareOptions& options) {
  const Operator* op = FindOperator(*node.op);
  if (op == nullptr) return UnsupportedNode(node, "no CPU kernel for this operator");
  try {
    return op->parts.prepare(node, options);
  } catch (const std::bad_alloc&) {  // tables as long as a hostile tensor says
    return NodeError(node, kLiteRtStatusErrorMemoryAllocationFailure,
                     "needs more memory than there is");
  }
}

}  // namespace npukit::kernels
