// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/testing/operator_types.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

#include "conformance/oracle/tensor_data.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

using kernels::testing::NodeSpec;
using NodeTensor = kernels::testing::TensorSpec;
using Types = std::vector<LiteRtElementType>;

constexpr size_t kFewTensors = 3;

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

Types TypesIn(const NodeSpec& node) {
  Types types;
  for (const NodeTensor* tensor : TensorsOf(const_cast<NodeSpec&>(node)))
    types.push_back(tensor->type);
  return types;
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

// Every combination of `count` types.
std::vector<Types> Combinations(size_t count) {
  std::vector<Types> all(1);
  for (size_t i = 0; i < count; ++i) {
    std::vector<Types> longer;
    for (const Types& prefix : all) {
      for (LiteRtElementType type : AllTypes()) {
        longer.push_back(prefix);
        longer.back().push_back(type);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// One tensor, two, or all of one type changed to another type.
std::vector<Types> Neighbours(const Types& types) {
  std::vector<Types> all;
  auto change = [&](auto&& changes) {
    for (LiteRtElementType type : AllTypes()) {
      all.push_back(types);
      for (size_t i = 0; i < types.size(); ++i) {
        if (changes(i)) all.back()[i] = type;
      }
    }
  };
  for (size_t a = 0; a < types.size(); ++a) {
    change([&](size_t i) { return types[i] == types[a]; });
    // Nodes of very many tensors, an LSTM's, are of one type in groups.
    for (size_t b = 0; b <= a && types.size() < 8; ++b)
      change([&](size_t i) { return i == a || i == b; });
  }
  return all;
}

std::string Text(const NodeSpec& node, const Types& types) {
  NodeSpec named = node;
  const std::vector<NodeTensor*> tensors = TensorsOf(named);
  for (size_t i = 0; i < types.size(); ++i) tensors[i]->type = types[i];
  return TypesOf(named);
}

void AddAccepted(const NodeSpec& node, const KnownScales& known, std::set<std::string>& accepted) {
  const Types own = TypesIn(node);
  std::set<Types> seen;
  std::deque<Types> to_try;
  if (own.size() <= kFewTensors) {
    for (Types& types : Combinations(own.size())) to_try.push_back(std::move(types));
  } else {
    to_try.push_back(own);
    for (Types& types : Neighbours(own)) to_try.push_back(std::move(types));
  }
  while (!to_try.empty()) {
    const Types types = std::move(to_try.front());
    to_try.pop_front();
    if (!seen.insert(types).second || !IsAccepted(node, types, known)) continue;
    const bool is_new = accepted.insert(Text(node, types)).second;
    if (!is_new || own.size() <= kFewTensors) continue;
    for (Types& next : Neighbours(types)) to_try.push_back(std::move(next));
  }
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

std::set<std::string> AcceptedTypes(std::span<const NodeSpec> nodes) {
  KnownScales known;
  for (const NodeSpec& node : nodes) {
    for (const NodeTensor& output : node.outputs) {
      if (!output.quantization.scale.empty()) known[output.type] = output.quantization;
    }
  }
  std::set<std::string> accepted;
  std::set<size_t> enumerated;  // numbers of tensors with which everything has been asked
  for (const NodeSpec& node : nodes) {
    const size_t tensors = TypesIn(node).size();
    if (tensors <= kFewTensors && !enumerated.insert(tensors).second) continue;
    AddAccepted(node, known, accepted);
  }
  return accepted;
}

}  // namespace npukit::conformance
