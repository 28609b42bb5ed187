// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/compiler/mimic_support.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "conformance/faulty_plugins/fault.h"
#include "sdk/host/kernels/op_node.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance::mimic {
namespace {

struct SupportedOp {
  std::string_view name;
  LiteRtElementType in;
  LiteRtElementType weights;
  LiteRtElementType out;
};
constexpr SupportedOp kSupported[] = {
#define MIMIC_OP(name, in, weights, out) \
  {name, kLiteRtElementType##in, kLiteRtElementType##weights, kLiteRtElementType##out},
#include "conformance/faulty_plugins/compiler/mimic_ops.def"
};

std::string NameOf(const Op& op) {
  if (const auto* composite = op.OptionsAs<StableHLOCompositeOptions>(); composite != nullptr)
    return composite->name;
  return OpCodeName(op.code);
}

// A decomposition reads all that its composite gives it.
bool LacksOperand(const Op& op) {
  return op.OptionsAs<StableHLOCompositeOptions>() != nullptr &&
         std::find(op.inputs.begin(), op.inputs.end(), nullptr) != op.inputs.end();
}

// A plugin may decline ops without elements.
bool IsEmptySomewhere(const Op& op) {
  auto empty = [](const Tensor* tensor) {
    return tensor != nullptr &&
           std::find(tensor->shape.begin(), tensor->shape.end(), 0) != tensor->shape.end();
  };
  return std::any_of(op.inputs.begin(), op.inputs.end(), empty) ||
         std::any_of(op.outputs.begin(), op.outputs.end(), empty);
}

bool TypesFit(const SupportedOp& supported, const Op& op) {
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const Tensor* input = op.inputs[i];
    if (input == nullptr) continue;
    // Places and indices, computed or not.
    if ((i == 2 && supported.name == "DYNAMIC_UPDATE_SLICE") ||
        (i == 1 && supported.name == "GATHER")) {
      if (input->element_type != kLiteRtElementTypeInt32) return false;
      continue;
    }
    const bool own_weights = i == 1 && supported.weights != kLiteRtElementTypeNone;
    if (input->element_type == (own_weights ? supported.weights : supported.in)) continue;
    // Biases, shapes, axes.
    const bool incidental = i > 0 && !own_weights && input->is_constant() &&
                            (input->element_type == kLiteRtElementTypeInt32 ||
                             input->element_type == kLiteRtElementTypeInt64);
    if (!incidental) return false;
  }
  return std::all_of(op.outputs.begin(), op.outputs.end(),
                     [&](const Tensor* output) { return output->element_type == supported.out; });
}

// Operands that do not fit each other, or a result of another size than follows from them.
bool IsContradictory(const Op& op) {
  const bool is_dynamic = HasDynamicShape(op);
  if (is_dynamic || kernels::FindOperator(op) == nullptr) return false;
  const auto inferred = kernels::InferOp(op);
  if (!inferred) return inferred.Error().Status() != kLiteRtStatusErrorUnsupported;
  return kernels::MisfittingOutput(op, *inferred).has_value();
}

}  // namespace

bool HasDynamicShape(const Op& op) {
  auto dynamic = [](const Tensor* tensor) { return tensor != nullptr && tensor->is_dynamic(); };
  return std::any_of(op.inputs.begin(), op.inputs.end(), dynamic) ||
         std::any_of(op.outputs.begin(), op.outputs.end(), dynamic);
}

bool Supports(const Op& op) {
  if (HasDynamicShape(op) && !Has(Fault::selects_dynamic)) return false;
  if (IsEmptySomewhere(op) || LacksOperand(op)) return false;
  if (IsContradictory(op) && !Has(Fault::takes_contradictions)) return false;
  const std::string name = NameOf(op);
  if (Has(Fault::misses_rank3_mul) && name == "MUL" && op.outputs[0]->shape.size() == 3)
    return false;
  return std::any_of(std::begin(kSupported), std::end(kSupported),
                     [&](const SupportedOp& supported) {
                       return supported.name == name && TypesFit(supported, op);
                     });
}

std::vector<const char*> SocModels() {
  if (Has(Fault::unclaimed_soc)) return {"m1", "m2", "m9"};
  if (Has(Fault::soc_twice)) return {"m1", "m2", "m2"};
  if (Has(Fault::nameless_soc)) return {"m1", "m2", ""};
  return {"m1", "m2"};
}

bool KnowsSoc(const char* soc_model) {
  if (soc_model == nullptr || *soc_model == '\0') return true;
  const std::vector<const char*> known = SocModels();
  return std::any_of(known.begin(), known.end(),
                     [&](const char* name) { return std::strcmp(name, soc_model) == 0; });
}

}  // namespace npukit::conformance::mimic
