// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/testing/operator_types.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/oracle/tensor_data.h"
#include "conformance/spec/claims/claim_match.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

using kernels::testing::NodeSpec;
using NodeTensor = kernels::testing::TensorSpec;
using Types = std::vector<LiteRtElementType>;

const Types& AllTypes() {
  static const Types types = [] {
    Types found;
    // Those that abi 2.1 names, and so suites can.
    for (int number = kLiteRtElementTypeFloat32; number <= kLiteRtElementTypeInt2; ++number) {
      const auto type = static_cast<LiteRtElementType>(number);
      if (ElementBits(type) > 0) found.push_back(type);
    }
    return found;
  }();
  return types;
}

std::vector<NodeTensor*> TensorsOf(NodeSpec& node) {
  std::vector<NodeTensor*> tensors;
  for (NodeTensor& input : node.inputs) {
    if (!input.is_omitted) tensors.push_back(&input);
  }
  for (NodeTensor& output : node.outputs) tensors.push_back(&output);
  return tensors;
}

bool IsQuantizable(LiteRtElementType type) {
  switch (type) {
    case kLiteRtElementTypeInt4:
    case kLiteRtElementTypeInt8:
    case kLiteRtElementTypeUInt8:
    case kLiteRtElementTypeInt16:
      return true;
    default:
      return false;
  }
}

// How the tensors of a try are quantised. Operators fix the scale of some results.
enum class Scales { kNone, kAlike, kNodes, kHalfOpen, kSigned };
constexpr Scales kAllScales[] = {Scales::kNone, Scales::kAlike, Scales::kNodes, Scales::kHalfOpen,
                                 Scales::kSigned};

using KnownScales = std::map<LiteRtElementType, Quantization>;

Quantization ScaleOf(Scales scales, LiteRtElementType type, bool is_output,
                     const KnownScales& known) {
  if (scales == Scales::kNone || !IsQuantizable(type)) return {};
  if (!is_output || scales == Scales::kAlike) return PerTensor(0.05f);
  if (const auto found = known.find(type); scales == Scales::kNodes && found != known.end())
    return found->second;
  // Of [0, 1) and [-1, 1) in all steps of the type.
  if (type == kLiteRtElementTypeInt16) return PerTensor(1.0f / 32768);
  const bool half = scales == Scales::kHalfOpen;
  const int64_t middle = type == kLiteRtElementTypeUInt8 ? 128 : 0;
  return PerTensor(half ? 1.0f / 256 : 1.0f / 128, half ? middle - 128 : middle);
}

// Of types of whole bytes.
std::vector<double> IntegersOf(LiteRtElementType type, std::span<const uint8_t> bytes) {
  const auto width = static_cast<size_t>(ElementBits(type) / 8);
  const bool is_unsigned = ElementTypeName(type).starts_with("u");
  std::vector<double> values;
  for (size_t at = 0; width > 0 && at + width <= bytes.size(); at += width) {
    const bool negative = !is_unsigned && (bytes[at + width - 1] & 0x80) != 0;
    int64_t value = negative ? -1 : 0;
    std::memcpy(&value, bytes.data() + at, width);  // little-endian
    values.push_back(static_cast<double>(value));
  }
  return values;
}

std::vector<uint8_t> ValuesIn(const NodeTensor& tensor, LiteRtElementType type) {
  DataSpec data{.pattern = DataSpec::Pattern::kOnes, .values = {}};
  if (!tensor.constant.empty() && DenseBytes(tensor.type, tensor.shape) == tensor.constant.size()) {
    data.pattern = DataSpec::Pattern::kValues;
    const auto read = kernels::OracleTensor::FromBytes(tensor.type, tensor.shape, tensor.constant);
    data.values = read.is_float() ? read.values : IntegersOf(tensor.type, tensor.constant);
  }
  auto bytes = MakeTensorData(type, tensor.shape, data, std::nullopt, 1);
  return bytes ? std::move(*bytes) : std::vector<uint8_t>();
}

bool IsAccepted(const NodeSpec& node, const Types& types, const KnownScales& known) {
  NodeSpec tried = node;
  const std::vector<NodeTensor*> tensors = TensorsOf(tried);
  const size_t first_output = tensors.size() - tried.outputs.size();
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (i < first_output && !tensors[i]->is_variable) {
      tensors[i]->constant = ValuesIn(*tensors[i], types[i]);
      if (tensors[i]->constant.empty()) return false;
    }
    tensors[i]->type = types[i];
  }
  return std::any_of(std::begin(kAllScales), std::end(kAllScales), [&](Scales scales) {
    for (size_t i = 0; i < tensors.size(); ++i)
      tensors[i]->quantization = ScaleOf(scales, types[i], i >= first_output, known);
    return static_cast<bool>(kernels::testing::TryNode(tried));
  });
}

std::string Text(const NodeSpec& node, const Types& types) {
  NodeSpec named = node;
  const std::vector<NodeTensor*> tensors = TensorsOf(named);
  for (size_t i = 0; i < types.size(); ++i) tensors[i]->type = types[i];
  return TypesOf(named);
}

void AddAccepted(const kernels::Operator& op, const NodeSpec& node, const KnownScales& known,
                 std::set<std::string>& accepted) {
  std::vector<bool> is_given_input;
  for (const NodeTensor& input : node.inputs) is_given_input.push_back(!input.is_omitted);
  op.signature().ForEachChoice(is_given_input, node.outputs.size(), AllTypes(),
                               [&](std::span<const LiteRtElementType> choice) {
                                 const Types types(choice.begin(), choice.end());
                                 std::string text = Text(node, types);
                                 if (!accepted.contains(text) && IsAccepted(node, types, known))
                                   accepted.insert(std::move(text));
                               });
}

}  // namespace

std::string TypesOf(const NodeSpec& node) {
  std::string text;
  for (const NodeTensor& input : node.inputs)
    text += (input.is_omitted ? "-" : ElementTypeName(input.type)) + " ";
  text += "->";
  for (const NodeTensor& output : node.outputs) text += " " + ElementTypeName(output.type);
  return text;
}

std::set<std::string> AcceptedTypes(const kernels::Operator& op, std::span<const NodeSpec> nodes) {
  KnownScales known;
  for (const NodeSpec& node : nodes) {
    for (const NodeTensor& output : node.outputs) {
      if (!output.quantization.scale.empty()) known[output.type] = output.quantization;
    }
  }
  std::set<std::string> accepted;
  for (const NodeSpec& node : nodes) AddAccepted(op, node, known, accepted);
  return accepted;
}

bool Allows(const kernels::Operator& op, const TypeClaim& claim) {
  const size_t typed = TypedInput(op.code);
  const auto clauses = op.signature().clauses();
  return std::any_of(clauses.begin(), clauses.end(), [&](const kernels::Signature::Clause& clause) {
    // Claims speak of the inputs that stand first; operators of many have one slot for all of them.
    const auto input = [&](size_t i) -> const kernels::Signature::Slot& {
      return clause.inputs[std::min(i, clause.inputs.size() - 1)];
    };
    std::optional<LiteRtElementType> variable;  // the type of all slots that share one
    const auto allows = [&](const kernels::Signature::Slot& slot, LiteRtElementType type) {
      if (!slot.types.Contains(type)) return false;
      if (!slot.is_variable) return true;
      return std::exchange(variable, type).value_or(type) == type;
    };
    return allows(input(typed), claim.in) && allows(clause.outputs[0], claim.out) &&
           (!claim.weights || allows(input(1), *claim.weights)) &&
           (!claim.bias || allows(input(2), *claim.bias));
  });
}

}  // namespace npukit::conformance
