// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// HASHTABLE, HASHTABLE_IMPORT, HASHTABLE_FIND, HASHTABLE_SIZE: from int64 to strings, or from strings
// to int64.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/control/handle_kernel.h"
#include "sdk/host/runtime/control/special_kernels.h"
#include "sdk/host/runtime/execution/owned_values.h"
#include "sdk/host/runtime/state/string_tensor.h"

namespace npukit {
namespace {

using kernels::Node;
using kernels::Operand;

constexpr auto kInt64 = kLiteRtElementTypeInt64;
constexpr auto kString = kLiteRtElementTypeTfString;
constexpr auto kResource = kLiteRtElementTypeTfResource;

int64_t Int64At(std::span<const uint8_t> bytes, size_t index) {
  int64_t value = 0;
  std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
  return value;
}

class TableKernel : public HandleUser {
 public:
  using HandleUser::HandleUser;

 protected:
  litert::Expected<void> CheckTypes(const HashTable& table, LiteRtElementType keys,
                                    LiteRtElementType values) const {
    if (table.key_type == keys && table.value_type == values) return {};
    return Invalid(fmt::format("the table is from {} to {}, not from {} to {}",
                               ElementTypeName(table.key_type), ElementTypeName(table.value_type),
                               ElementTypeName(keys), ElementTypeName(values)));
  }
};

// The first import counts, others are passed over, as in TFLite.
class ImportKernel final : public TableKernel {
 public:
  ImportKernel(const Node& node, ModelState& state)
      : TableKernel(node, state),
        key_type_(node.inputs[1]->type()),
        value_type_(node.inputs[2]->type()),
        count_(node.inputs[1]->elems()) {}

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    LITERT_ASSIGN_OR_RETURN(HashTable * table, TableOf(context.inputs[0]));
    LITERT_RETURN_IF_ERROR(CheckTypes(*table, key_type_, value_type_));
    if (table->has_entries) return {};
    const bool from_strings = key_type_ == kString;
    const auto read = ReadStrings(context.inputs[from_strings ? 1 : 2], count_);
    if (!read) return Invalid(read.Error().Message());
    const std::span<const uint8_t> numbers = context.inputs[from_strings ? 2 : 1];
    for (size_t i = 0; i < read->size(); ++i) {
      if (from_strings) {
        table->number_of.emplace((*read)[i], Int64At(numbers, i));
      } else {
        table->text_of.emplace(Int64At(numbers, i), (*read)[i]);
      }
    }
    table->has_entries = true;
    return {};
  }

 private:
  LiteRtElementType key_type_;
  LiteRtElementType value_type_;
  int64_t count_;
};

class FindKernel final : public TableKernel {
 public:
  FindKernel(const Node& node, ModelState& state)
      : TableKernel(node, state),
        key_type_(node.inputs[1]->type()),
        value_type_(node.inputs[2]->type()),
        shape_(node.inputs[1]->shape),
        count_(node.inputs[1]->elems()),
        num_defaults_(node.inputs[2]->elems()),
        owned_(1) {}

  const RunTimeOutputs& run_time_outputs() const { return owned_; }

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    LITERT_ASSIGN_OR_RETURN(const HashTable* table, TableOf(context.inputs[0]));
    LITERT_RETURN_IF_ERROR(CheckTypes(*table, key_type_, value_type_));
    if (!table->has_entries) return Invalid("the table has nothing imported yet");
    return key_type_ == kString ? FindNumbers(*table, context) : FindTexts(*table, context);
  }

 private:
  litert::Expected<void> FindNumbers(const HashTable& table,
                                     const kernels::RunContext& context) const {
    const auto keys = ReadStrings(context.inputs[1], count_);
    if (!keys) return Invalid(keys.Error().Message());
    const int64_t otherwise = Int64At(context.inputs[2], 0);
    for (size_t i = 0; i < keys->size(); ++i) {
      const auto found = table.number_of.find(std::string((*keys)[i]));
      const int64_t value = found == table.number_of.end() ? otherwise : found->second;
      std::memcpy(context.outputs[0].data() + i * sizeof(value), &value, sizeof(value));
    }
    return {};
  }

  litert::Expected<void> FindTexts(const HashTable& table,
                                   const kernels::RunContext& context) const {
    const auto otherwise = ReadStrings(context.inputs[2], num_defaults_);
    if (!otherwise) return Invalid(otherwise.Error().Message());
    std::vector<std::string_view> values;
    for (size_t i = 0; i < static_cast<size_t>(count_); ++i) {
      const auto found = table.text_of.find(Int64At(context.inputs[1], i));
      values.push_back(found == table.text_of.end() ? otherwise->front()
                                                    : std::string_view(found->second));
    }
    const auto bytes = WriteStrings(values);
    if (!bytes) return Invalid(bytes.Error().Message());
    return owned_.Set(0, {.shape = shape_, .bytes = *bytes});
  }

  LiteRtElementType key_type_;
  LiteRtElementType value_type_;
  kernels::Shape shape_;
  int64_t count_;
  int64_t num_defaults_;
  mutable OwnedValues owned_;  // of strings
};

class SizeKernel final : public TableKernel {
 public:
  using TableKernel::TableKernel;
  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    LITERT_ASSIGN_OR_RETURN(const HashTable* table, TableOf(context.inputs[0]));
    const auto size = static_cast<int64_t>(table->number_of.size() + table->text_of.size());
    std::memcpy(context.outputs[0].data(), &size, sizeof(size));
    return {};
  }
};

litert::Expected<void> CheckTensors(const Node& node, size_t num_inputs, size_t num_outputs) {
  if (node.inputs.size() != num_inputs || node.outputs.size() != num_outputs ||
      std::count(node.inputs.begin(), node.inputs.end(), nullptr) != 0) {
    return kernels::InvalidNode(
        node, fmt::format("expected {} inputs and {} outputs", num_inputs, num_outputs));
  }
  return {};
}

litert::Expected<void> CheckTable(const Node& node, size_t num_inputs, size_t num_outputs) {
  LITERT_RETURN_IF_ERROR(CheckTensors(node, num_inputs, num_outputs));
  const Operand& handle = *node.inputs[0];
  if (handle.type() == kResource && handle.elems() == 1) return {};
  return kernels::InvalidNode(node, &handle, "is no handle of a table");
}

bool ArePair(LiteRtElementType keys, LiteRtElementType values) {
  return (keys == kInt64 && values == kString) || (keys == kString && values == kInt64);
}

}  // namespace

litert::Expected<SpecialStep> MakeTable(const GraphContext& context, const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckTensors(node, 0, 1));
  const auto* options = node.op->OptionsAs<HashtableOptions>();
  if (options == nullptr) return kernels::InvalidNode(node, "has no options");
  const auto keys = ElementTypeFromSchema(options->key_dtype);
  const auto values = ElementTypeFromSchema(options->value_dtype);
  if (!keys || !values || !ArePair(*keys, *values) || node.outputs[0]->type() != kResource)
    return kernels::UnsupportedNode(node, "a table is from int64 to strings, or the other way");
  HashTable& table = context.state->Table(options->table_id);
  table.key_type = *keys;
  table.value_type = *values;
  SpecialStep step;
  step.kernel = std::make_unique<HandleKernel>(options->table_id);
  step.shapes = {kernels::Shape{1}};
  step.is_pure = true;
  return step;
}

litert::Expected<SpecialStep> MakeTableImport(const GraphContext& context, const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckTable(node, 3, 0));
  if (!ArePair(node.inputs[1]->type(), node.inputs[2]->type()))
    return kernels::UnsupportedNode(node, "imports int64 with strings, or the other way");
  if (node.inputs[1]->shape != node.inputs[2]->shape)
    return kernels::InvalidNode(node, node.inputs[2], "must have the shape of the keys");
  SpecialStep step;
  step.kernel = std::make_unique<ImportKernel>(node, *context.state);
  return step;
}

litert::Expected<SpecialStep> MakeTableFind(const GraphContext& context, const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckTable(node, 3, 1));
  const LiteRtElementType values = node.outputs[0]->type();
  if (!ArePair(node.inputs[1]->type(), values) || node.inputs[2]->type() != values)
    return kernels::UnsupportedNode(node, "finds int64 for strings, or the other way");
  if (node.inputs[2]->elems() < 1)
    return kernels::InvalidNode(node, node.inputs[2], "must have an element");
  auto kernel = std::make_unique<FindKernel>(node, *context.state);
  SpecialStep step;
  step.shapes.resize(1);
  if (values != kString) step.shapes[0] = node.inputs[1]->shape;
  step.run_time_outputs = &kernel->run_time_outputs();
  step.kernel = std::move(kernel);
  return step;
}

litert::Expected<SpecialStep> MakeTableSize(const GraphContext& context, const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckTable(node, 1, 1));
  if (node.outputs[0]->type() != kInt64)
    return kernels::InvalidNode(node, node.outputs[0], "must be int64");
  SpecialStep step;
  step.kernel = std::make_unique<SizeKernel>(node, *context.state);
  step.shapes = {kernels::Shape{1}};
  return step;
}

}  // namespace npukit
