// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the matchers of litert_matchers.h are made of.

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_PATTERN_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_PATTERN_H_

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "litert/cc/internal/litert_graph.h"
#include "litert/cc/internal/litert_match_tracer.h"
#include "litert/cc/internal/litert_string_view.h"

namespace litert::internal {

// Why something does not match; null if it does.
using Mismatch = const char*;

// `ask(value, tracer)` gives a Mismatch. The label must outlive the pattern.
template <typename Ask>
class Pattern {
 public:
  Pattern(StringView label, Ask ask) : label_(label), ask_(std::move(ask)) {}

  template <typename T>
  bool Match(const T& value, MatchTracer* tracer = nullptr) const {
    if (tracer != nullptr) tracer->PushScope(label_);
    const Mismatch mismatch = ask_(value, tracer);
    if (tracer != nullptr) {
      if (mismatch != nullptr) tracer->LogFailure(label_, mismatch);
      tracer->PopScope();
    }
    return mismatch == nullptr;
  }

 private:
  StringView label_;
  Ask ask_;
};

// Asks an op; for a tensor, the op that writes it.
template <typename Ask>
struct OfOp {
  Ask ask;

  Mismatch operator()(const Op& op, MatchTracer* tracer) const { return ask(op, tracer); }
  Mismatch operator()(const Tensor& tensor, MatchTracer* tracer) const {
    const auto op = tensor.GetDefiningOp();
    return op ? ask(*op, tracer) : "no op writes the tensor";
  }
};

// Asks a tensor; for an op, nothing matches.
template <typename Ask>
struct OfTensor {
  Ask ask;

  Mismatch operator()(const Tensor& tensor, MatchTracer*) const { return ask(tensor); }
};

template <typename Ask>
auto OpPattern(StringView label, Ask ask) {
  return Pattern<OfOp<Ask>>(label, OfOp<Ask>{std::move(ask)});
}
template <typename Ask>
auto TensorPattern(StringView label, Ask ask) {
  return Pattern<OfTensor<Ask>>(label, OfTensor<Ask>{std::move(ask)});
}

template <typename T>
inline constexpr bool kIsLabel = std::is_convertible_v<const std::decay_t<T>&, StringView>;

// Whether the last of some types is that of a label.
template <typename... Args>
constexpr bool EndsInLabel() {
  if constexpr (sizeof...(Args) == 0) {
    return false;
  } else {
    return kIsLabel<std::tuple_element_t<sizeof...(Args) - 1, std::tuple<Args...>>>;
  }
}

template <typename Make, typename All, size_t... kIndices>
auto CallWithoutLast(Make make, All&& all, std::index_sequence<kIndices...>) {
  return make(StringView(std::get<sizeof...(kIndices)>(all)),
              std::make_tuple(std::get<kIndices>(std::forward<All>(all))...));
}

// make(label, tuple of matchers), out of matchers that a label may follow.
template <typename Make, typename... Args>
auto SplitLabel(StringView default_label, Make make, Args&&... args) {
  if constexpr (EndsInLabel<Args...>()) {
    return CallWithoutLast(make, std::forward_as_tuple(std::forward<Args>(args)...),
                           std::make_index_sequence<sizeof...(Args) - 1>());
  } else {
    return make(default_label, std::make_tuple(std::forward<Args>(args)...));
  }
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_PATTERN_H_
