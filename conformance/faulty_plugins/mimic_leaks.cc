// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_misconduct.h"

namespace npukit::conformance::mimic {
namespace {

void LoseMemory(size_t bytes) {
  [[maybe_unused]] static void* volatile lost;
  lost = malloc(bytes);
}

void LeaveFileOpen() { (void)open("/dev/null", O_RDONLY | O_CLOEXEC); }

// Each with other rights than its neighbours may have, so that the kernel joins no two.
void LeavePageMapped() {
  static bool readable = false;
  readable = !readable;
  (void)mmap(nullptr, 4096, readable ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

}  // namespace

void LeakWithDevice() {
  if (Has(Fault::device_leak)) LoseMemory(64);
  if (Has(Fault::descriptor_leak)) LeaveFileOpen();
  if (!Has(Fault::thread_leak)) return;
  std::thread([] {
    while (true) pause();
  }).detach();
}

void LeakWithInvocation() {
  if (Has(Fault::invocation_leak)) LoseMemory(100);
  if (Has(Fault::descriptor_per_invocation)) LeaveFileOpen();
  if (Has(Fault::mapping_per_invocation)) LeavePageMapped();
}

void LeakWithTrace() {
  if (Has(Fault::descriptor_per_trace)) LeaveFileOpen();
}

void LeakWithProfile() {
  if (Has(Fault::descriptor_per_profile)) LeaveFileOpen();
}

void LeakWithPlugin() {
  if (Has(Fault::plugin_leak)) LoseMemory(64);
  if (Has(Fault::descriptor_per_plugin)) LeaveFileOpen();
}

void LeakWithResult() {
  if (Has(Fault::mapping_per_result)) LeavePageMapped();
}

}  // namespace npukit::conformance::mimic
