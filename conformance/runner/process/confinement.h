// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What keeps vendor code from the processes that judge it. A worker is a session and a process group
// of its own, and the kernel refuses it, root too, and whatever it starts:
//
//   signals to the kit's processes, or to all    SIGSYS, which fails the case
//   ptrace, and the memory of others             EPERM
//   leaving its session or group                 EPERM, so that whoever it starts is found and ended
//   living on when the kit ends                  EPERM (PR_SET_PDEATHSIG)
//   writing to the kit's memory and descriptors  EACCES, by /proc
//
// Signal 0, which only asks whether a process is there, is allowed, as are signals to processes that
// are not the kit's: who ends another worker fails that case.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_CONFINEMENT_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_CONFINEMENT_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace npukit::conformance {

// The processes that no worker may signal: the one that forks it, and that one's parent.
struct KitProcesses {
  pid_t runner;
  pid_t parent;
  static KitProcesses Current();
};

// In the process that forks workers, once: its memory is its own. Gives why not, or nothing.
std::string ProtectRunner();

// In a worker, before vendor code runs. What the kernel at hand does not offer is noted.
void ConfineWorker(const KitProcesses& kit);
// In a worker: what is not confined and why, a sentence each. Empty if all is.
const std::vector<std::string>& ConfinementGaps();

// The name of a system call that may be answered with SIGSYS; null if it is none of them.
const char* ForbiddenCallName(int number);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_CONFINEMENT_H_
