// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-worker: what runs on a device for a desk (docs/remote.md). Its standard input and output are
// the connection.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "sdk/remote/worker/file_cache.h"
#include "sdk/remote/worker/own_pipe_end.h"
#include "sdk/remote/worker/supervisor.h"
#include "sdk/tools/command_line/verb.h"

namespace {

// Found by `npukit` in the file, as in those of verbs.
[[gnu::used]] const char kHelp[] = NPUKIT_VERB_HELP_MARK
    "run a vendor's libraries on a board, for npukit --device on another machine";

constexpr char kUsage[] =
    "usage: npukit-worker [--cache DIR]\n"
    "\n"
    "Runs a vendor's dispatch library for `npukit ... --device`, which starts it and speaks with "
    "it\n"
    "through its standard input and output. Files that are sent stay in DIR; without it, in\n"
    "$NPUKIT_WORKER_CACHE, $XDG_CACHE_HOME/npukit-worker, $HOME/.cache/npukit-worker or\n"
    "/tmp/npukit-worker-UID.\n";

// The exit code. What was printed may still lie in stdout's buffer; a full disk shows here.
int Printed() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::perror("npukit-worker: standard output can't be written");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string cache = npukit::remote::FileCache::DefaultFolder();
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(kUsage, stdout);
      return Printed();
    }
    if (argument == "--version") {
      std::puts("npukit worker " NPUKIT_VERSION);
      return Printed();
    }
    if (argument != "--cache" || i + 1 == argc) {
      std::fputs(kUsage, stderr);
      return 2;
    }
    cache = argv[++i];
  }
  if (isatty(STDIN_FILENO) != 0) {
    std::fputs("npukit-worker: standard input is a terminal; `npukit ... --device` starts it\n",
               stderr);
    return 2;
  }
  // What a vendor prints goes to standard error, and nobody reads from the connection but us.
  const int from_desk = npukit::remote::OpenOwnPipeEnd(STDIN_FILENO, O_RDONLY);
  const int to_desk = npukit::remote::OpenOwnPipeEnd(STDOUT_FILENO, O_WRONLY);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (from_desk < 0 || to_desk < 0 || nothing < 0) return 1;
  dup2(nothing, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return npukit::remote::Serve(from_desk, to_desk, cache);
}
