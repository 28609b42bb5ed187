// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/ats/ats_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sdk/host/model/graph/op.h"

namespace npukit::conformance {
namespace {

// What the suite can fill, and what it can compare.
constexpr LiteRtElementType kInputTypes[] = {kLiteRtElementTypeFloat32, kLiteRtElementTypeFloat16,
                                             kLiteRtElementTypeBFloat16, kLiteRtElementTypeInt32,
                                             kLiteRtElementTypeInt64};
constexpr LiteRtElementType kOutputTypes[] = {kLiteRtElementTypeFloat32, kLiteRtElementTypeFloat16,
                                              kLiteRtElementTypeInt32};

template <size_t N>
bool IsIn(const LiteRtElementType (&types)[N], LiteRtElementType type) {
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

bool IsQuantizedWhole(const Tensor& tensor) {
  const bool narrow = tensor.element_type == kLiteRtElementTypeInt8 ||
                      tensor.element_type == kLiteRtElementTypeUInt8 ||
                      tensor.element_type == kLiteRtElementTypeInt16;
  return narrow && tensor.quantization.scale.size() == 1;
}

Tensor& AddFloatLike(Subgraph& subgraph, const Tensor& tensor) {
  Tensor& added = subgraph.AddTensor();
  added.name = tensor.name + "_float";
  added.element_type = kLiteRtElementTypeFloat32;
  added.shape = tensor.shape;
  added.shape_signature = tensor.shape_signature;
  added.has_rank = tensor.has_rank;
  return added;
}

void Rename(Model& model, const Subgraph& subgraph, const Tensor* from, Tensor* to) {
  for (const auto& signature : model.signatures) {
    if (signature->subgraph != &subgraph) continue;
    for (auto* ends : {&signature->inputs, &signature->outputs}) {
      for (Signature::NamedTensor& end : *ends) {
        if (end.tensor == from) end.tensor = to;
      }
    }
  }
}

Op& AddConversion(Subgraph& subgraph, size_t position, LiteRtOpCode code, Tensor& from,
                  Tensor& to) {
  Op& op = subgraph.InsertOp(position);
  op.code = code;
  op.version = 2;  // since when both take int8
  op.options = DefaultOptions(code);
  Subgraph::AddInput(op, &from);
  Subgraph::AddOutput(op, to);
  return op;
}

bool HasNoElements(const Tensor& tensor) {
  return std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end();
}

std::string WhyNotAsInput(const Tensor& input, const std::map<std::string, ValueRange>& ranges) {
  if (!IsIn(kInputTypes, input.element_type)) {
    return fmt::format("it can't fill inputs of {}", ElementTypeName(input.element_type));
  }
  const auto found = ranges.find(input.name);
  if (found == ranges.end() || !found->second) return "";
  const auto [low, high] = *found->second;
  const bool is_float = input.element_type != kLiteRtElementTypeInt32 &&
                        input.element_type != kLiteRtElementTypeInt64;
  if (is_float && low <= -1 && high >= 1) return "";
  return "an input must lie in a range that it does not keep to";
}

}  // namespace

bool MakeEndsFloat(Model& model) {
  Subgraph& subgraph = model.main_subgraph();
  bool any = false;
  for (Tensor*& input : subgraph.inputs) {
    if (!IsQuantizedWhole(*input)) continue;
    Tensor& added = AddFloatLike(subgraph, *input);
    Rename(model, subgraph, input, &added);
    AddConversion(subgraph, 0, kLiteRtOpCodeTflQuantize, added, *input);
    input = &added;
    any = true;
  }
  for (Tensor*& output : subgraph.outputs) {
    if (!IsQuantizedWhole(*output)) continue;
    Tensor& added = AddFloatLike(subgraph, *output);
    Rename(model, subgraph, output, &added);
    AddConversion(subgraph, subgraph.ops().size(), kLiteRtOpCodeTflDequantize, *output, added);
    output = &added;
    any = true;
  }
  return any;
}

std::string WhyNotForAts(const Model& model,
                         const std::map<std::string, ValueRange>& input_ranges) {
  if (model.subgraphs().size() != 1) return "it takes models of one subgraph";
  const Subgraph& subgraph = model.main_subgraph();
  if (subgraph.inputs.empty() || subgraph.outputs.empty()) return "there is no input or no output";
  for (const auto& tensor : subgraph.tensors()) {
    if (tensor->is_variable) return "LiteRT does not load variables";
    if (tensor->is_dynamic()) return "a dimension is dynamic";
  }
  for (const auto& op : subgraph.ops()) {
    if (op->code == kLiteRtOpCodeTflCustom) return "LiteRT's CPU does not know the custom op";
  }
  for (const Tensor* input : subgraph.inputs) {
    if (HasNoElements(*input)) return "a tensor has no elements";
    if (std::string why = WhyNotAsInput(*input, input_ranges); !why.empty()) return why;
  }
  for (const Tensor* output : subgraph.outputs) {
    if (HasNoElements(*output)) return "a tensor has no elements";
    if (!IsIn(kOutputTypes, output->element_type)) {
      return fmt::format("it can't compare outputs of {}", ElementTypeName(output->element_type));
    }
  }
  return "";
}

}  // namespace npukit::conformance
