// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/writing/graph_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "sdk/host/model/file/stored_fields.h"
#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/graph/dispatch_op.h"
#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/graph/tensor_text.h"
#include "sdk/host/model/options/dispatch_options.h"
#include "sdk/host/model/writing/options_writer.h"
#include "sdk/host/model/writing/tensor_writer.h"

namespace npukit {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using litert::Expected;

// Where tensors stand in their subgraph; null (an omitted input) is -1.
Expected<std::vector<int32_t>> Indices(const Subgraph& subgraph,
                                       const std::vector<Tensor*>& tensors) {
  std::vector<int32_t> indices;
  indices.reserve(tensors.size());
  for (const Tensor* tensor : tensors) {
    if (tensor == nullptr) {
      indices.push_back(-1);
      continue;
    }
    if (tensor->index >= subgraph.tensors().size() || &subgraph.tensor(tensor->index) != tensor) {
      return CannotWrite(fmt::format("expected tensors of the subgraph, found {} of another",
                                     TensorText(*tensor)));
    }
    indices.push_back(static_cast<int32_t>(tensor->index));
  }
  return indices;
}

bool Matches(const Model::OperatorCode& code, const Op& op) {
  return code.code == op.code && code.version == op.version && code.custom_code == op.custom_code;
}

// The op's entry among the codes, added if there is none.
uint32_t CodeIndex(const Op& op, std::vector<Model::OperatorCode>& codes) {
  if (op.operator_code_hint < codes.size() && Matches(codes[op.operator_code_hint], op))
    return op.operator_code_hint;
  const auto place = std::find_if(codes.begin(), codes.end(), [&](const Model::OperatorCode& code) {
    return Matches(code, op);
  });
  if (place != codes.end()) return static_cast<uint32_t>(place - codes.begin());
  codes.push_back({.code = op.code, .custom_code = op.custom_code, .version = op.version});
  return static_cast<uint32_t>(codes.size() - 1);
}

// The custom options with placeholders for where the module lies.
std::vector<uint8_t> DispatchCustomOptions(const Op& op) {
  DispatchOptions options{.bytecode_size_bytes = kOffsetPlaceholder,
                          .bytecode_offset_bytes = kOffsetPlaceholder,
                          .name = op.dispatch->entry_point};
  std::vector<uint8_t> bytes = op.custom_options;
  if (op.dispatch->bytecode == BufferStore::kEmpty) {
    const auto found = ParseDispatchOptions(bytes);
    if (found && found->name == options.name) return bytes;
  } else if (UpdateDispatchOptions(options, bytes)) {
    return bytes;
  }
  return MakeDispatchOptions(options);
}

Expected<Offset<schema::Operator>> WriteOp(FlatBufferBuilder& builder, const BufferPlan& plan,
                                           std::vector<Model::OperatorCode>& codes,
                                           const Subgraph& subgraph, const Op& op) {
  using Fields = schema::Operator;
  if (op.dispatch && !IsDispatchOp(op)) {
    return CannotWrite(fmt::format("expected a dispatch op to have the custom code {}, found {}",
                                   kDispatchOpCustomCode, OpName(op)));
  }
  const auto inputs = Indices(subgraph, op.inputs);
  if (!inputs) return inputs.Error();
  const auto outputs = Indices(subgraph, op.outputs);
  if (!outputs) return outputs.Error();
  const auto intermediates = Indices(subgraph, op.intermediates);
  if (!intermediates) return intermediates.Error();

  const EmptyFields empty = op.empty_fields;
  const WrittenOptions options = WriteOptionsTable(builder, op.options);
  Offset<flatbuffers::Vector<uint8_t>> custom_options = 0;
  const bool outside = HasOutsideCustomOptions(op, plan);
  if (op.dispatch) {
    custom_options = builder.CreateVector(DispatchCustomOptions(op));
  } else if (!outside && (op.has_custom_options || !op.custom_options.empty())) {
    custom_options = builder.CreateVector(op.custom_options);
  }
  const auto input_vector =
      StoreVector<int32_t>(builder, *inputs, empty, FieldNumber(Fields::VT_INPUTS));
  const auto output_vector =
      StoreVector<int32_t>(builder, *outputs, empty, FieldNumber(Fields::VT_OUTPUTS));
  const auto mutating = StoreVector<uint8_t>(builder, op.mutating_variable_inputs, empty,
                                             FieldNumber(Fields::VT_MUTATING_VARIABLE_INPUTS));
  const auto intermediate_vector =
      StoreVector<int32_t>(builder, *intermediates, empty, FieldNumber(Fields::VT_INTERMEDIATES));
  return schema::CreateOperator(
      builder, CodeIndex(op, codes), input_vector, output_vector,
      static_cast<schema::BuiltinOptions>(options.first_union_kind),
      options.first_union_kind != 0 ? options.offset : 0, custom_options,
      static_cast<schema::CustomOptionsFormat>(op.custom_options_format), mutating,
      intermediate_vector, outside ? kOffsetPlaceholder : 0, outside ? op.custom_options.size() : 0,
      static_cast<schema::BuiltinOptions2>(options.second_union_kind),
      options.second_union_kind != 0 ? options.offset : 0, op.debug_metadata_index);
}

}  // namespace

bool HasOutsideCustomOptions(const Op& op, const BufferPlan& plan) {
  if (op.dispatch || op.custom_options.empty()) return false;
  return op.custom_options_outside || plan.custom_options_outside;
}

Expected<Offset<schema::SubGraph>> GraphWriter::Write(const Subgraph& subgraph) {
  using Fields = schema::SubGraph;
  std::vector<Offset<schema::Tensor>> tensors;
  for (const auto& tensor : subgraph.tensors()) {
    auto written = WriteTensor(builder_, *tensor, plan_.numbers.at(tensor->weights.buffer_id));
    if (!written)
      return CannotWrite(fmt::format("{}: {}", TensorText(*tensor), written.Error().Message()));
    tensors.push_back(*written);
  }
  std::vector<Offset<schema::Operator>> ops;
  for (const auto& op : subgraph.ops()) {
    auto written = WriteOp(builder_, plan_, codes_, subgraph, *op);
    if (!written) return CannotWrite(fmt::format("{}: {}", OpText(*op), written.Error().Message()));
    ops.push_back(*written);
  }
  const auto inputs = Indices(subgraph, subgraph.inputs);
  if (!inputs) return CannotWrite(fmt::format("inputs: {}", inputs.Error().Message()));
  const auto outputs = Indices(subgraph, subgraph.outputs);
  if (!outputs) return CannotWrite(fmt::format("outputs: {}", outputs.Error().Message()));

  const EmptyFields empty = subgraph.empty_fields;
  const auto tensor_vector = StoreVector<Offset<schema::Tensor>>(builder_, tensors, empty,
                                                                 FieldNumber(Fields::VT_TENSORS));
  const auto input_vector =
      StoreVector<int32_t>(builder_, *inputs, empty, FieldNumber(Fields::VT_INPUTS));
  const auto output_vector =
      StoreVector<int32_t>(builder_, *outputs, empty, FieldNumber(Fields::VT_OUTPUTS));
  const auto op_vector = StoreVector<Offset<schema::Operator>>(builder_, ops, empty,
                                                               FieldNumber(Fields::VT_OPERATORS));
  const auto name = StoreString(builder_, subgraph.name, empty, FieldNumber(Fields::VT_NAME));
  return schema::CreateSubGraph(builder_, tensor_vector, input_vector, output_vector, op_vector,
                                name, subgraph.debug_metadata_index);
}

}  // namespace npukit
