// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/claim_match.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>

#include "conformance/spec/graph/op_option_reader.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {

bool IsIncidental(LiteRtElementType type) {
  return type == kLiteRtElementTypeInt32 || type == kLiteRtElementTypeInt64;
}

namespace {

// Amounts and places that may be as narrow as the numbers that are moved, and are none of them.
bool IsIndex(LiteRtOpCode code, size_t input) {
  return input == 1 && (code == kLiteRtOpCodeTflPad || code == kLiteRtOpCodeTflPadv2 ||
                        code == kLiteRtOpCodeTflExpandDims || code == kLiteRtOpCodeTflTopkV2);
}

// "" if the types agree, else why not.
std::string TypeMismatch(const TypeClaim& types, const Op& op) {
  const size_t typed = TypedInput(op.code);
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const Tensor* input = op.inputs[i];
    if (input == nullptr) continue;
    if (i == typed) {
      if (input->element_type != types.in)
        return fmt::format("input {} is {}", i, ElementTypeName(input->element_type));
      continue;
    }
    // A claim names the types of weights and bias by their places. Where it names none, and at all
    // other places, an operand has the type of the first one, or is a constant of sizes, axes and
    // the like, which every type of activation comes with.
    const std::optional<LiteRtElementType> own = i == 1   ? types.weights
                                                 : i == 2 ? types.bias
                                                          : std::nullopt;
    if (own ? input->element_type == *own : input->element_type == types.in && !IsIndex(op.code, i))
      continue;
    const bool incidental = input->is_constant() && IsIncidental(input->element_type) && !own;
    if (!incidental) return fmt::format("input {} is {}", i, ElementTypeName(input->element_type));
  }
  if (types.HasOutputs(op)) return {};
  std::vector<std::string> found;
  for (const Tensor* output : op.outputs) found.push_back(ElementTypeName(output->element_type));
  return fmt::format("the outputs are {}", fmt::join(found, ", "));
}

int64_t Elems(const Tensor& tensor) {
  int64_t elems = 1;
  for (int32_t dim : tensor.shape) elems *= dim;
  return elems;
}

std::string ShapeMismatch(const OpLimits& limits, const Tensor& tensor, const std::string& where) {
  const int rank = static_cast<int>(tensor.shape.size());
  if (limits.min_rank && rank < *limits.min_rank) {
    return fmt::format("{} has rank {}, below min_rank {}", where, rank, *limits.min_rank);
  }
  if (limits.max_rank && rank > *limits.max_rank) {
    return fmt::format("{} has rank {}, above max_rank {}", where, rank, *limits.max_rank);
  }
  for (int32_t dim : tensor.shape) {
    if (limits.max_dim && dim > *limits.max_dim) {
      return fmt::format("{} has dimension {}, above max_dim {}", where, dim, *limits.max_dim);
    }
  }
  if (limits.max_elems && Elems(tensor) > *limits.max_elems) {
    return fmt::format("{} has {} elements, above max_elems {}", where, Elems(tensor),
                       *limits.max_elems);
  }
  return {};
}

std::string InputKindMismatch(const OpLimits& limits, const Op& op) {
  auto input_at = [&](int index) -> const Tensor* {
    return static_cast<size_t>(index) < op.inputs.size() ? op.inputs[index] : nullptr;
  };
  for (int index : limits.constant_inputs) {
    const Tensor* input = input_at(index);
    if (input != nullptr && !input->is_constant())
      return fmt::format("input {} is no constant", index);
  }
  for (int index : limits.variable_inputs) {
    const Tensor* input = input_at(index);
    if (input != nullptr && input->is_constant())
      return fmt::format("input {} is a constant", index);
  }
  return {};
}

std::string LimitMismatch(const OpLimits& limits, const Op& op) {
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const Tensor* input = op.inputs[i];
    if (input == nullptr) continue;
    const std::string where = fmt::format("input {}", i);
    if (std::string why = ShapeMismatch(limits, *input, where); !why.empty()) return why;
    if (limits.broadcast == false && !IsIncidental(input->element_type) && !op.outputs.empty() &&
        input->shape != op.outputs[0]->shape) {
      return where + " is broadcast";
    }
    if (limits.per_channel == false && input->quantization.is_per_channel())
      return where + " is quantised per channel";
  }
  for (const Tensor* output : op.outputs) {
    if (std::string why = ShapeMismatch(limits, *output, "output"); !why.empty()) return why;
  }
  if (std::string why = InputKindMismatch(limits, op); !why.empty()) return why;
  for (const auto& [field, texts] : limits.options) {
    const std::string text = OptionText(op.options, field);
    if (std::find(texts.begin(), texts.end(), text) == texts.end())
      return "option " + field + " is " + text;
  }
  for (const OptionRange& range : limits.option_ranges) {
    const std::string text = OptionText(op.options, range.field);
    double number = 0;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = code == std::errc() && stop == text.data() + text.size();
    if (!is_number || (range.min && number < *range.min) || (range.max && number > *range.max))
      return "option " + range.field + " is " + text;
  }
  return {};
}

bool IsDynamic(const Op& op) {
  auto dynamic = [](const Tensor* tensor) { return tensor != nullptr && tensor->is_dynamic(); };
  return std::any_of(op.inputs.begin(), op.inputs.end(), dynamic) ||
         std::any_of(op.outputs.begin(), op.outputs.end(), dynamic);
}

}  // namespace

size_t TypedInput(LiteRtOpCode code) {
  switch (code) {
    case kLiteRtOpCodeTflSplit:  // after the axis
      return 1;
    case kLiteRtOpCodeTflTransposeConv:  // after the result's shape and the weights
      return 2;
    default:
      return 0;
  }
}

std::string ClaimName(const Op& op) {
  if (const auto* composite = op.OptionsAs<StableHLOCompositeOptions>(); composite != nullptr)
    return composite->name;
  if (op.code == kLiteRtOpCodeTflCustom) return "custom:" + op.custom_code;
  return OpCodeName(op.code);
}

ClaimAnswer MatchClaim(const Claims& claims, const Op& op) {
  const std::string name = ClaimName(op);
  if (name == "odml.npu_call") return {.claimed = true, .reason = {}};
  if (name == "odml.cpu_call")
    return {.claimed = false, .reason = "odml.cpu_call stays on the CPU"};
  if (IsDynamic(op)) return {.claimed = false, .reason = name + " has a dynamic shape"};
  ClaimAnswer answer{.claimed = false, .reason = "no claim names " + name};
  bool some_types_fit = false;
  for (const OpClaim& claim : claims.ops) {
    if (claim.op != name) continue;
    for (const TypeClaim& types : claim.types) {
      std::string why = TypeMismatch(types, op);
      const bool types_fit = why.empty();
      if (types_fit) why = LimitMismatch(claim.limits, op);
      if (why.empty()) return {.claimed = true, .reason = {}, .claim = &claim, .types = &types};
      // The claim that comes nearest gives the reason.
      if (types_fit || !some_types_fit) answer.reason = name + " " + types.ToString() + ": " + why;
      some_types_fit = some_types_fit || types_fit;
    }
  }
  return answer;
}

bool RoundsOnce(const Claims& claims, const Op& op) {
  const ClaimAnswer answer = MatchClaim(claims, op);
  return answer.claim != nullptr && answer.claim->rounds_once;
}

}  // namespace npukit::conformance
