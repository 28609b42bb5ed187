// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a worker process was doing: written before each call into the vendor's code, so that a crash
// or a hang can be reported as "in LiteRtCompilerPluginCompile" instead of "somewhere".

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_STAGE_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_STAGE_H_

#include <string>
#include <string_view>

#include "conformance/runner/process/stage_page.h"

namespace npukit::conformance {

// Tells the parent; does nothing outside a worker. Thread-safe. Text beyond 200 characters is cut.
void SetStage(std::string_view stage);

// Adds to the stage that this thread set last: "invoke: read past the end of input 0". May be called
// in a signal handler.
void AddToStage(std::string_view text);

// While it lives, the stages that this thread sets say of what they are: "Compile: input 1 is omitted".
// One at a time in a thread.
class StageOf {
 public:
  explicit StageOf(std::string what);
  ~StageOf();
  StageOf(const StageOf&) = delete;
  StageOf& operator=(const StageOf&) = delete;

 private:
  const std::string what_;
};

// For the worker's start only (child_process.cc): where SetStage writes.
void SetStagePage(StagePage* page);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_STAGE_H_
