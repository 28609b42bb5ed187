// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a worker does to itself before it runs vendor code: limits, and a handler that writes the
// stack of a crash.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_WORKER_SETUP_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_WORKER_SETUP_H_

#include <cstdint>

namespace npukit::conformance {

// True when built with a sanitizer, which reserves terabytes of address space and handles signals
// itself.
bool HasSanitizer();

// 0: no limit.
void LimitMemory(uint64_t bytes);

// Before a fork: the worker's crash handler uses what this loads, and loading it is not safe there.
void LoadUnwinder();

// On SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP and SIGSYS, and on SIGXCPU (which the parent sends
// to a worker that hangs), writes the frames to `fd` and dies of the same signal. Has its own
// stack, so that an overflow of the stack is survived long enough.
void InstallCrashHandler(int fd);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_WORKER_SETUP_H_
