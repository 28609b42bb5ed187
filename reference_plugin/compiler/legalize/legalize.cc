// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/legalize.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "litert/c/litert_model.h"
#include "reference_plugin/compiler/legalize/block_quantization.h"
#include "reference_plugin/compiler/legalize/dequantized_constant.h"
#include "reference_plugin/compiler/legalize/support.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/movement/resize.h"
#include "reference_plugin/compiler/network/erase_layers.h"

namespace acme::compiler {
namespace {

std::optional<Dtype> DtypeOf(litert::ElementType type) {
  switch (type) {
    case litert::ElementType::Int8:
      return Dtype::kI8;
    case litert::ElementType::UInt8:
      return Dtype::kU8;
    case litert::ElementType::Int16:
      return Dtype::kI16;
    case litert::ElementType::Int32:
      return Dtype::kI32;
    case litert::ElementType::Float32:
      return Dtype::kF32;
    case litert::ElementType::Int64:
      return Dtype::kI64;
    case litert::ElementType::Bool:
      return Dtype::kBool;
    default:
      return std::nullopt;
  }
}

std::string Named(const litert::Tensor& tensor) {
  return fmt::format("tensor '{}' ", std::string_view(tensor.Name()));
}

Expected<void> ReadQuantization(const litert::Tensor& tensor, Int4 int4, TensorInfo& info) {
  switch (tensor.QTypeId()) {
    case kLiteRtQuantizationNone:
      return {};
    case kLiteRtQuantizationPerTensor: {
      const LiteRtQuantizationPerTensor quantization = tensor.PerTensorQuantization();
      info.scales = {quantization.scale};
      info.zero_points = {quantization.zero_point};
      break;
    }
    case kLiteRtQuantizationPerChannel: {
      const LiteRtQuantizationPerChannel quantization = tensor.PerChannelQuantization();
      info.scales.assign(quantization.scales, quantization.scales + quantization.num_channels);
      info.zero_points.assign(quantization.zero_points,
                              quantization.zero_points + quantization.num_channels);
      info.quantized_dimension = quantization.quantized_dimension;
      break;
    }
    default:
      if (int4 == Int4::kTakenInBlocks && info.value.int4)
        return ReadBlockQuantization(tensor, info);
      return Unsupported(Named(tensor) + "is quantised blockwise");
  }
  for (float scale : info.scales) {
    if (!std::isfinite(scale) || scale <= 0.0f)
      return Unsupported(Named(tensor) + "has a scale that is not a positive number");
  }
  return {};
}

}  // namespace

Error Unsupported(std::string reason) {
  return Error(ErrorCode::kInvalidArgument, std::move(reason));
}

Error DoesNotFit(const Hardware& hardware) {
  return Unsupported(
      fmt::format("its smallest tile does not fit the scratchpad of {}", hardware.name));
}

std::string DtypeName(Dtype dtype) {
  switch (dtype) {
    case Dtype::kI8:
      return "int8";
    case Dtype::kU8:
      return "uint8";
    case Dtype::kI16:
      return "int16";
    case Dtype::kI32:
      return "int32";
    case Dtype::kF32:
      return "float32";
    case Dtype::kI64:
      return "int64";
    case Dtype::kBool:
      return "bool";
  }
  return "?";
}

std::string ShapeName(const std::vector<int32_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

Expected<Activation> ReadActivation(uint32_t schema_value) {
  switch (schema_value) {
    case 0:
      return Activation::kNone;
    case 1:
      return Activation::kRelu;
    case 2:
      return Activation::kReluN1To1;
    case 3:
      return Activation::kRelu6;
    case 4:
      return Unsupported("the fused activation TANH is not supported");
    case 5:
      return Unsupported("the fused activation SIGN_BIT is not supported");
    default:
      return Unsupported(fmt::format("the fused activation {} is unknown", schema_value));
  }
}

Expected<TensorInfo> ReadTensor(const litert::Tensor& tensor, Int4 int4) {
  TensorInfo info;
  info.value.name = std::string(tensor.Name());
  const auto type = tensor.RankedTensorType();
  if (!type) return Unsupported(Named(tensor) + "has no rank");
  info.value.int4 = int4 != Int4::kRefused && type->ElementType() == litert::ElementType::Int4 &&
                    tensor.IsConstant();
  const std::optional<Dtype> dtype = info.value.int4 ? Dtype::kI8 : DtypeOf(type->ElementType());
  if (!dtype) return Unsupported(Named(tensor) + "has an element type that the NPU does not have");
  info.value.dtype = *dtype;
  int64_t elems = 1;
  for (int32_t dim : type->Layout().Dimensions()) {
    if (dim < 0) return Unsupported(Named(tensor) + "has a dynamic dimension");
    if (dim == 0) return Unsupported(Named(tensor) + "has no elements");
    elems *= dim;
    // Strides in DRAM are signed 32-bit fields.
    // Asked at each dimension, so that the product never overflows.
    if (elems * SizeBytes(*dtype) >= (int64_t{1} << 31))
      return Unsupported(Named(tensor) + "has 2^31 bytes or more");
    info.value.shape.push_back(dim);
  }
  ACME_RETURN_IF_ERROR(ReadQuantization(tensor, int4, info));
  if (tensor.IsConstant()) {
    const auto bytes = tensor.Weights().Bytes();
    if (static_cast<int64_t>(bytes.size()) != info.value.Bytes()) {
      return Unsupported(fmt::format("{}holds {} bytes, its shape needs {}", Named(tensor),
                                     bytes.size(), info.value.Bytes()));
    }
    info.value.constant = {bytes.data(), bytes.size()};
  } else if (info.value.dtype == Dtype::kF32) {
    // What can't be dequantised here is computed by the CPU.
    if (auto made = DequantizeConstant(tensor, info.value.Elems()); made && *made != nullptr) {
      info.value.owned = std::move(*made);
      info.value.constant = *info.value.owned;
      info.dequantized = true;
    }
  }
  return info;
}

Expected<ValueId> NetworkBuilder::AddTensor(const litert::Tensor& tensor, Int4 int4) {
  const auto [it, inserted] =
      ids_.try_emplace(tensor.Get(), static_cast<ValueId>(network_.values.size()));
  if (!inserted) return it->second;
  ACME_ASSIGN_OR_RETURN(TensorInfo info, ReadTensor(tensor, int4));
  network_.values.push_back(std::move(info.value));
  return it->second;
}

ValueId NetworkBuilder::Find(const litert::Tensor& tensor) const {
  const auto found = ids_.find(tensor.Get());
  return found == ids_.end() ? kNoValue : found->second;
}

Expected<void> NetworkBuilder::AddLayer(const litert::Tensor& output,
                                        std::shared_ptr<const LayerOp> op) {
  ACME_ASSIGN_OR_RETURN(const ValueId id, AddTensor(output));
  AddLayer(id, std::move(op));
  return {};
}

void NetworkBuilder::AddLayer(ValueId output, std::shared_ptr<const LayerOp> op) {
  Layer layer;
  layer.output = output;
  layer.op = std::move(op);
  network_.layers.push_back(std::move(layer));
}

ValueId NetworkBuilder::AddValue(std::string name, Dtype dtype, std::vector<int32_t> shape) {
  Value value;
  value.name = std::move(name);
  value.dtype = dtype;
  value.shape = std::move(shape);
  network_.values.push_back(std::move(value));
  return static_cast<ValueId>(network_.values.size()) - 1;
}

ValueId NetworkBuilder::AddConstant(std::string name, Dtype dtype, std::vector<int32_t> shape,
                                    std::vector<uint8_t> bytes) {
  const ValueId id = AddValue(std::move(name), dtype, std::move(shape));
  Value& value = network_.values[static_cast<size_t>(id)];
  value.owned = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  value.constant = *value.owned;
  return id;
}

Expected<void> LegalizeOp(const litert::Op& op, int32_t source_op, const Hardware& hardware,
                          NetworkBuilder& builder) {
  std::vector<Layer>& layers = builder.network().layers;
  const size_t first = layers.size();
  const auto add = [&](auto legalize) -> Expected<void> {
    ACME_RETURN_IF_ERROR(legalize(op, hardware, builder));
    const auto outputs = op.Outputs();
    const ValueId result = outputs.empty() ? kNoValue : builder.Find(outputs[0]);
    for (size_t i = first; i < layers.size(); ++i) {
      layers[i].source_op = source_op;
      layers[i].is_result = layers[i].output == result;
      layers[i].name = builder.network().value(layers[i].output).name;
    }
    return {};
  };
  switch (op.Code()) {
#define ACME_OPERATOR(code, name, function, types, scales, min_inputs, max_inputs) \
  case code:                                                                       \
    return add(function);
#include "reference_plugin/compiler/legalize/operators.def"
#undef ACME_OPERATOR
    default:
      return Unsupported(WhyLeftOut(op.Code()));
  }
}

namespace {

int32_t DefiningIndex(const litert::Tensor& tensor, const litert::Subgraph& subgraph) {
  const auto defining = tensor.DefiningOp();
  int32_t index = 0;
  for (const litert::Op& op : subgraph.Ops()) {
    if (defining && defining->op == op.Get()) return index;
    ++index;
  }
  return 0;
}

// A result that is known now, for a reader outside: a constant that was dequantised.
ValueId AddCopy(ValueId constant, int32_t source_op, NetworkBuilder& builder) {
  const Value from = builder.network().value(constant);
  const ValueId copy = builder.AddValue(from.name, from.dtype, from.shape);
  auto move = std::make_shared<Move>();
  move->pieces = {{.from = constant, .dims = {{static_cast<int32_t>(from.Elems()), 1, 1}}}};
  builder.AddLayer(copy, std::move(move));
  Layer& layer = builder.network().layers.back();
  layer.source_op = source_op;
  layer.is_result = true;
  layer.name = from.name;
  return copy;
}

// Of those whose readers have moved something else (products/rounded_moves.h).
void EraseUnreadMoves(Network& network) {
  std::vector<bool> is_read(network.values.size());
  for (const ValueId id : network.outputs) is_read[static_cast<size_t>(id)] = true;
  std::vector<bool> gone(network.layers.size());
  for (size_t i = network.layers.size(); i-- > 0;) {
    const Layer& layer = network.layers[i];
    const bool moves = layer.As<Move>() != nullptr || layer.As<Resize>() != nullptr;
    gone[i] = moves && !is_read[static_cast<size_t>(layer.output)];
    if (gone[i]) continue;
    for (const ValueId id : layer.Inputs()) is_read[static_cast<size_t>(id)] = true;
  }
  EraseLayers(gone, network);
}

}  // namespace

Expected<Network> LegalizeSubgraph(const litert::Subgraph& subgraph, const Hardware& hardware,
                                   std::string name) {
  NetworkBuilder builder(/*of_partition=*/true);
  Network& network = builder.network();
  network.name = std::move(name);
  for (const litert::Tensor& input : subgraph.Inputs()) {
    ACME_ASSIGN_OR_RETURN(const ValueId id, builder.AddTensor(input));
    network.values[static_cast<size_t>(id)].input_index =
        static_cast<int32_t>(network.inputs.size());
    network.inputs.push_back(id);
  }
  int32_t index = 0;
  for (const litert::Op& op : subgraph.Ops())
    ACME_RETURN_IF_ERROR(LegalizeOp(op, index++, hardware, builder));
  for (const litert::Tensor& output : subgraph.Outputs()) {
    ACME_ASSIGN_OR_RETURN(ValueId id, builder.AddTensor(output));
    // A binding of its own, where the value has none to be written to: what npu_call stands for may
    // give back its inputs, or one tensor twice.
    const Value& value = network.value(id);
    if (value.is_constant() || value.input_index >= 0 || value.output_index >= 0)
      id = AddCopy(id, DefiningIndex(output, subgraph), builder);
    network.values[static_cast<size_t>(id)].output_index =
        static_cast<int32_t>(network.outputs.size());
    network.outputs.push_back(id);
  }
  EraseUnreadMoves(network);
  return std::move(network);
}

}  // namespace acme::compiler
