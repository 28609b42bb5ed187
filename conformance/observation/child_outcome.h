// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a worker process ended, as its parent saw it. Nothing here depends on how workers are run, so
// that verdicts can be made, and tested, without one.

#ifndef NPUKIT_CONFORMANCE_OBSERVATION_CHILD_OUTCOME_H_
#define NPUKIT_CONFORMANCE_OBSERVATION_CHILD_OUTCOME_H_

#include <cstdint>
#include <string>

namespace npukit::conformance {

struct ChildOutcome {
  enum class End {
    kReported,   // the work was done and its report is here
    kForged,     // somebody else wrote to the pipe of the report
    kNotJudged,  // the process that was to judge the report did not get to an end; `report` says how
    kExited,     // the process ended by itself before reporting: somebody called exit()
    kSignalled,  // killed by `signal`
    kTimedOut,
    kOutputLimit,  // wrote more than it may
    kCancelled,    // the parent stopped it
    kDeviceLost,   // the device that it worked with went away; `stage` says in what, and why
  };
  End end = End::kExited;
  int exit_code = 0;
  int signal = 0;
  std::string report;           // what the work returned
  std::string stage;            // last SetStage before the end; empty if there was none
  std::string stack;            // frames, one a line, of a crash, an abort or a hang; may be empty
  std::string standard_output;  // its beginning, as much as the limit allows
  std::string standard_error;   // likewise
  double seconds = 0;
  uint64_t peak_memory_bytes = 0;  // resident
  // Processes of its group were still alive at its end; they were killed.
  bool left_processes = false;
};

// "SIGSEGV"; "signal 99" for unknown numbers.
std::string SignalName(int signal);

// What became of a process that came to no report, behind its name: "crashed with SIGSEGV", "gave no answer in time",
// "ended early".
std::string HowItEnded(const ChildOutcome& outcome);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_OBSERVATION_CHILD_OUTCOME_H_
