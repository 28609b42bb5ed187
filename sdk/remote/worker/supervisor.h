// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The worker's first process, which never holds vendor code. It speaks with the desk, keeps the files
// and forks a process for each library that is opened; a library's crash, hang or exit() is then an
// answer, and not the end of the connection.

#ifndef NPUKIT_SDK_REMOTE_WORKER_SUPERVISOR_H_
#define NPUKIT_SDK_REMOTE_WORKER_SUPERVISOR_H_

#include <string>

namespace npukit::remote {

// Serves the desk at these descriptors until it ends the connection, is silent for an hour, or sends
// what is no message. Then nothing is left of what was started. One thread. The exit code of the
// worker: 0 at the connection's end, 1 if that came by an error, which stands on standard error.
int Serve(int from_desk, int to_desk, const std::string& cache_folder);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_SUPERVISOR_H_
