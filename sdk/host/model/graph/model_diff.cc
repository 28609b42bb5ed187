// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/model_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/options/field_text.h"

namespace npukit {
namespace {

// Compares part by part; after the first difference it does nothing more.
class Comparison {
 public:
  Comparison(const Model& expected, const Model& actual) : expected_(expected), actual_(actual) {}

  std::optional<std::string> Run() {
    Compare("schema version", expected_.schema_version, actual_.schema_version);
    Compare("has description", expected_.has_description, actual_.has_description);
    Compare("description", expected_.description, actual_.description);
    Compare("empty fields", expected_.empty_fields, actual_.empty_fields);
    CompareOperatorCodes();
    CompareList("external buffer groups", expected_.external_buffer_groups,
                actual_.external_buffer_groups);
    if (expected_.external_buffers != actual_.external_buffers) Differ("external buffers differ");
    ComparePointers("subgraphs", expected_.subgraphs(), actual_.subgraphs(), "subgraph ",
                    [this](const Subgraph& a, const Subgraph& b) { CompareSubgraphs(a, b); });
    ComparePointers("signatures", expected_.signatures, actual_.signatures, "signature ",
                    [this](const Signature& a, const Signature& b) { CompareSignatures(a, b); });
    CompareMetadata();
    CompareUnused();
    return difference_;
  }

 private:
  void Differ(const std::string& text) {
    if (difference_) return;
    difference_ = place_.empty() ? text : place_ + ": " + text;
  }

  // Prefixes what `compare` finds with a place.
  template <typename F>
  void In(const std::string& place, F&& compare) {
    if (difference_) return;
    const std::string outer = place_;
    place_ = outer.empty() ? place : outer + ", " + place;
    compare();
    place_ = outer;
  }

  template <typename T>
  void Compare(const char* what, const T& expected, const T& actual) {
    if (!(expected == actual)) Differ(fmt::format("{} is {}, expected {}", what, actual, expected));
  }
  // Floats by their bits.
  template <typename T>
  void CompareList(const char* what, const std::vector<T>& expected, const std::vector<T>& actual) {
    if (expected.size() != actual.size()) {
      Differ(fmt::format("{} has {} entries, expected {}", what, actual.size(), expected.size()));
    } else if (FieldText(expected) != FieldText(actual)) {
      Differ(fmt::format("{} is {}, expected {}", what, FieldText(actual), FieldText(expected)));
    }
  }
  template <typename Pointers, typename F>
  void ComparePointers(const char* what, const Pointers& expected, const Pointers& actual,
                       const char* place, F&& compare) {
    Compare(what, expected.size(), actual.size());
    for (size_t i = 0; i < expected.size() && !difference_; ++i) {
      In(fmt::format("{}{}", place, i), [&] { compare(*expected[i], *actual[i]); });
    }
  }

  void CompareBytes(const char* what, std::span<const uint8_t> expected,
                    std::span<const uint8_t> actual) {
    if (expected.size() != actual.size()) {
      Differ(fmt::format("{} has {} bytes, expected {}", what, actual.size(), expected.size()));
      return;
    }
    const auto at = std::mismatch(expected.begin(), expected.end(), actual.begin());
    if (at.first != expected.end()) {
      Differ(fmt::format("{} differs at byte {}: {}, expected {}", what,
                         at.first - expected.begin(), int{*at.second}, int{*at.first}));
    }
  }

  // Buffers may have other ids, but those that were one must stay one.
  void CompareBuffers(const char* what, BufferStore::Id expected, BufferStore::Id actual) {
    const auto forth = partners_.emplace(expected, actual);
    const auto back = inverse_partners_.emplace(actual, expected);
    if (forth.first->second != actual || back.first->second != expected) {
      Differ(fmt::format("{} shares a buffer with another tensor than before", what));
    }
    if (!forth.second) return;
    const SharedBytes& a = expected_.buffers().Get(expected);
    const SharedBytes& b = actual_.buffers().Get(actual);
    CompareBytes(what, a.bytes, b.bytes);
    if (a.bytes.empty() && (a.bytes.data() == nullptr) != (b.bytes.data() == nullptr)) {
      Differ(fmt::format("{}: an empty vector is there on one side only", what));
    }
  }

  void CompareOperatorCodes() {
    const auto& a = expected_.operator_codes;
    const auto& b = actual_.operator_codes;
    Compare("operator codes", a.size(), b.size());
    for (size_t i = 0; i < a.size() && !difference_; ++i) {
      In(fmt::format("operator code {}", i), [&] {
        Compare("builtin code", OpCodeName(a[i].code), OpCodeName(b[i].code));
        Compare("custom code", a[i].custom_code, b[i].custom_code);
        Compare("version", a[i].version, b[i].version);
        Compare("8-bit code", int{ShortCode(a[i])}, int{ShortCode(b[i])});
        Compare("32-bit code", LongCode(a[i]), LongCode(b[i]));
        Compare("empty fields", a[i].empty_fields, b[i].empty_fields);
      });
    }
  }
  static int8_t ShortCode(const Model::OperatorCode& code) {
    return code.short_code_in_file.value_or(static_cast<int8_t>(std::min<int32_t>(code.code, 127)));
  }
  static int32_t LongCode(const Model::OperatorCode& code) {
    return code.long_code_in_file.value_or(static_cast<int32_t>(code.code));
  }

  void CompareSubgraphs(const Subgraph& a, const Subgraph& b) {
    Compare("name", a.name, b.name);
    Compare("debug metadata index", a.debug_metadata_index, b.debug_metadata_index);
    Compare("empty fields", a.empty_fields, b.empty_fields);
    ComparePointers("tensors", a.tensors(), b.tensors(), "tensor ",
                    [this](const Tensor& x, const Tensor& y) { CompareTensors(x, y); });
    CompareTensorLists("inputs", a.inputs, b.inputs);
    CompareTensorLists("outputs", a.outputs, b.outputs);
    Compare("ops", a.ops().size(), b.ops().size());
    for (size_t i = 0; i < a.ops().size() && !difference_; ++i) {
      In(OpText(a.op(i)), [&] { CompareOps(a.op(i), b.op(i)); });
    }
  }

  void CompareTensorLists(const char* what, const std::vector<Tensor*>& a,
                          const std::vector<Tensor*>& b) {
    const auto indices = [](const std::vector<Tensor*>& tensors) {
      std::vector<int32_t> result;
      for (const Tensor* tensor : tensors)
        result.push_back(tensor == nullptr ? -1 : static_cast<int32_t>(tensor->index));
      return result;
    };
    CompareList(what, indices(a), indices(b));
  }

  // New tensors have the bit of an empty shape set whether they have one or not.
  static EmptyFields TensorEmptyFields(const Tensor& tensor) {
    return tensor.shape.empty() ? tensor.empty_fields : tensor.empty_fields & ~EmptyFields{1};
  }

  static bool HasQuantization(const Tensor& tensor) {
    return tensor.has_quantization || !tensor.quantization.is_default();
  }

  void CompareTensors(const Tensor& a, const Tensor& b) {
    Compare("name", a.name, b.name);
    Compare("element type", ElementTypeName(a.element_type), ElementTypeName(b.element_type));
    CompareList("shape", a.shape, b.shape);
    CompareList("shape signature", a.shape_signature, b.shape_signature);
    Compare("has rank", a.has_rank, b.has_rank);
    Compare("is variable", a.is_variable, b.is_variable);
    Compare("external buffer", a.external_buffer, b.external_buffer);
    Compare("empty fields", TensorEmptyFields(a), TensorEmptyFields(b));
    if (a.variant_tensors != b.variant_tensors) Differ("variant tensors differ");
    if (a.sparsity != b.sparsity) Differ("sparsity differs");
    CompareBuffers("constant", a.weights.buffer_id, b.weights.buffer_id);
    Compare("has quantisation", HasQuantization(a), HasQuantization(b));
    Compare("empty fields of quantisation", a.quantization_empty_fields,
            b.quantization_empty_fields);
    CompareQuantizations(a.quantization, b.quantization);
  }

  void CompareQuantizations(const Quantization& a, const Quantization& b) {
    CompareList("min", a.min, b.min);
    CompareList("max", a.max, b.max);
    CompareList("scale", a.scale, b.scale);
    CompareList("zero point", a.zero_point.ToVector(), b.zero_point.ToVector());
    Compare("quantized dimension", a.quantized_dimension, b.quantized_dimension);
    if (a.blockwise != b.blockwise) Differ("blockwise quantisation differs");
    if (a.multi_axis != b.multi_axis) Differ("multi-axis quantisation differs");
    if (a.custom != b.custom) Differ("custom quantisation differs");
  }

  void CompareOps(const Op& a, const Op& b) {
    Compare("code", OpName(a), OpName(b));
    Compare("version", a.version, b.version);
    Compare("operator code index", a.operator_code_hint, b.operator_code_hint);
    CompareOptions(a.options, b.options);
    Compare("has custom options", a.has_custom_options, b.has_custom_options);
    Compare("custom options format", int{a.custom_options_format}, int{b.custom_options_format});
    Compare("empty fields", a.empty_fields, b.empty_fields);
    Compare("debug metadata index", a.debug_metadata_index, b.debug_metadata_index);
    Compare("is dispatch", a.is_dispatch(), b.is_dispatch());
    if (a.dispatch && b.dispatch) {
      // Their custom options say where the module lies, which is not the model's business.
      Compare("entry point", a.dispatch->entry_point, b.dispatch->entry_point);
      CompareBuffers("module", a.dispatch->bytecode, b.dispatch->bytecode);
      Compare("custom options size", a.custom_options.size(), b.custom_options.size());
    } else {
      CompareBytes("custom options", a.custom_options, b.custom_options);
    }
    if (a.mutating_variable_inputs != b.mutating_variable_inputs)
      Differ("mutating variable inputs differ");
    CompareTensorLists("inputs", a.inputs, b.inputs);
    CompareTensorLists("outputs", a.outputs, b.outputs);
    CompareTensorLists("intermediates", a.intermediates, b.intermediates);
  }

  void CompareOptions(const OpOptions& a, const OpOptions& b) {
    Compare("options", OptionsName(a), OptionsName(b));
    Compare("empty fields of options", a.empty_fields, b.empty_fields);
    if (difference_) return;
    const auto expected = FieldTexts(a);
    const auto actual = FieldTexts(b);
    for (size_t i = 0; i < expected.size(); ++i) {
      Compare(expected[i].first.c_str(), expected[i].second, actual[i].second);
    }
  }

  void CompareSignatures(const Signature& a, const Signature& b) {
    Compare("key", a.key, b.key);
    Compare("deprecated tag", a.deprecated_tag, b.deprecated_tag);
    Compare("empty fields", a.empty_fields, b.empty_fields);
    Compare("subgraph", SubgraphIndex(expected_, a.subgraph), SubgraphIndex(actual_, b.subgraph));
    CompareNamedTensors("input", a.inputs, b.inputs);
    CompareNamedTensors("output", a.outputs, b.outputs);
  }
  void CompareNamedTensors(const char* what, const std::vector<Signature::NamedTensor>& a,
                           const std::vector<Signature::NamedTensor>& b) {
    Compare(what, a.size(), b.size());
    for (size_t i = 0; i < a.size() && !difference_; ++i) {
      In(fmt::format("{} {}", what, i), [&] {
        Compare("name", a[i].name, b[i].name);
        Compare("tensor", a[i].tensor->index, b[i].tensor->index);
      });
    }
  }
  static size_t SubgraphIndex(const Model& model, const Subgraph* subgraph) {
    const auto all = model.subgraphs();
    return static_cast<size_t>(
        std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.get() == subgraph; }) -
        all.begin());
  }

  void CompareMetadata() {
    const auto& a = expected_.metadata;
    const auto& b = actual_.metadata;
    Compare("metadata", a.size(), b.size());
    for (size_t i = 0; i < a.size() && !difference_; ++i) {
      In(fmt::format("metadata {}", i), [&] {
        Compare("name", a[i].name, b[i].name);
        CompareBuffers("value", a[i].buffer, b[i].buffer);
      });
    }
    Compare("metadata buffers", expected_.metadata_buffer.size(), actual_.metadata_buffer.size());
  }

  void CompareUnused() {
    Compare("spare buffers", expected_.spare_buffers.size(), actual_.spare_buffers.size());
    for (size_t i = 0; i < expected_.spare_buffers.size() && !difference_; ++i) {
      CompareBuffers("spare buffer", expected_.spare_buffers[i], actual_.spare_buffers[i]);
    }
    const auto joined = [](const Model& model) {
      std::vector<uint8_t> all;
      for (const SharedBytes& part : model.trailing_bytes)
        all.insert(all.end(), part.bytes.begin(), part.bytes.end());
      return all;
    };
    CompareBytes("trailing bytes", joined(expected_), joined(actual_));
  }

  const Model& expected_;
  const Model& actual_;
  std::string place_;
  std::optional<std::string> difference_;
  std::unordered_map<BufferStore::Id, BufferStore::Id> partners_;
  std::unordered_map<BufferStore::Id, BufferStore::Id> inverse_partners_;
};

}  // namespace

std::optional<std::string> FirstDifference(const Model& expected, const Model& actual) {
  return Comparison(expected, actual).Run();
}

}  // namespace npukit
