// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the matchers of litert_matchers.h are made of. Ops and tensors are litert::Op and Tensor, or
// those of litert/compiler/cc, which know the table of functions that they ask.

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_PATTERN_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_PATTERN_H_

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_logging.h"
#include "litert/cc/internal/litert_string_view.h"

namespace litert {

// Hears where a pattern failed.
class MatchTracer {
 public:
  virtual ~MatchTracer() = default;

  virtual void LogFailure(internal::StringView matcher_name, internal::StringView reason) = 0;
  // A matcher begins and ends; those that it asks lie between.
  virtual void PushScope(internal::StringView scope_name) { (void)scope_name; }
  virtual void PopScope() {}
};

// Keeps what it hears.
class LoggingMatchTracer : public MatchTracer {
 public:
  struct LogEntry {
    std::string type;    // "Start" or "Fail"
    std::string name;    // the matcher's label
    std::string reason;  // of a failure
    int depth;
  };

  void LogFailure(internal::StringView matcher_name, internal::StringView reason) override {
    logs_.push_back({"Fail", std::string(matcher_name), std::string(reason), depth_});
  }
  void PushScope(internal::StringView scope_name) override {
    logs_.push_back({"Start", std::string(scope_name), "", depth_++});
  }
  void PopScope() override {
    if (depth_ > 0) --depth_;
  }

  // Writes it to the log, indented by depth.
  void LogToError() const {
    for (const LogEntry& entry : logs_) {
      const std::string line = std::string(2 * static_cast<size_t>(entry.depth), ' ') + "[" +
                               entry.type + "] " + entry.name +
                               (entry.reason.empty() ? "" : ": " + entry.reason);
      LITERT_LOG(LITERT_INFO, "%s", line.c_str());
    }
  }

  const std::vector<LogEntry>& logs() const { return logs_; }

 private:
  int depth_ = 0;
  std::vector<LogEntry> logs_;
};

}  // namespace litert

namespace litert::internal {

// Why something does not match; null if it does.
using Mismatch = const char*;

// Tensors know the op that writes them, and ops do not.
template <typename T, typename = void>
inline constexpr bool kIsTensor = false;
template <typename T>
inline constexpr bool
    kIsTensor<T, std::void_t<decltype(std::declval<const T&>().GetDefiningOp())>> = true;

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

  template <typename T>
  Mismatch operator()(const T& value, MatchTracer* tracer) const {
    if constexpr (kIsTensor<T>) {
      const auto op = value.GetDefiningOp();
      return op ? ask(*op, tracer) : "no op writes the tensor";
    } else {
      return ask(value, tracer);
    }
  }
};

// Asks a tensor; an op does not compile.
template <typename Ask>
struct OfTensor {
  Ask ask;

  template <typename T>
  Mismatch operator()(const T& tensor, MatchTracer*) const {
    static_assert(kIsTensor<T>, "a matcher of tensors can't ask an op");
    return ask(tensor);
  }
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
