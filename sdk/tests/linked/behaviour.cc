// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tests/linked/behaviour.h"

#include <map>
#include <utility>

namespace {

LinkedFault current_fault = kLinkedFaultNone;
std::map<std::string, const void*> environments;
std::vector<std::string> events;

}  // namespace

void SetLinkedFault(LinkedFault fault) { current_fault = fault; }

int HasLinkedFault(LinkedFault fault) { return current_fault == fault ? 1 : 0; }

void NoteLinkedEnvironment(const char* vendor, const void* environment) {
  environments[vendor] = environment;
}

const void* LinkedEnvironment(const char* vendor) { return environments[vendor]; }

void NoteLinkedEvent(const char* vendor, const char* event) {
  events.push_back(std::string(vendor) + ": " + event);
}

std::vector<std::string> TakeLinkedEvents() { return std::exchange(events, {}); }
