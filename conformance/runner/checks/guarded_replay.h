// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a session ran, once more on memory of the kit's own: between guard pages, with inputs that
// can't be written. In a session buffers lie side by side, where a library that reads or writes
// beyond one meets another one.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_GUARDED_REPLAY_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_GUARDED_REPLAY_H_

#include <string>

#include "conformance/runner/checks/observed_run.h"
#include "conformance/runner/checks/workbench.h"
#include "conformance/runner/vendor/guarded_memory.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance {

// Each dispatch op that the runner's last run came by, with the inputs that it had there, and what it
// gives now, and when it is run some times more; `bodies` as in CompiledCase. Ends with the first that
// writes outside its buffers. A read or write that reaches a guard page crashes, and is told so. Needs a
// session that keeps intermediates.
litert::Expected<ObservedRun> ReplayGuarded(Workbench& bench, const Session& session,
                                            const SignatureRunner& runner, const Model& bodies,
                                            GuardedMemory::At at);

// Those of which the compiler says that an output may be an input's buffer, in one buffer; the others
// are passed over.
litert::Expected<ObservedRun> ReplayInPlace(Workbench& bench, const Session& session,
                                            const SignatureRunner& runner, const Model& bodies);

// What is wrong with such a run, beside the session's own: a stray write, or other bytes. Empty if
// nothing is.
std::string GuardedProblem(const ObservedRun& run, const ObservedRun& guarded,
                           GuardedMemory::At at);
std::string InPlaceProblem(const ObservedRun& run, const ObservedRun& in_place);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_GUARDED_REPLAY_H_
