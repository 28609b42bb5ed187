// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/graph_model.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <vector>

#include "conformance/oracle/constant_file.h"
#include "conformance/spec/claims/claim_match.h"
#include "conformance/spec/graph/flex_attributes.h"
#include "conformance/spec/graph/networks.h"
#include "conformance/spec/graph/op_option_reader.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/op_node.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/graph/fixed_shapes.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/model/reading/model_reader.h"

namespace npukit::conformance {
namespace {

// Unary operators that keep type, shape and quantisation: candidates for UNCLAIMED_UNARY, in order
// of preference.
constexpr LiteRtOpCode kUnaryCandidates[] = {
    kLiteRtOpCodeTflFloor,   kLiteRtOpCodeTflCeil,     kLiteRtOpCodeTflNeg,
    kLiteRtOpCodeTflAbs,     kLiteRtOpCodeTflCos,      kLiteRtOpCodeTflSin,
    kLiteRtOpCodeTflSquare,  kLiteRtOpCodeTflElu,      kLiteRtOpCodeTflTanh,
    kLiteRtOpCodeTflRelu,    kLiteRtOpCodeTflQuantize, kLiteRtOpCodeTflSoftmax,
    kLiteRtOpCodeTflRelu0To1};

class GraphModeler {
 public:
  GraphModeler(const Claims* claims, uint64_t seed) : claims_(claims), seed_(seed) {}

  litert::Expected<CaseModel> Build(const GraphSpec& graph) {
    std::vector<size_t> positions;  // of the graph's subgraphs among the model's
    for (size_t i = 0; i < graph.subgraphs.size(); ++i) {
      if (i > 0) builder_.BeginSubgraph(fmt::format("subgraph_{}", i));
      positions.push_back(builder_.model().subgraphs().size() - 1);
      LITERT_RETURN_IF_ERROR(AddSubgraph(graph.subgraphs[i], /*is_root=*/true));
    }
    LITERT_RETURN_IF_ERROR(RedirectReferences(positions));
    CaseModel result;
    LITERT_ASSIGN_OR_RETURN(result.model, builder_.Build());
    result.input_ranges = std::move(ranges_);
    return result;
  }

 private:
  using Names = std::map<std::string, Tensor*>;

  Subgraph& current() { return *builder_.model().subgraphs()[current_index_]; }

  static Quantization MakeQuantization(const QuantSpec& spec, const std::vector<int32_t>& shape) {
    if (!spec.axis) {
      if (spec.scales.empty()) return {};  // blockwise: SetBlockwise
      return PerTensor(spec.scales.front(),
                       spec.zero_points.empty() ? 0 : spec.zero_points.front());
    }
    std::vector<float> scales = spec.scales;
    const auto axis = static_cast<size_t>(*spec.axis);
    const size_t channels =
        axis < shape.size() ? static_cast<size_t>(std::max(shape[axis], 1)) : scales.size();
    if (scales.size() == 1) {
      // One scale for many channels: spread around it, each its own.
      const float base = scales.front();
      scales.resize(channels);
      for (size_t i = 0; i < channels; ++i)
        // 37 is odd, so that 64 neighbours have 64 scales.
        scales[i] = base * (0.5f + static_cast<float>(i * 37 % 64) / 64.0f);
    }
    std::vector<int64_t> zero_points = spec.zero_points;
    if (zero_points.size() <= 1)
      zero_points.resize(channels, zero_points.empty() ? 0 : zero_points.front());
    return PerChannel(std::move(scales), *spec.axis, std::move(zero_points));
  }

  static Quantization QuantizationOf(const TensorSpec& spec) {
    return spec.quant ? MakeQuantization(*spec.quant, *spec.shape) : Quantization{};
  }

  litert::Expected<void> AddSubgraph(const SubgraphSpec& spec, bool is_root) {
    Names names;
    current_index_ = builder_.model().subgraphs().size() - 1;
    const size_t index = current_index_;
    if (!spec.name.empty()) current().name = spec.name;
    for (const TensorSpec& input : spec.inputs) {
      names[input.name] =
          builder_.Input(input.name, *input.type, *input.shape, QuantizationOf(input));
      if (is_root && input.range) ranges_[input.name] = input.range;
    }
    for (const TensorSpec& constant : spec.constants) {
      LITERT_ASSIGN_OR_RETURN(names[constant.name], AddConstant(constant));
      constants_[constant.name] = names[constant.name];
    }
    for (const TensorSpec& variable : spec.variables) {
      Tensor* tensor =
          builder_.Value(variable.name, *variable.type, *variable.shape, QuantizationOf(variable));
      tensor->is_variable = true;
      names[variable.name] = tensor;
    }
    for (const OpSpec& op : spec.ops) LITERT_RETURN_IF_ERROR(AddOp(op, names, index));
    for (const std::string& output : spec.outputs) builder_.Output(names.at(output));
    for (const auto* tensors : {&spec.inputs, &spec.constants, &spec.variables}) {
      for (const TensorSpec& tensor : *tensors) LITERT_RETURN_IF_ERROR(SetBlockwise(tensor, names));
    }
    for (const OpSpec& op : spec.ops) {
      for (const TensorSpec& output : op.outputs)
        LITERT_RETURN_IF_ERROR(SetBlockwise(output, names));
    }
    if (!spec.signature.empty()) AddSignature(spec, names);
    return {};
  }

  void AddSignature(const SubgraphSpec& spec, const Names& names) {
    builder_.AddSignature(spec.signature);
    Signature& signature = *builder_.model().signatures.back();
    const auto replace = [&](const auto& ports, auto& named) {
      if (ports.empty()) return;
      named.clear();
      for (const auto& [name, tensor] : ports) named.push_back({name, names.at(tensor)});
    };
    replace(spec.signature_inputs, signature.inputs);
    replace(spec.signature_outputs, signature.outputs);
  }

  // Where the tensors with the scales are known.
  static litert::Expected<void> SetBlockwise(const TensorSpec& spec, const Names& names) {
    if (!spec.quant || spec.quant->scales_tensor.empty()) return {};
    const auto index = [&](const std::string& name) -> litert::Expected<int32_t> {
      if (name.empty()) return -1;
      const auto found = names.find(name);
      if (found == names.end()) return SpecError(spec.at, "unknown tensor '" + name + "'");
      return static_cast<int32_t>(found->second->index);
    };
    BlockwiseQuantization blockwise{.block_size_elems = spec.quant->block_size_elems};
    LITERT_ASSIGN_OR_RETURN(blockwise.scales_tensor, index(spec.quant->scales_tensor));
    LITERT_ASSIGN_OR_RETURN(blockwise.zero_points_tensor, index(spec.quant->zero_points_tensor));
    names.at(spec.name)->quantization.blockwise = blockwise;
    return {};
  }

  // Options count the graph's subgraphs; between those stand decompositions. A composite's own
  // reference is right already.
  litert::Expected<void> RedirectReferences(const std::vector<size_t>& positions) {
    for (size_t position : positions) {
      for (const auto& op : builder_.model().subgraph(position).ops()) {
        if (op->OptionsAs<StableHLOCompositeOptions>() != nullptr) continue;
        bool is_known = true;
        EditSubgraphReferences(op->options, [&](const char*, int32_t& index) {
          if (index < 0) return;
          is_known &= static_cast<size_t>(index) < positions.size();
          if (is_known) index = static_cast<int32_t>(positions[static_cast<size_t>(index)]);
        });
        if (!is_known) {
          return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                    OpName(*op) + " names a subgraph that the graph does not have");
        }
      }
    }
    return {};
  }

  litert::Expected<Tensor*> AddConstant(const TensorSpec& spec) {
    if (spec.buffer.empty()) return AddOwnConstant(spec);
    const auto found = buffers_.find(spec.buffer);
    if (found == buffers_.end()) {
      LITERT_ASSIGN_OR_RETURN(Tensor * first, AddOwnConstant(spec));
      return buffers_[spec.buffer] = first;
    }
    const auto wrong = [&](const std::string& why) {
      return SpecError(spec.at, fmt::format("tensor '{}': {} buffer '{}', which '{}' has",
                                            spec.name, why, spec.buffer, found->second->name));
    };
    if (spec.has_data) return wrong("has data of its own beside");
    const uint64_t size_bytes = found->second->weights.bytes().size();
    const auto needed = DenseBytes(*spec.type, *spec.shape);
    if (needed && *needed != size_bytes)
      return wrong(fmt::format("needs {} bytes and not the {} of", *needed, size_bytes));
    return builder_.SharedConstant(spec.name, *spec.type, *spec.shape, *found->second,
                                   QuantizationOf(spec));
  }

  litert::Expected<Tensor*> AddOwnConstant(const TensorSpec& spec) {
    if (spec.data.pattern == DataSpec::Pattern::kFile) {
      auto bytes = ReadConstantFile(spec.data.file, *spec.type, *spec.shape);
      if (!bytes)
        return SpecError(spec.at, "tensor '" + spec.name + "': " + bytes.Error().Message());
      return builder_.Constant(spec.name, *spec.type, *spec.shape, *bytes, QuantizationOf(spec));
    }
    auto bytes = spec.data.pattern == DataSpec::Pattern::kLike
                     ? BytesLike(spec)
                     : MakeTensorData(*spec.type, *spec.shape, spec.data, spec.range,
                                      HashText(spec.name, seed_));
    if (!bytes) return SpecError(spec.at, "tensor '" + spec.name + "': " + bytes.Error().Message());
    return builder_.Constant(spec.name, *spec.type, *spec.shape, *bytes, QuantizationOf(spec));
  }

  // Those of the other constant, but for the highest bit of one element: a number's sign.
  litert::Expected<std::vector<uint8_t>> BytesLike(const TensorSpec& spec) const {
    const auto other = constants_.find(spec.data.like);
    if (other == constants_.end() || other->second->element_type != *spec.type ||
        other->second->shape != *spec.shape) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                "no constant of its type and shape is called '" + spec.data.like +
                                    "' and stands before it");
    }
    const std::span<const uint8_t> from = other->second->weights.bytes();
    std::vector<uint8_t> bytes(from.begin(), from.end());
    if (bytes.empty()) return bytes;
    const auto bits = static_cast<size_t>(ElementBits(*spec.type));
    size_t elems = 1;
    for (const int32_t dim : *spec.shape) elems *= static_cast<size_t>(dim);
    const size_t places[] = {0, elems / 2, elems - 1};
    const size_t sign = (places[static_cast<size_t>(spec.data.place)] + 1) * bits - 1;
    bytes[sign / 8] = static_cast<uint8_t>(bytes[sign / 8] ^ (1 << sign % 8));
    return bytes;
  }

  litert::Expected<void> AddOp(const OpSpec& spec, Names& names, size_t index) {
    std::vector<Tensor*> inputs;
    for (const std::string& input : spec.inputs)
      inputs.push_back(input.empty() ? nullptr : names.at(input));
    std::vector<Tensor*> outputs;
    const size_t typed = TypedInput(spec.code);
    const Tensor* like = typed < inputs.size() ? inputs[typed] : nullptr;
    for (const TensorSpec& output : spec.outputs) outputs.push_back(AddOutput(output, like));
    LITERT_ASSIGN_OR_RETURN(Op * op, AddBareOp(spec, inputs, outputs, index));
    if (spec.is_unclaimed()) {
      LITERT_RETURN_IF_ERROR(ChooseUnclaimed(spec, *op));
    }
    LITERT_RETURN_IF_ERROR(InferShapes(spec, *op));
    for (const TensorSpec& inner : spec.intermediates) {
      names[inner.name] =
          builder_.Value(inner.name, *inner.type, *inner.shape, QuantizationOf(inner));
      op->intermediates.push_back(names[inner.name]);
    }
    for (size_t i = 0; i < spec.outputs.size(); ++i) names[spec.outputs[i].name] = outputs[i];
    return {};
  }

  // Type and quantisation of `like`, which may be null, stand in for what the suite leaves out.
  Tensor* AddOutput(const TensorSpec& spec, const Tensor* like) {
    const LiteRtElementType type = spec.type         ? *spec.type
                                   : like != nullptr ? like->element_type
                                                     : kLiteRtElementTypeFloat32;
    const std::vector<int32_t> shape = spec.shape.value_or(std::vector<int32_t>{});
    Quantization quantization;
    if (spec.quant) {
      quantization = MakeQuantization(*spec.quant, shape);
    } else if (!spec.type && like != nullptr) {
      quantization = like->quantization;
    }
    return builder_.Value(spec.name, type, shape, std::move(quantization));
  }

  litert::Expected<Op*> AddBareOp(const OpSpec& spec, const std::vector<Tensor*>& inputs,
                                  const std::vector<Tensor*>& outputs, size_t index) {
    if (spec.name.starts_with("custom:")) {
      Op* op = builder_.AddCustomOp(spec.name.substr(7), spec.custom_options, inputs, outputs);
      op->version = spec.version;
      return op;
    }
    if (!spec.is_composite())
      return builder_.AddOp(spec.code, spec.options, inputs, outputs, spec.version);
    const int32_t body = builder_.BeginSubgraph(
        fmt::format("{}_{}", spec.name, builder_.model().subgraphs().size()));
    LITERT_RETURN_IF_ERROR(AddSubgraph(*spec.decomposition, /*is_root=*/false));
    const Subgraph& decomposition = builder_.model().subgraph(static_cast<size_t>(body));
    builder_.SelectSubgraph(static_cast<int32_t>(index));
    current_index_ = index;
    for (size_t i = 0; i < outputs.size() && i < decomposition.outputs.size(); ++i) {
      if (!spec.outputs[i].shape) outputs[i]->shape = decomposition.outputs[i]->shape;
    }
    Op* op = builder_.AddComposite(spec.name, body, inputs, outputs);
    auto& options = *op->options.As<StableHLOCompositeOptions>();
    if (const auto* given = spec.options.As<StableHLOCompositeOptions>(); given != nullptr) {
      options.composite_attributes = given->composite_attributes;
      options.composite_attributes_format = given->composite_attributes_format;
      options.version = given->version;
    }
    if (!spec.attributes.empty()) options.composite_attributes = EncodeAttributes(spec.attributes);
    return op;
  }

  // The first candidate that the host can run on this type and the vendor does not claim.
  litert::Expected<void> ChooseUnclaimed(const OpSpec& spec, Op& op) {
    for (LiteRtOpCode code : kUnaryCandidates) {
      op.code = code;
      op.options = DefaultOpOptions(code);
      if (!InferShapes(spec, op)) continue;
      if (claims_ == nullptr || !MatchClaim(*claims_, op).claimed) return {};
    }
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              "every operator that could stand for UNCLAIMED_UNARY is claimed");
  }

  // Sets the shapes that the suite leaves out.
  static litert::Expected<void> InferShapes(const OpSpec& spec, Op& op) {
    const bool complete =
        std::all_of(spec.outputs.begin(), spec.outputs.end(),
                    [](const TensorSpec& output) { return output.shape.has_value(); });
    if ((complete && !spec.is_unclaimed()) || spec.is_composite()) return {};
    const auto inferred = kernels::InferOp(op);
    if (!inferred)
      return SpecError(spec.at, "the output's shape is not given and can't be inferred: " +
                                    inferred.Error().Message());
    if (inferred->needs_value_of)
      return SpecError(spec.at, "the output's shape depends on values: give it");
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      if (!spec.outputs[i].shape) op.outputs[i]->shape = inferred->shapes[i];
    }
    return {};
  }

  const Claims* claims_;
  uint64_t seed_;
  size_t current_index_ = 0;
  ModelBuilder builder_;
  std::map<std::string, ValueRange> ranges_;
  std::map<std::string, const Tensor*> constants_;
  std::map<std::string, Tensor*> buffers_;  // the first tensor of each shared one
};

}  // namespace

litert::Expected<CaseModel> MakeModel(const GraphSpec& graph, const Claims* claims, uint64_t seed) {
  return GraphModeler(claims, seed).Build(graph);
}

litert::Expected<CaseModel> MakeCaseModel(const CaseSpec& spec, const Claims* claims,
                                          uint64_t seed) {
  CaseModel result;
  for (const auto& [name, range] : spec.input_ranges) result.input_ranges[name] = range;
  if (spec.model_bytes != nullptr) {
    LITERT_ASSIGN_OR_RETURN(result.model, ParseModel(SharedBytes::Copy(*spec.model_bytes)));
    return result;
  }
  if (spec.graph != nullptr) return MakeModel(*spec.graph, claims, seed);
  if (!spec.network.empty()) {
    LITERT_ASSIGN_OR_RETURN(result.model, BuildNetwork(spec.network));
  } else {
    LITERT_ASSIGN_OR_RETURN(result.model, LoadModel(spec.model_path));
    // As users compile it.
    FixDynamicShapes(*result.model);
  }
  return result;
}

}  // namespace npukit::conformance
