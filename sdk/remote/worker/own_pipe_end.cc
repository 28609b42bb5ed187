// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/own_pipe_end.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace npukit::remote {
namespace {

// Those below are standard ones: they get other files.
constexpr int kFirstOwn = 3;
constexpr int kPipeBytes = 1 << 20;  // the most that anybody may ask for

}  // namespace

int OpenOwnPipeEnd(int fd, int mode) {
  struct stat status = {};
  if (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode)) {
    // O_NONBLOCK is a flag of the open file, not of the descriptor: set on the one that was
    // inherited, it would hold for others that have it, as a shell or ssh. Opened anew it has flags
    // of its own. Where that may not be, the end stays as it is.
    const std::string path = fmt::format("/proc/self/fd/{}", fd);
    const int opened = open(path.c_str(), mode | O_NONBLOCK | O_CLOEXEC);
    if (opened >= kFirstOwn) {
      (void)fcntl(opened, F_SETPIPE_SZ, kPipeBytes);
      return opened;
    }
    if (opened >= 0) close(opened);
  }
  return fcntl(fd, F_DUPFD_CLOEXEC, kFirstOwn);
}

}  // namespace npukit::remote
