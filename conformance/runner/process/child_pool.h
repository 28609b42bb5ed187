// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Several workers at a time.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_CHILD_POOL_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_CHILD_POOL_H_

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>

#include "conformance/runner/process/child_process.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

class OwnHeap;

struct PoolTask {
  ChildProcess::Work work;
  ChildLimits limits;
  // If there is one: makes of the work's report the one that is handed over. It runs in another
  // process, which starts from here and so never held what the work loaded, after the judgements of
  // other tasks; one that ends that process is made again by itself. How its process ends is no verdict
  // over the work (kNotJudged).
  std::function<std::string(const std::string& report)> judge = nullptr;
  // If there is one: is told, once, that the work's process is over, before `judge` runs.
  std::function<void(const ChildOutcome& outcome)> worked = nullptr;
  // The work mostly waits: others are started beside it, as if it were not there.
  bool waits = false;
};

// Runs tasks 0 .. count-1, at most `jobs` at a time and as many again that wait, and hands over each
// outcome as it comes, in order of completion. When `stop` becomes true (a signal handler may set
// it) no task is started any more, running ones are cancelled, and the tasks never started are not
// handed over.
// `make_task` and `done` run on the caller's thread. `done` may set `stop`. Error only if no
// process can be started at all.
litert::Expected<void> RunTasks(size_t count, int jobs,
                                const std::function<PoolTask(size_t)>& make_task,
                                const std::function<void(size_t, const ChildOutcome&)>& done,
                                const std::atomic<bool>& stop);

// The same with the tasks of `queue`, in its order. `done` may add to it: at the front what is to run once more, and next.
// What processes report is kept on the heap `books`, if there is one; `done` then runs on its thread while the caller's waits.
litert::Expected<void> RunQueue(std::deque<size_t>& queue, int jobs,
                                const std::function<PoolTask(size_t)>& make_task,
                                const std::function<void(size_t, const ChildOutcome&)>& done,
                                const std::atomic<bool>& stop, OwnHeap* books = nullptr);

// One task, waited for.
litert::Expected<ChildOutcome> RunTask(const PoolTask& task);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_CHILD_POOL_H_
