// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/reading/op_reader.h"

#include <fmt/format.h>

#include "sdk/host/model/file/stored_fields.h"
#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/graph/dispatch_op.h"
#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/graph/tensor_text.h"
#include "sdk/host/model/options/dispatch_options.h"
#include "sdk/host/model/reading/flatbuffer_walk.h"
#include "sdk/host/model/reading/options_reader.h"

namespace npukit {
namespace {

using litert::Expected;
using IndexVector = flatbuffers::Vector<int32_t>;

// A tensor by its index. -1 gives null where that is allowed.
Expected<Tensor*> TensorAt(const Subgraph& subgraph, const char* what, size_t position,
                           int32_t index, bool may_be_omitted) {
  if (may_be_omitted && index == -1) return static_cast<Tensor*>(nullptr);
  if (index < 0 || static_cast<size_t>(index) >= subgraph.tensors().size()) {
    return BadFile(fmt::format("{} {}: expected one of {} tensors{}, found index {}", what,
                               position, subgraph.tensors().size(), may_be_omitted ? " or -1" : "",
                               index));
  }
  return &subgraph.tensor(static_cast<size_t>(index));
}

size_t SizeOf(const IndexVector* indices) { return indices == nullptr ? 0 : indices->size(); }

Expected<void> ReadLinks(const schema::Operator& in, ReadContext& context, Subgraph& subgraph,
                         Op& out) {
  context.Charge((SizeOf(in.inputs()) + SizeOf(in.outputs()) + SizeOf(in.intermediates())) *
                 sizeof(Tensor::User));
  if (context.over_budget()) return {};
  for (size_t i = 0; i < SizeOf(in.inputs()); ++i) {
    auto tensor = TensorAt(subgraph, "input", i, in.inputs()->Get(static_cast<uint32_t>(i)), true);
    if (!tensor) return tensor.Error();
    Subgraph::AddInput(out, *tensor);
  }
  for (size_t i = 0; i < SizeOf(in.outputs()); ++i) {
    auto tensor =
        TensorAt(subgraph, "output", i, in.outputs()->Get(static_cast<uint32_t>(i)), false);
    if (!tensor) return tensor.Error();
    if (const Op* writer = (*tensor)->defining_op) {
      return BadFile(fmt::format(
          "output {}: expected a tensor that nothing else writes, found {}, which {} writes", i,
          TensorText(**tensor), OpText(*writer)));
    }
    Subgraph::AddOutput(out, **tensor);
  }
  for (size_t i = 0; i < SizeOf(in.intermediates()); ++i) {
    auto tensor = TensorAt(subgraph, "intermediate", i,
                           in.intermediates()->Get(static_cast<uint32_t>(i)), false);
    if (!tensor) return tensor.Error();
    out.intermediates.push_back(*tensor);
  }
  context.Fetch(in.mutating_variable_inputs(), out.mutating_variable_inputs);
  if (!out.mutating_variable_inputs.empty() &&
      out.mutating_variable_inputs.size() != out.inputs.size()) {
    return BadFile(
        fmt::format("expected mutating_variable_inputs for none or all of {} inputs, found {}",
                    out.inputs.size(), out.mutating_variable_inputs.size()));
  }
  return {};
}

Expected<void> ReadCustomOptions(const schema::Operator& in, ReadContext& context, Op& out) {
  out.custom_options_format = static_cast<int8_t>(in.custom_options_format());
  if (in.custom_options() != nullptr) {
    out.has_custom_options = true;
    context.Fetch(in.custom_options(), out.custom_options);
  } else if (in.large_custom_options_offset() > 1) {
    auto bytes = context.TakeOutside(
        "custom options", {in.large_custom_options_offset(), in.large_custom_options_size()});
    if (!bytes) return bytes.Error();
    out.has_custom_options = true;
    out.custom_options_outside = true;
    context.Charge(bytes->bytes.size());
    if (!context.over_budget()) out.custom_options.assign(bytes->bytes.begin(), bytes->bytes.end());
  }
  return {};
}

// A DISPATCH_OP without readable options (LiteRT's `partition` writes such)
// stays an ordinary custom op.
Expected<void> ReadDispatchInfo(ReadContext& context, Op& out) {
  if (!IsDispatchOp(out)) return {};
  std::optional<DispatchOptions> options = ParseDispatchOptions(out.custom_options);
  if (!options) return {};
  DispatchInfo info{.entry_point = std::move(options->name)};
  if (options->bytecode_offset_bytes > 1) {
    auto buffer =
        context.ModuleBuffer({options->bytecode_offset_bytes, options->bytecode_size_bytes});
    if (!buffer) return buffer.Error();
    info.bytecode = *buffer;
  }
  out.dispatch = std::move(info);
  return {};
}

}  // namespace

Expected<void> ReadOp(const schema::Operator& in, std::span<const Model::OperatorCode> codes,
                      ReadContext& context, Subgraph& subgraph, Op& out) {
  if (in.opcode_index() >= codes.size()) {
    return BadFile(fmt::format("expected one of {} operator codes, found index {}", codes.size(),
                               in.opcode_index()));
  }
  const Model::OperatorCode& code = codes[in.opcode_index()];
  context.Charge(code.custom_code.size());
  if (context.over_budget()) return {};
  out.code = code.code;
  out.custom_code = code.custom_code;
  out.version = code.version;
  out.operator_code_hint = in.opcode_index();
  out.debug_metadata_index = in.debug_metadata_index();
  out.empty_fields = EmptyFieldsOf(&in, schema::OperatorTypeTable());
  // has_custom_options tells that one.
  out.empty_fields &= ~(EmptyFields{1} << FieldNumber(schema::Operator::VT_CUSTOM_OPTIONS));
  auto options = ReadOpOptions(in, context);
  if (!options) return options.Error();
  out.options = std::move(*options);
  if (auto ok = ReadCustomOptions(in, context, out); !ok) return ok;
  if (auto ok = ReadLinks(in, context, subgraph, out); !ok) return ok;
  return ReadDispatchInfo(context, out);
}

}  // namespace npukit
