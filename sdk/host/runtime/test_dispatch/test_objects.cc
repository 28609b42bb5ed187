// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/test_dispatch/test_objects.h"

#include <utility>

namespace npukit::test_dispatch {

State* GlobalState() {
  static auto* const state = new State;
  return state;
}

bool Fault(const char* name) { return GlobalState()->fault == name; }

void Log(std::string call) { GlobalState()->calls.push_back(std::move(call)); }

LiteRtStatus Violation(std::string what) {
  GlobalState()->violations.push_back(std::move(what));
  return kLiteRtStatusErrorInvalidArgument;
}

std::set<LiteRtDispatchDeviceContext>& Devices() {
  static auto* const devices = new std::set<LiteRtDispatchDeviceContext>;
  return *devices;
}

std::set<LiteRtDispatchInvocationContext>& Invocations() {
  static auto* const invocations = new std::set<LiteRtDispatchInvocationContext>;
  return *invocations;
}

}  // namespace npukit::test_dispatch
