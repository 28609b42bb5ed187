// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Collects the errors of calls that must all be made, such as those that give objects back.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_ERROR_COLLECTOR_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_ERROR_COLLECTOR_H_

#include <string>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"

namespace npukit {

class ErrorCollector {
 public:
  void Add(const litert::Error& error) {
    if (status_ == kLiteRtStatusOk) status_ = error.Status();
    if (!messages_.empty()) messages_ += "; ";
    messages_ += error.Message();
  }
  void Add(const litert::Expected<void>& result) {
    if (!result) Add(result.Error());
  }
  // The first status, and all messages.
  litert::Expected<void> Result() const {
    if (status_ == kLiteRtStatusOk) return {};
    return litert::Unexpected(status_, messages_);
  }

 private:
  LiteRtStatus status_ = kLiteRtStatusOk;
  std::string messages_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_ERROR_COLLECTOR_H_
