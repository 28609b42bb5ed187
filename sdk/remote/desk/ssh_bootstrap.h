// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The first words over ssh, before a worker is there to speak with: a shell's script on the device says
// which files it has, takes those that it lacks, and becomes the worker.

#ifndef NPUKIT_SDK_REMOTE_DESK_SSH_BOOTSTRAP_H_
#define NPUKIT_SDK_REMOTE_DESK_SSH_BOOTSTRAP_H_

#include <chrono>
#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/worker_files.h"

namespace npukit::remote {

// What ssh is to run: a command for any login shell, that runs a POSIX script in the folder, a plain
// word. The script needs sh, mkdir, head -c, wc, chmod, mv and rm, which busybox has.
std::string BootstrapCommand(const std::string& folder);

// Speaks with that script through `fd`, until it has become the worker. What a login prints before the
// script's first word is passed over. Error: it says or does something else; nothing comes for as long as
// `silence`; a file did not arrive whole, as on a full disk.
litert::Expected<void> Bootstrap(int fd, const WorkerFiles& files,
                                 std::chrono::milliseconds silence);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_SSH_BOOTSTRAP_H_
