// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A plugin's own sentence about a call that fails. What it logs can't be heard here: every library has a
// logger of its own.

#ifndef NPUKIT_SDK_HOST_PLUGIN_REASONS_OF_CALL_H_
#define NPUKIT_SDK_HOST_PLUGIN_REASONS_OF_CALL_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "npukit/extensions/last_error.h"

namespace npukit {

// Around calls of a plugin, in the thread that makes them.
class ReasonsOfCall {
 public:
  // `last_error` may be null: the plugin does not export it.
  explicit ReasonsOfCall(NpukitLastErrorT last_error);
  ~ReasonsOfCall();
  ReasonsOfCall(const ReasonsOfCall&) = delete;
  ReasonsOfCall& operator=(const ReasonsOfCall&) = delete;

  // After a call has failed: what Say() was told, else what NpukitLastError says, on one line; empty
  // where neither says anything.
  std::string Text() const;
  // `error` with that text behind it, unless it says so already.
  litert::Error Explain(const litert::Error& error) const;

  // For what stands in for a plugin's function: why the call of this thread fails.
  static void Say(std::string reason);

 private:
  NpukitLastErrorT last_error_;
  ReasonsOfCall* outer_;
  std::string said_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_REASONS_OF_CALL_H_
