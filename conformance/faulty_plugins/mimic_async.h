// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's asynchronous runs: each on a thread of its own, with a file descriptor for each output.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_ASYNC_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_ASYNC_H_

#include <thread>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch.h"

namespace npukit::conformance::mimic {

// The runs of one invocation context, of which one at a time is under way.
class AsyncRuns {
 public:
  ~AsyncRuns() { Wait(); }

  void Attach(LiteRtEvent event) { input_events_.push_back(event); }
  // `run` is called once the attached events are signalled. `events` get the outputs' own.
  LiteRtStatus Start(LiteRtStatus (*run)(LiteRtDispatchInvocationContext),
                     LiteRtDispatchInvocationContext context, int num_events, LiteRtEvent* events);
  void Wait() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::vector<LiteRtEvent> input_events_;  // of the next run
  std::thread thread_;
};

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_ASYNC_H_
