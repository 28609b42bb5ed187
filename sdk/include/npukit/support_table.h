// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SUPPORT_TABLE_H_
#define NPUKIT_SUPPORT_TABLE_H_

// Which ops a plugin takes, as a table: op, element types, ranks, and
// constraints with a sentence each. The table answers both "is it supported"
// and "why not", so the two never disagree.
//
//   SupportTable table;
//   table.Add(Support(kLiteRtOpCodeTflMul)
//                 .Types({ElementType::Float32})
//                 .Ranks(1, 4)
//                 .Where(OperandsHaveOneShape()));

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_op_code.h"
#include "litert/c/litert_op_options.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_element_type.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN

using ::litert::ElementType;
using ElementTypes = std::vector<ElementType>;

// Something that must hold of an op. `sentence` completes "the op is left
// because ..." when it does not ("the operands differ in shape").
struct Constraint {
  std::string sentence;
  std::function<bool(const ::litert::Op&)> holds;
};

// The name of a composite or custom op; empty for any other.
inline std::string OpName(const ::litert::Op& op) {
  if (op.Is(kLiteRtOpCodeShloComposite)) {
    const char* name = nullptr;
    if (LiteRtGetSHLOCompositeOpName(op.Get(), &name) != kLiteRtStatusOk) {
      return "";
    }
    return name != nullptr ? name : "";
  }
  if (op.Is(kLiteRtOpCodeTflCustom)) {
    const auto code = op.CustomCode();
    return code ? std::string(*code) : "";
  }
  return "";
}

// One row: a kind of op with everything that must hold of it. Unless told
// otherwise it takes any element type, any rank, and only static shapes.
class Support {
 public:
  // `name` is that of a composite or custom op.
  explicit Support(LiteRtOpCode code, std::string name = "")
      : code_(code), name_(std::move(name)) {}

  // Element types of all inputs and outputs that the two below do not name.
  Support& Types(ElementTypes types) {
    types_ = std::move(types);
    return *this;
  }
  Support& InputTypes(size_t input, ElementTypes types) {
    return SetTypes(input_types_, input, std::move(types));
  }
  Support& OutputTypes(size_t output, ElementTypes types) {
    return SetTypes(output_types_, output, std::move(types));
  }
  // Of every input and output that is not constant.
  Support& Ranks(size_t min_rank, size_t max_rank) {
    min_rank_ = min_rank;
    max_rank_ = max_rank;
    return *this;
  }
  Support& DynamicShapes() {
    dynamic_shapes_ = true;
    return *this;
  }
  Support& Where(Constraint constraint) {
    constraints_.push_back(std::move(constraint));
    return *this;
  }
  Support& Where(std::string sentence, std::function<bool(const ::litert::Op&)> holds) {
    return Where(Constraint{std::move(sentence), std::move(holds)});
  }

  bool IsFor(const ::litert::Op& op) const {
    return op.Is(code_) && (name_.empty() || OpName(op) == name_);
  }

  // What keeps an op of this kind from being taken; empty if nothing does. The
  // first constraint that fails speaks; `passed` counts those before it.
  std::optional<std::string> WhyNot(const ::litert::Op& op, size_t* passed) const {
    const auto inputs = op.Inputs();
    for (size_t i = 0; i < inputs.size(); ++i) {
      auto why = CheckTensor(inputs[i], "input", i, input_types_);
      if (why) return why;
    }
    ++*passed;
    const auto outputs = op.Outputs();
    for (size_t i = 0; i < outputs.size(); ++i) {
      auto why = CheckTensor(outputs[i], "output", i, output_types_);
      if (why) return why;
    }
    ++*passed;
    for (const Constraint& constraint : constraints_) {
      if (!constraint.holds(op)) return constraint.sentence;
      ++*passed;
    }
    return std::nullopt;
  }

 private:
  // By position; empty where `types_` holds.
  using TypesByPosition = std::vector<ElementTypes>;

  Support& SetTypes(TypesByPosition& all, size_t i, ElementTypes types) {
    if (all.size() <= i) all.resize(i + 1);
    all[i] = std::move(types);
    return *this;
  }

  std::optional<std::string> CheckTensor(const ::litert::Tensor& tensor, const char* side, size_t i,
                                         const TypesByPosition& by_pos) const {
    using ::litert::internal::Text;
    const ElementTypes& types = i < by_pos.size() && !by_pos[i].empty() ? by_pos[i] : types_;
    if (!types.empty() && !Contains(types, tensor.ElementType())) {
      return Text({side, " ", i, " is ", ElementTypeName(tensor.ElementType()), ", supported are ",
                   List(types)});
    }
    const auto type = tensor.RankedTensorType();
    if (!type) {
      if (dynamic_shapes_) return std::nullopt;
      return Text({side, " ", i, " has no rank"});
    }
    const auto& layout = type->Layout();
    if (!dynamic_shapes_ && !layout.NumElements()) {
      return Text({side, " ", i, " has a dynamic shape"});
    }
    if ((layout.Rank() < min_rank_ || layout.Rank() > max_rank_) && !tensor.IsConstant()) {
      return Text({side, " ", i, " has rank ", layout.Rank(), ", supported are ", min_rank_, " to ",
                   max_rank_});
    }
    return std::nullopt;
  }

  static bool Contains(const ElementTypes& types, ElementType type) {
    for (const ElementType t : types) {
      if (t == type) return true;
    }
    return false;
  }
  static std::string List(const ElementTypes& types) {
    std::string text;
    for (const ElementType type : types) {
      text.append(text.empty() ? "" : ", ").append(ElementTypeName(type));
    }
    return text;
  }

  LiteRtOpCode code_;
  std::string name_;
  ElementTypes types_;
  TypesByPosition input_types_;
  TypesByPosition output_types_;
  size_t min_rank_ = 0;
  size_t max_rank_ = LITERT_TENSOR_MAX_RANK;
  bool dynamic_shapes_ = false;
  std::vector<Constraint> constraints_;
};

// Rows; an op is supported if it meets one of them. Safe to read from several
// threads.
class SupportTable {
 public:
  SupportTable& Add(Support row) {
    rows_.push_back(std::move(row));
    return *this;
  }

  bool Supports(const ::litert::Op& op) const { return !WhyNot(op); }

  // Why the op is not supported; empty if it is. Where several rows are for the
  // op, the one that came furthest speaks.
  std::optional<std::string> WhyNot(const ::litert::Op& op) const {
    std::optional<std::string> best;
    size_t best_passed = 0;
    for (const Support& row : rows_) {
      if (!row.IsFor(op)) continue;
      size_t passed = 0;
      auto why = row.WhyNot(op, &passed);
      if (!why) return std::nullopt;
      if (!best || passed > best_passed) {
        best = std::move(why);
        best_passed = passed;
      }
    }
    if (best) return best;
    const std::string name = OpName(op);
    return name.empty() ? "the plugin does not have this op"
                        : "the plugin does not have '" + name + "'";
  }

 private:
  std::vector<Support> rows_;
};

NPUKIT_NAMESPACE_END

#endif  // NPUKIT_SUPPORT_TABLE_H_
