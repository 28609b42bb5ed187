// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a test asks the vendors that are linked into it to fail, and reads what they were called for.
// C11: one of the vendors is.

#ifndef NPUKIT_SDK_TESTS_LINKED_BEHAVIOUR_H_
#define NPUKIT_SDK_TESTS_LINKED_BEHAVIOUR_H_

#ifdef __cplusplus
extern "C" {
#endif

// A fault that a vendor shows while it is switched on.
typedef enum LinkedFault {
  kLinkedFaultNone = 0,
  kLinkedFaultIncompatible,  // the compiler plugin or dispatch library refuses this host
  kLinkedFaultNoDevice,
  kLinkedFaultLoad,
  kLinkedFaultRun,
} LinkedFault;

// Of all vendors of the program; one at a time.
void SetLinkedFault(LinkedFault fault);
int HasLinkedFault(LinkedFault fault);

// The environment in which a vendor's device was opened last.
void NoteLinkedEnvironment(const char* vendor, const void* environment);
const void* LinkedEnvironment(const char* vendor);

// "VENDOR: EVENT", in the order in which it happened.
void NoteLinkedEvent(const char* vendor, const char* event);

#ifdef __cplusplus
}  // extern "C"

#include <string>
#include <vector>

// What was noted since the last call.
std::vector<std::string> TakeLinkedEvents();
#endif

#endif  // NPUKIT_SDK_TESTS_LINKED_BEHAVIOUR_H_
