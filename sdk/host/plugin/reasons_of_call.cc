// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/reasons_of_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace npukit {
namespace {

constexpr size_t kMaxReasonBytes = 1024;

thread_local ReasonsOfCall* call_of_thread = nullptr;

std::string OneLine(std::string text) {
  if (text.size() > kMaxReasonBytes) text = text.substr(0, kMaxReasonBytes) + "...";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

ReasonsOfCall::ReasonsOfCall(NpukitLastErrorT last_error)
    : last_error_(last_error), outer_(std::exchange(call_of_thread, this)) {}

ReasonsOfCall::~ReasonsOfCall() { call_of_thread = outer_; }

void ReasonsOfCall::Say(std::string reason) {
  if (call_of_thread != nullptr) call_of_thread->said_ = std::move(reason);
}

std::string ReasonsOfCall::Text() const {
  if (!said_.empty()) return said_;
  const char* const said = last_error_ == nullptr ? nullptr : last_error_();
  return said == nullptr ? std::string() : OneLine(said);
}

litert::Error ReasonsOfCall::Explain(const litert::Error& error) const {
  const std::string reason = Text();
  const std::string& message = error.Message();
  if (reason.empty() || message.find(reason) != std::string::npos) return error;
  return litert::Error(error.Status(), fmt::format("{}: {}", message, reason));
}

}  // namespace npukit
