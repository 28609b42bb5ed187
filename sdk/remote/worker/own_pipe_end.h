// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_REMOTE_WORKER_OWN_PIPE_END_H_
#define NPUKIT_SDK_REMOTE_WORKER_OWN_PIPE_END_H_

namespace npukit::remote {

// A descriptor above the standard ones for the same file as `fd`, closed when a program is executed; negative if
// there is none. Of a pipe, as sshd gives one, it is an end that never blocks and whose pipe has room for a megabyte,
// so that a long message takes few steps: others who have `fd` see nothing of that. `mode`: O_RDONLY or O_WRONLY.
int OpenOwnPipeEnd(int fd, int mode);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_OWN_PIPE_END_H_
