// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's asynchronous runs: each on a thread of its own, with a file descriptor for each output.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_ASYNC_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_ASYNC_H_

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch.h"

namespace npukit::conformance::mimic {

struct RunEnd;

// The runs of one invocation context, of which one at a time is under way.
class AsyncRuns {
 public:
  ~AsyncRuns() {
    Wait();
    Forget();
  }

  void Attach(LiteRtEvent event) { input_events_.push_back(event); }
  // `run` is called once the attached events are signalled. `events` get the outputs' own.
  LiteRtStatus Start(std::function<LiteRtStatus()> run, int num_events, LiteRtEvent* events);
  void Wait() {
    if (thread_.joinable()) thread_.join();
  }

  // How the run behind an event of any context's last run ended; see npukit/extensions/event_status.h.
  static LiteRtStatus StatusOf(LiteRtEvent event, LiteRtStatus* status);

 private:
  void Forget();

  std::vector<LiteRtEvent> input_events_;   // of the next run
  std::vector<LiteRtEvent> output_events_;  // of the last one
  std::shared_ptr<RunEnd> end_;             // likewise
  std::thread thread_;
};

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_ASYNC_H_
