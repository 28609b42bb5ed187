// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Patterns over graphs, for transformations:
//
//   Op mean(nullptr);
//   if (Match(root, m_Op<kLiteRtOpCodeTflSqrt>(m_CaptureOrSameAs(
//                       &mean, m_Op<kLiteRtOpCodeTflMean>(m_Any(), m_IsConstant()))))) ...
//
// A matcher of ops also takes a tensor, and then asks the op that writes it. Every m_ function
// takes a label, for tracing, as its last argument.

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MATCHERS_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MATCHERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_op_options.h"
#include "litert/cc/internal/litert_pattern.h"
#include "litert/cc/internal/litert_string_view.h"

namespace litert {

// -- Asking ---------------------------------------------------------------------------------------

template <typename T, typename Matcher>
bool Match(const T& value, const Matcher& matcher, MatchTracer* tracer = nullptr) {
  return matcher.Match(value, tracer);
}

// The same, and logs where it failed if there is more to say than so many entries.
template <typename T, typename Matcher>
bool DebugMatch(const T& value, const Matcher& matcher, size_t log_depth_greater_than = 0) {
  LoggingMatchTracer tracer;
  const bool matched = matcher.Match(value, &tracer);
  if (tracer.logs().size() > log_depth_greater_than) tracer.LogToError();
  return matched;
}

template <typename OpType, typename Matcher>
bool MatchInput(const OpType& op, size_t index, const Matcher& matcher,
                MatchTracer* tracer = nullptr) {
  const auto input = op.Input(index);
  if (!input) {
    if (tracer != nullptr) tracer->LogFailure("MatchInput", "there is no such input");
    return false;
  }
  if (tracer != nullptr) tracer->PushScope("Input[" + std::to_string(index) + "]");
  const bool matched = matcher.Match(*input, tracer);
  if (tracer != nullptr) tracer->PopScope();
  return matched;
}

namespace internal {

// The first inputs of an op, one for each matcher.
template <typename AnyOp, typename Matchers, size_t... kIndices>
Mismatch MatchInputs(const AnyOp& op, const Matchers& matchers, MatchTracer* tracer,
                     std::index_sequence<kIndices...>) {
  const bool matched = (MatchInput(op, kIndices, std::get<kIndices>(matchers), tracer) && ...);
  return matched ? nullptr : "an input does not match";
}
template <typename AnyOp, typename Matchers>
Mismatch MatchInputs(const AnyOp& op, const Matchers& matchers, MatchTracer* tracer) {
  return MatchInputs(op, matchers, tracer, std::make_index_sequence<std::tuple_size_v<Matchers>>());
}

template <typename AnyOp>
bool HasCustomCode(const AnyOp& op, StringView custom_code) {
  const auto code = op.CustomCode();
  return code && *code == custom_code;
}

// What an op that asks through a table of functions knows, and a plain one does not.
template <typename AnyOp, typename = void>
inline constexpr bool kHasContext = false;
template <typename AnyOp>
inline constexpr bool
    kHasContext<AnyOp, std::void_t<decltype(std::declval<const AnyOp&>().ctx())>> = true;

template <typename OptionsT, typename AnyOp>
LiteRtStatus ReadOptions(OptionsT& options, const AnyOp& op) {
  if constexpr (kHasContext<AnyOp>) {
    return options.InitFromOp(op.ctx(), op.Get());
  } else {
    return options.InitFromOp(op.Get());
  }
}

}  // namespace internal

// -- Ops ------------------------------------------------------------------------------------------

template <LiteRtOpCode kCode>
auto m_OpCode(internal::StringView label = "OpCode") {
  return internal::OpPattern(label, [](const auto& op, MatchTracer*) -> internal::Mismatch {
    return op.Code() == kCode ? nullptr : "another op code";
  });
}

inline auto m_AnyOp(internal::StringView label = "AnyOp") {
  return internal::OpPattern(
      label, [](const auto&, MatchTracer*) -> internal::Mismatch { return nullptr; });
}

// The code, and a matcher for each input: m_Op<kLiteRtOpCodeTflMul>(m_Any(), m_IsConstant()).
template <LiteRtOpCode kCode, typename... Args>
auto m_Op(Args&&... args) {
  const auto make = [](internal::StringView label, auto matchers) {
    return internal::OpPattern(
        label, [matchers](const auto& op, MatchTracer* tracer) -> internal::Mismatch {
          if (op.Code() != kCode) return "another op code";
          if (op.Inputs().size() != std::tuple_size_v<decltype(matchers)>) {
            return "another number of inputs";
          }
          return internal::MatchInputs(op, matchers, tracer);
        });
  };
  return internal::SplitLabel("Op", make, std::forward<Args>(args)...);
}

// The same where further inputs may follow.
template <LiteRtOpCode kCode, typename... Args>
auto m_OpVariadic(Args&&... args) {
  const auto make = [](internal::StringView label, auto matchers) {
    return internal::OpPattern(
        label, [matchers](const auto& op, MatchTracer* tracer) -> internal::Mismatch {
          if (op.Code() != kCode) return "another op code";
          if (op.Inputs().size() < std::tuple_size_v<decltype(matchers)>) return "too few inputs";
          return internal::MatchInputs(op, matchers, tracer);
        });
  };
  return internal::SplitLabel("OpVariadic", make, std::forward<Args>(args)...);
}

// Two inputs, in either order. A capture of an order that fails in the end stays.
template <LiteRtOpCode kCode, typename First, typename Second>
auto m_CommutativeOp(First&& first, Second&& second, internal::StringView label = "CommutativeOp") {
  auto ask = [first = std::decay_t<First>(std::forward<First>(first)),
              second = std::decay_t<Second>(std::forward<Second>(second))](
                 const auto& op, MatchTracer*) -> internal::Mismatch {
    if (op.Code() != kCode) return "another op code";
    const auto inputs = op.Inputs();
    if (inputs.size() != 2) return "another number of inputs than 2";
    if (first.Match(inputs[0]) && second.Match(inputs[1])) return nullptr;
    if (first.Match(inputs[1]) && second.Match(inputs[0])) return nullptr;
    return "the inputs match in neither order";
  };
  return internal::OpPattern(label, std::move(ask));
}

inline auto m_CustomOpCode(internal::StringView custom_code,
                           internal::StringView label = "CustomOpCode") {
  return internal::OpPattern(
      label, [code = std::string(custom_code)](const auto& op, MatchTracer*) -> internal::Mismatch {
        return internal::HasCustomCode(op, code) ? nullptr : "no custom op of that code";
      });
}

template <typename... Args>
auto m_CustomOp(internal::StringView custom_code, Args&&... args) {
  const auto make = [code = std::string(custom_code)](internal::StringView label, auto matchers) {
    return internal::OpPattern(
        label, [code, matchers](const auto& op, MatchTracer* tracer) -> internal::Mismatch {
          if (!internal::HasCustomCode(op, code)) return "no custom op of that code";
          if (op.Inputs().size() != std::tuple_size_v<decltype(matchers)>) {
            return "another number of inputs";
          }
          return internal::MatchInputs(op, matchers, tracer);
        });
  };
  return internal::SplitLabel("CustomOp", make, std::forward<Args>(args)...);
}

// An op whose options, read as OptionsT, satisfy a predicate.
template <typename OptionsT, typename Pred>
auto m_Options(Pred&& pred, internal::StringView label = "Options") {
  return internal::OpPattern(label,
                             [pred = std::decay_t<Pred>(std::forward<Pred>(pred))](
                                 const auto& op, MatchTracer*) -> internal::Mismatch {
                               OptionsT options;
                               if (internal::ReadOptions(options, op) != kLiteRtStatusOk)
                                 return "no such options";
                               return pred(options) ? nullptr : "the predicate is false";
                             });
}

}  // namespace litert

#include "litert/cc/internal/litert_tensor_matchers.h"  // IWYU pragma: export

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MATCHERS_H_
