// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/graph/graph_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>

#include "conformance/spec/graph/element_limits.h"
#include "conformance/spec/graph/op_option_reader.h"
#include "conformance/spec/graph/quant_reader.h"
#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

constexpr std::string_view kCompositePrefix = "composite:";

litert::Expected<SubgraphSpec> ReadSubgraph(const Value& value);

litert::Expected<std::vector<int32_t>> ReadShape(const Value& value) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, ReadIntegers(value, -1, kMaxDimension));
  if (dims.size() > kMaxRank) return SpecError(value.at, "a shape has at most 8 dimensions");
  return std::vector<int32_t>(dims.begin(), dims.end());
}

enum class TensorRole { kInput, kConstant, kOutput };

litert::Expected<TensorSpec> ReadTensor(const std::string& name, const Value& value,
                                        TensorRole role) {
  TensorSpec tensor;
  tensor.name = name;
  tensor.at = value.at;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "tensor '" + name + "'"));
  if (const Value* type = map.Optional("type"); type != nullptr) {
    LITERT_ASSIGN_OR_RETURN(tensor.type, ReadElementType(*type));
  }
  if (const Value* shape = map.Optional("shape"); shape != nullptr) {
    LITERT_ASSIGN_OR_RETURN(tensor.shape, ReadShape(*shape));
  }
  if (const Value* quant = map.Optional("quant"); quant != nullptr && !quant->is_null()) {
    LITERT_ASSIGN_OR_RETURN(tensor.quant, ReadQuant(*quant));
    tensor.quant->at = quant->at;
  }
  if (role != TensorRole::kOutput) {
    if (const Value* range = map.Optional("range"); range != nullptr) {
      LITERT_ASSIGN_OR_RETURN(const std::vector<double> ends, ReadNumbers(*range));
      if (ends.size() != 2 || ends[0] > ends[1])
        return SpecError(range->at, "expected a range [low, high]");
      tensor.range = std::make_pair(ends[0], ends[1]);
    }
    if (!tensor.type) return SpecError(value.at, "tensor '" + name + "' needs a key 'type'");
    if (!tensor.shape) return SpecError(value.at, "tensor '" + name + "' needs a key 'shape'");
  }
  if (tensor.shape && tensor.quant && tensor.quant->axis &&
      static_cast<size_t>(*tensor.quant->axis) >= tensor.shape->size()) {
    return SpecError(value.at, fmt::format("the 'axis' {} of '{}' is none of its {} dimensions",
                                           *tensor.quant->axis, name, tensor.shape->size()));
  }
  if (role == TensorRole::kConstant) {
    if (const Value* buffer = map.Optional("buffer"); buffer != nullptr) {
      LITERT_ASSIGN_OR_RETURN(tensor.buffer, ReadString(*buffer));
    }
    if (const Value* data = map.Optional("data"); data != nullptr) {
      tensor.has_data = true;
      LITERT_ASSIGN_OR_RETURN(tensor.data, ReadData(*data));
      if (data->is_list()) LITERT_RETURN_IF_ERROR(CheckElements(*data, *tensor.type));
    }
  }
  LITERT_RETURN_IF_ERROR(map.Finish());
  return tensor;
}

litert::Expected<std::vector<TensorSpec>> ReadTensors(const Value& value, TensorRole role) {
  std::vector<TensorSpec> tensors;
  if (value.is_null()) return tensors;
  if (!value.is_map())
    return SpecError(value.at, "expected a map of tensors, found " + value.Describe());
  for (const auto& [name, member] : value.members) {
    LITERT_ASSIGN_OR_RETURN(TensorSpec tensor, ReadTensor(name, member, role));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

// A name, a list of names, or a map of names to attributes.
litert::Expected<std::vector<TensorSpec>> ReadOpOutputs(const Value& value) {
  if (value.is_map()) return ReadTensors(value, TensorRole::kOutput);
  std::vector<TensorSpec> outputs;
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> names, ReadStrings(value));
  for (const std::string& name : names) {
    TensorSpec tensor;
    tensor.name = name;
    tensor.at = value.at;
    outputs.push_back(std::move(tensor));
  }
  return outputs;
}

litert::Expected<void> ReadOpName(const Value& value, OpSpec& op) {
  LITERT_ASSIGN_OR_RETURN(op.name, ReadString(value));
  if (op.is_unclaimed()) return {};
  if (op.name.starts_with("custom:")) return {};
  if (op.name.starts_with(kCompositePrefix)) {
    op.name = op.name.substr(kCompositePrefix.size());
    op.code = kLiteRtOpCodeShloComposite;
    return {};
  }
  if (op.name.find('.') != std::string::npos) {
    op.code = kLiteRtOpCodeShloComposite;
    return {};
  }
  const std::optional<LiteRtOpCode> code = OpCodeFromName(op.name);
  if (!code) {
    return SpecError(
        value.at,
        "unknown operator '" + op.name +
            "'; expected a builtin's name (ADD), a composite's (odml.rms_norm), custom:NAME or " +
            OpSpec::kUnclaimedUnary);
  }
  op.code = *code;
  return {};
}

litert::Expected<void> ReadComposite(MapReader& map, OpSpec& op) {
  const Value* attributes = map.Optional("attributes");
  const Value* decomposition = map.Optional("decomposition");
  if (!op.is_composite()) {
    if (attributes != nullptr || decomposition != nullptr) {
      return SpecError(op.at,
                       op.name + " is no composite: it has no attributes and no decomposition");
    }
    return {};
  }
  if (attributes != nullptr) {
    if (!attributes->is_map())
      return SpecError(attributes->at, "expected a map, found " + attributes->Describe());
    for (const auto& [name, member] : attributes->members) {
      LITERT_ASSIGN_OR_RETURN(const double number, ReadNumber(member));
      op.attributes.emplace_back(name, number);
    }
  }
  if (decomposition == nullptr)
    return SpecError(op.at, "composite " + op.name + " needs a key 'decomposition'");
  LITERT_ASSIGN_OR_RETURN(SubgraphSpec subgraph, ReadSubgraph(*decomposition));
  op.decomposition = std::make_shared<const SubgraphSpec>(std::move(subgraph));
  return {};
}

// Two hexadecimal digits a byte.
litert::Expected<std::vector<uint8_t>> ReadHex(const Value& value) {
  LITERT_ASSIGN_OR_RETURN(const std::string text, ReadString(value));
  std::vector<uint8_t> bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char* const digits = text.data() + 2 * i;
    const auto [end, error] = std::from_chars(digits, digits + 2, bytes[i], 16);
    if (error != std::errc() || end != digits + 2)
      return SpecError(value.at, "expected hexadecimal digits, two for each byte");
  }
  if (text.size() % 2 != 0) return SpecError(value.at, "expected two hexadecimal digits a byte");
  return bytes;
}

// What only models have, not cases of a suite.
litert::Expected<void> ReadOpExtras(MapReader& map, OpSpec& op) {
  if (const Value* version = map.Optional("version"); version != nullptr) {
    LITERT_ASSIGN_OR_RETURN(const int64_t number, ReadInteger(*version, 0, 1 << 20));
    op.version = static_cast<int32_t>(number);
  }
  if (const Value* inner = map.Optional("intermediates"); inner != nullptr) {
    LITERT_ASSIGN_OR_RETURN(op.intermediates, ReadTensors(*inner, TensorRole::kInput));
  }
  const Value* custom = map.Optional("custom_options");
  if (custom == nullptr) return {};
  if (!op.name.starts_with("custom:"))
    return SpecError(custom->at, op.name + " is no custom op: it has no custom_options");
  LITERT_ASSIGN_OR_RETURN(op.custom_options, ReadHex(*custom));
  return {};
}

litert::Expected<OpSpec> ReadOp(const Value& value) {
  OpSpec op;
  op.at = value.at;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "an op"));
  LITERT_ASSIGN_OR_RETURN(const Value* name, map.Required("op"));
  LITERT_RETURN_IF_ERROR(ReadOpName(*name, op));
  LITERT_ASSIGN_OR_RETURN(const Value* inputs, map.Required("in"));
  LITERT_ASSIGN_OR_RETURN(op.inputs, ReadStrings(*inputs));
  for (std::string& input : op.inputs) {
    if (input == "-") input.clear();
  }
  LITERT_ASSIGN_OR_RETURN(const Value* outputs, map.Required("out"));
  LITERT_ASSIGN_OR_RETURN(op.outputs, ReadOpOutputs(*outputs));
  LITERT_RETURN_IF_ERROR(ReadOpExtras(map, op));
  if (const Value* options = map.Optional("options"); options != nullptr) {
    LITERT_ASSIGN_OR_RETURN(op.options, ReadOpOptions(op.code, *options));
  } else {
    op.options = DefaultOpOptions(op.code);
  }
  LITERT_RETURN_IF_ERROR(ReadComposite(map, op));
  LITERT_RETURN_IF_ERROR(map.Finish());
  return op;
}

// Every name is defined once, and before it is used.
litert::Expected<void> CheckNames(const SubgraphSpec& subgraph) {
  std::set<std::string> known;
  auto define = [&](const TensorSpec& tensor) -> litert::Expected<void> {
    if (tensor.name.empty()) return SpecError(tensor.at, "a tensor needs a name");
    if (!known.insert(tensor.name).second)
      return SpecError(tensor.at, "tensor '" + tensor.name + "' stands twice");
    return {};
  };
  for (const TensorSpec& tensor : subgraph.inputs) LITERT_RETURN_IF_ERROR(define(tensor));
  for (const TensorSpec& tensor : subgraph.constants) LITERT_RETURN_IF_ERROR(define(tensor));
  for (const TensorSpec& tensor : subgraph.variables) LITERT_RETURN_IF_ERROR(define(tensor));
  for (const OpSpec& op : subgraph.ops) {
    for (const std::string& input : op.inputs) {
      if (!input.empty() && !known.contains(input))
        return SpecError(op.at, "op reads unknown tensor '" + input + "'");
    }
    for (const TensorSpec& output : op.outputs) LITERT_RETURN_IF_ERROR(define(output));
    for (const TensorSpec& inner : op.intermediates) LITERT_RETURN_IF_ERROR(define(inner));
  }
  for (const auto* ports : {&subgraph.signature_inputs, &subgraph.signature_outputs}) {
    for (const auto& [name, tensor] : *ports) {
      if (!known.contains(tensor))
        return SpecError(subgraph.at, "unknown tensor '" + tensor + "' in the signature");
    }
  }
  for (const std::string& output : subgraph.outputs) {
    if (!known.contains(output))
      return SpecError(subgraph.at, "unknown tensor '" + output + "' among the outputs");
  }
  return {};
}

// Names in the signature to names of tensors.
litert::Expected<std::vector<std::pair<std::string, std::string>>> ReadPorts(const Value* value) {
  std::vector<std::pair<std::string, std::string>> ports;
  if (value == nullptr) return ports;
  if (!value->is_map())
    return SpecError(value->at, "expected a map of names to tensors, found " + value->Describe());
  for (const auto& [name, member] : value->members) {
    LITERT_ASSIGN_OR_RETURN(std::string tensor, ReadString(member));
    ports.emplace_back(name, std::move(tensor));
  }
  return ports;
}

// A key, or {key, inputs, outputs}.
litert::Expected<void> ReadSignature(const Value& value, SubgraphSpec& subgraph) {
  if (!value.is_map()) {
    LITERT_ASSIGN_OR_RETURN(subgraph.signature, ReadName(value));
    return {};
  }
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a signature"));
  LITERT_ASSIGN_OR_RETURN(const Value* key, map.Required("key"));
  LITERT_ASSIGN_OR_RETURN(subgraph.signature, ReadString(*key));
  LITERT_ASSIGN_OR_RETURN(subgraph.signature_inputs, ReadPorts(map.Optional("inputs")));
  LITERT_ASSIGN_OR_RETURN(subgraph.signature_outputs, ReadPorts(map.Optional("outputs")));
  return map.Finish();
}

litert::Expected<SubgraphSpec> ReadSubgraph(const Value& value) {
  SubgraphSpec subgraph;
  subgraph.at = value.at;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a graph"));
  if (const Value* name = map.Optional("name"); name != nullptr) {
    LITERT_ASSIGN_OR_RETURN(subgraph.name, ReadString(*name));
  }
  if (const Value* signature = map.Optional("signature"); signature != nullptr)
    LITERT_RETURN_IF_ERROR(ReadSignature(*signature, subgraph));
  LITERT_ASSIGN_OR_RETURN(const Value* inputs, map.Required("inputs"));
  LITERT_ASSIGN_OR_RETURN(subgraph.inputs, ReadTensors(*inputs, TensorRole::kInput));
  if (const Value* constants = map.Optional("constants"); constants != nullptr) {
    LITERT_ASSIGN_OR_RETURN(subgraph.constants, ReadTensors(*constants, TensorRole::kConstant));
  }
  if (const Value* variables = map.Optional("variables"); variables != nullptr) {
    LITERT_ASSIGN_OR_RETURN(subgraph.variables, ReadTensors(*variables, TensorRole::kInput));
  }
  LITERT_ASSIGN_OR_RETURN(const Value* ops, map.Required("ops"));
  LITERT_RETURN_IF_ERROR(ExpectList(*ops));
  for (const Value& item : ops->items) {
    LITERT_ASSIGN_OR_RETURN(OpSpec op, ReadOp(item));
    subgraph.ops.push_back(std::move(op));
  }
  LITERT_ASSIGN_OR_RETURN(const Value* outputs, map.Required("outputs"));
  LITERT_ASSIGN_OR_RETURN(subgraph.outputs, ReadStrings(*outputs));
  LITERT_RETURN_IF_ERROR(map.Finish());
  LITERT_RETURN_IF_ERROR(CheckNames(subgraph));
  return subgraph;
}

}  // namespace

litert::Expected<LiteRtElementType> ReadElementType(const Value& value) {
  std::vector<std::string> names;
  // Types without a fixed size (strings, resources) have names and no data.
  for (int number = kLiteRtElementTypeFloat32; number < kElementTypeLimit; ++number) {
    const auto type = static_cast<LiteRtElementType>(number);
    const std::string name = ElementTypeName(type);
    if (name.starts_with("type ")) continue;  // no type of that number
    if (value.is_scalar() && value.text == name) return type;
    names.push_back(name);
  }
  return SpecError(
      value.at, "expected an element type (" + JoinChoices(names) + "), found " + value.Describe());
}

litert::Expected<GraphSpec> ReadGraph(const Value& value) {
  GraphSpec graph;
  if (!value.is_list()) {
    LITERT_ASSIGN_OR_RETURN(SubgraphSpec subgraph, ReadSubgraph(value));
    graph.subgraphs.push_back(std::move(subgraph));
    return graph;
  }
  if (value.items.empty()) return SpecError(value.at, "a graph needs a subgraph");
  for (const Value& item : value.items) {
    LITERT_ASSIGN_OR_RETURN(SubgraphSpec subgraph, ReadSubgraph(item));
    graph.subgraphs.push_back(std::move(subgraph));
  }
  return graph;
}

}  // namespace npukit::conformance
