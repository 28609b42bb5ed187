// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The matchers of tensors, and those that combine matchers. Include litert_matchers.h.

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_MATCHERS_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_MATCHERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_pattern.h"
#include "litert/cc/internal/litert_string_view.h"

namespace litert {

// -- Tensors --------------------------------------------------------------------------------------

// Anything, also an op.
inline auto m_Any(internal::StringView label = "Any") {
  auto ask = [](const auto&, MatchTracer*) -> internal::Mismatch { return nullptr; };
  return internal::Pattern<decltype(ask)>(label, ask);
}

// -1 stands for any size.
inline auto m_Shape(std::vector<int32_t> shape, internal::StringView label = "Shape") {
  return internal::TensorPattern(
      label, [shape = std::move(shape)](const auto& tensor) -> internal::Mismatch {
        const auto type = tensor.RankedTensorType();
        if (!type) return "no ranked tensor";
        const auto dims = type->Layout().Dimensions();
        const bool same =
            dims.size() == shape.size() &&
            std::equal(shape.begin(), shape.end(), dims.begin(),
                       [](int32_t want, int32_t is) { return want == -1 || want == is; });
        return same ? nullptr : "another shape";
      });
}

inline auto m_Rank(size_t rank, internal::StringView label = "Rank") {
  return internal::TensorPattern(label, [rank](const auto& tensor) -> internal::Mismatch {
    const auto type = tensor.RankedTensorType();
    if (!type) return "no ranked tensor";
    return type->Layout().Dimensions().size() == rank ? nullptr : "another rank";
  });
}

inline auto m_ElementType(LiteRtElementType element_type,
                          internal::StringView label = "ElementType") {
  return internal::TensorPattern(label, [element_type](const auto& tensor) -> internal::Mismatch {
    const auto type = tensor.RankedTensorType();
    if (!type) return "no ranked tensor";
    return static_cast<LiteRtElementType>(type->ElementType()) == element_type
               ? nullptr
               : "another element type";
  });
}

inline auto m_IsConstant(internal::StringView label = "IsConstant") {
  return internal::TensorPattern(label, [](const auto& tensor) -> internal::Mismatch {
    return tensor.IsConstant() ? nullptr : "not constant";
  });
}

inline auto m_IsSubgraphInput(internal::StringView label = "IsSubgraphInput") {
  return internal::TensorPattern(label, [](const auto& tensor) -> internal::Mismatch {
    return tensor.IsSubgraphInput() ? nullptr : "no input of the subgraph";
  });
}

inline auto m_IsQuantized(internal::StringView label = "IsQuantized") {
  return internal::TensorPattern(label, [](const auto& tensor) -> internal::Mismatch {
    return tensor.HasQuantization() ? nullptr : "not quantised";
  });
}

// LiteRtQuantizationTypeId, or a C++ enumeration of its values.
template <typename TypeId>
auto m_QType(TypeId type, internal::StringView label = "QType") {
  return internal::TensorPattern(label, [type](const auto& tensor) -> internal::Mismatch {
    return static_cast<int>(tensor.QTypeId()) == static_cast<int>(type) ? nullptr
                                                                        : "another quantisation";
  });
}

// Inputs that read the tensor: an op that reads it twice counts twice.
inline auto m_HasUsers(size_t count, internal::StringView label = "HasUsers") {
  return internal::TensorPattern(label, [count](const auto& tensor) -> internal::Mismatch {
    return tensor.Uses().size() == count ? nullptr : "another number of uses";
  });
}
inline auto m_HasOneUse(internal::StringView label = "HasOneUse") { return m_HasUsers(1, label); }

// A constant whose elements are all the same value.
template <typename T, typename Value>
auto m_ConstantValue(Value&& value, internal::StringView label = "ConstantValue") {
  return internal::TensorPattern(
      label, [value = static_cast<T>(value)](const auto& tensor) -> internal::Mismatch {
        if (!tensor.IsConstant()) return "not constant";
        const auto data = tensor.template WeightsData<T>();
        if (!data || data->empty()) return "no data of that type";
        const bool all = std::all_of(data->begin(), data->end(),
                                     [&](const T& element) { return element == value; });
        return all ? nullptr : "another value";
      });
}

inline auto m_Name(internal::StringView name, internal::StringView label = "Name") {
  return internal::TensorPattern(
      label, [name = std::string(name)](const auto& tensor) -> internal::Mismatch {
        return tensor.Name() == name ? nullptr : "another name";
      });
}

// A tensor that is this output of an op, which matches.
template <typename Matcher>
auto m_OutputIndex(size_t index, Matcher&& matcher, internal::StringView label = "OutputIndex") {
  auto ask = [index, matcher = std::decay_t<Matcher>(std::forward<Matcher>(matcher))](
                 const auto& tensor, MatchTracer* tracer) -> internal::Mismatch {
    const auto defining_op = tensor.DefiningOp();
    if (!defining_op) return "no op writes the tensor";
    if (defining_op->op_output_index != index) return "another output";
    const auto op = tensor.GetDefiningOp();
    return op && matcher.Match(*op, tracer) ? nullptr : "the op does not match";
  };
  return internal::Pattern<decltype(ask)>(label, std::move(ask));
}

// -- Combining ------------------------------------------------------------------------------------

// What matches is put into `*storage` if that holds nothing; else it must be the same object. An Op
// to be captured from a tensor is the op that writes it.
template <typename T, typename Matcher>
auto m_CaptureOrSameAs(T* storage, Matcher&& matcher,
                       internal::StringView label = "CaptureOrSameAs") {
  auto ask = [storage, matcher = std::decay_t<Matcher>(std::forward<Matcher>(matcher))](
                 const auto& value, MatchTracer* tracer) -> internal::Mismatch {
    using Value = std::decay_t<decltype(value)>;
    if (storage == nullptr) return "nowhere to put it";
    if (storage->Get() == nullptr && !matcher.Match(value, tracer)) return "no match";
    std::optional<T> found;
    if constexpr (internal::kIsTensor<Value> && !internal::kIsTensor<T>) {
      const auto op = value.GetDefiningOp();
      if (!op) return "no op writes the tensor";
      found = *op;
    } else {
      found = value;
    }
    if (storage->Get() != nullptr) {
      return storage->Get() == found->Get() ? nullptr : "another object than before";
    }
    *storage = *found;
    return nullptr;
  };
  return internal::Pattern<decltype(ask)>(label, std::move(ask));
}

// A predicate on a T, which is Op or Tensor; on either.
template <typename T, typename Pred>
auto m_Predicate(Pred&& pred, internal::StringView label = "Predicate") {
  auto ask = [pred = std::decay_t<Pred>(std::forward<Pred>(pred))](
                 const T& value, MatchTracer*) -> internal::Mismatch {
    return pred(value) ? nullptr : "the predicate is false";
  };
  return internal::Pattern<decltype(ask)>(label, std::move(ask));
}
template <typename Pred>
auto m_Custom(Pred&& pred, internal::StringView label = "Custom") {
  auto ask = [pred = std::decay_t<Pred>(std::forward<Pred>(pred))](
                 const auto& value, MatchTracer*) -> internal::Mismatch {
    return pred(value) ? nullptr : "the predicate is false";
  };
  return internal::Pattern<decltype(ask)>(label, std::move(ask));
}

template <typename... Args>
auto m_AllOf(Args&&... args) {
  const auto make = [](internal::StringView label, auto matchers) {
    auto ask = [matchers](const auto& value, MatchTracer* tracer) -> internal::Mismatch {
      const bool all = std::apply(
          [&](const auto&... one) { return (one.Match(value, tracer) && ...); }, matchers);
      return all ? nullptr : "not all match";
    };
    return internal::Pattern<decltype(ask)>(label, std::move(ask));
  };
  return internal::SplitLabel("AllOf", make, std::forward<Args>(args)...);
}

template <typename... Args>
auto m_AnyOf(Args&&... args) {
  const auto make = [](internal::StringView label, auto matchers) {
    auto ask = [matchers](const auto& value, MatchTracer*) -> internal::Mismatch {
      const bool any =
          std::apply([&](const auto&... one) { return (one.Match(value) || ...); }, matchers);
      return any ? nullptr : "none matches";
    };
    return internal::Pattern<decltype(ask)>(label, std::move(ask));
  };
  return internal::SplitLabel("AnyOf", make, std::forward<Args>(args)...);
}

template <typename Matcher>
auto m_Not(Matcher&& matcher, internal::StringView label = "Not") {
  auto ask = [matcher = std::decay_t<Matcher>(std::forward<Matcher>(matcher))](
                 const auto& value, MatchTracer*) -> internal::Mismatch {
    return matcher.Match(value) ? "it matches" : nullptr;
  };
  return internal::Pattern<decltype(ask)>(label, std::move(ask));
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_MATCHERS_H_
