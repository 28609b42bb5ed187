// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/calls_ahead.h"

#include <cstddef>

namespace npukit::remote {
namespace {

using enum DispatchFunction;

// Of a message, so that one that waits has room beside them.
constexpr size_t kMostPutOff = kMaxCallsOfMessage / 2;
constexpr size_t kMostPutOffBytes = size_t{1} << 20;

// What others do meanwhile decides the answers to these, and they may wait for a call that is still
// to be made: nothing can be foreseen, and nothing put off, from there on.
bool IsInBackground(DispatchFunction function) {
  return function == kAttachInputEvent || function == kSignalInputEvent ||
         function == kInvokeAsync || function == kWaitEvent;
}

bool AreSame(const DispatchCall& a, const DispatchCall& b) {
  return a.function == b.function && a.object == b.object && a.index == b.index &&
         a.nulls == b.nulls;
}

// Of an invocation, and so that metrics that were read before it are others than those that are read after it.
bool ChangesMetrics(DispatchFunction function) {
  return function == kInvoke || function == kStartMetrics || function == kStopMetrics ||
         function == kInvocationDestroy || function == kSetRecording || function == kReadProfile;
}

}  // namespace

void CallsAhead::Restart(std::optional<Expectation> expectation) {
  const auto lock = Lock();
  expectation_ = std::move(expectation);
  thread_ = std::nullopt;
  expected_ = ExpectedAnswers(expectation_ ? expectation_->of_others : nullptr);
  opening_ = std::nullopt;
  put_off_.clear();
  put_off_bytes_ = 0;
  answers_.clear();
  kept_.clear();
  is_on_ = expectation_.has_value();
}

bool CallsAhead::Bears(const DispatchCall& call) {
  if (!thread_) thread_ = call.thread;
  return call.thread == *thread_ && !IsInBackground(call.function);
}

bool CallsAhead::PutOff(DispatchCall& call, DispatchAnswer& answer) {
  if (const auto kept = kept_.find(call.object);
      kept != kept_.end() && AreSame(kept->second.first, call)) {
    answer = std::move(kept->second.second);
    kept_.erase(kept);
    return true;
  }
  if (put_off_.size() >= kMostPutOff) return false;
  std::optional<DispatchAnswer> expected = expected_.Of(call);
  if (!expected) return false;
  answer = *expected;
  put_off_.push_back(std::move(call));
  answers_.push_back(std::move(*expected));
  return true;
}

bool CallsAhead::PutOffRun(const DispatchCall& call, const DispatchAnswer& expected) {
  size_t size_bytes = 0;
  for (const BufferContents& fresh : call.buffers) size_bytes += fresh.bytes.size();
  if (put_off_.size() >= kMostPutOff || put_off_bytes_ + size_bytes > kMostPutOffBytes)
    return false;
  put_off_bytes_ += size_bytes;
  put_off_.push_back(call);
  answers_.push_back(expected);
  return true;
}

bool CallsAhead::IsFollowedByStop(const DispatchCall& call) const {
  return call.function == kInvoke && call.nulls == 0 && expected_.IsMeasured(call.object);
}

void CallsAhead::Keep(DispatchCall call, DispatchAnswer answer) {
  const uint64_t invocation = call.object;
  expected_.Note(call, answer);
  kept_[invocation] = {std::move(call), std::move(answer)};
}

bool CallsAhead::IsMisled(const DispatchCall& call) const {
  const auto kept = kept_.find(call.object);
  return kept != kept_.end() && ChangesMetrics(call.function) && !AreSame(kept->second.first, call);
}

std::vector<DispatchCall> CallsAhead::TakeCalls() {
  put_off_bytes_ = 0;
  return std::exchange(put_off_, {});
}

std::string CallsAhead::Compare(const std::vector<DispatchCall>& calls,
                                const std::vector<DispatchAnswer>& answers) {
  const std::vector<DispatchAnswer> expected = std::exchange(answers_, {});
  // Fewer answers than calls: one of those was not good, and the worker stopped there (IsGood).
  for (size_t i = 0; i < expected.size(); ++i) {
    if (i >= answers.size() || !expected_.IsMet(calls[i], expected[i], answers[i]))
      return NameOf(calls[i].function);
  }
  const size_t waited = expected.size();
  if (waited < calls.size() && waited < answers.size())
    expected_.Note(calls[waited], answers[waited]);
  return {};
}

}  // namespace npukit::remote
