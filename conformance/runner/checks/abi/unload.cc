// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a process ends that used the libraries: workers leave without destructors, users' programs do
// not.

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/one_add.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::abi {
namespace {

constexpr int kEndMilliseconds = 10'000;

// All that a short program does. What fails here other checks find.
litert::Expected<void> UseLibraries(Workbench& bench) {
  {
    LITERT_ASSIGN_OR_RETURN(const VendorPlugin plugin, bench.NewPlugin());
    const std::unique_ptr<Model> model = OneAdd();
    LITERT_ASSIGN_OR_RETURN(const PartitionedModel parts, PartitionWith(plugin, nullptr, *model));
    if (!parts.partitions.empty()) LITERT_RETURN_IF_ERROR(plugin.Compile(nullptr, *parts.bodies));
  }
  LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
  return device->Close();
}

// Whether the process is gone by then.
bool EndsWithin(pid_t pid, int most_milliseconds) {
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0) return true;  // an old kernel: wait as long as it takes
  pollfd ended = {.fd = descriptor, .events = POLLIN, .revents = 0};
  const int ready = poll(&ended, 1, most_milliseconds);
  close(descriptor);
  return ready != 0;
}

}  // namespace

CheckAnswer unload(Workbench& bench) {
  // As waitpid has it; nothing if the process did not end.
  using Ends = std::vector<uint64_t>;
  LITERT_ASSIGN_OR_RETURN(
      const Ends ends,
      Witness::Get().Observe<Ends>("a short program", [&]() -> litert::Expected<Ends> {
        const pid_t pid = fork();
        if (pid < 0) {
          return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "no process can be started");
        }
        if (pid == 0) {
          (void)UseLibraries(bench);
          SetStage("exit() of a process that used the libraries");
          // Workers end by _exit(): destructors and atexit handlers of the libraries run here
          // alone.
          std::exit(0);
        }
        const bool ended = EndsWithin(pid, kEndMilliseconds);
        if (!ended) kill(pid, SIGKILL);
        int status = 0;
        waitpid(pid, &status, 0);
        return ended ? Ends{static_cast<uint64_t>(status)} : Ends{};
      }));
  NPUKIT_CHECK_THAT(!ends.empty(),
                    "a process that used the libraries and calls exit() does not end");
  const auto status = static_cast<int>(ends.front());
  NPUKIT_CHECK_THAT(
      !WIFSIGNALED(status),
      fmt::format("a process that used the libraries and calls exit() dies of signal {}",
                  WTERMSIG(status)));
  NPUKIT_CHECK_THAT(WEXITSTATUS(status) == 0,
                    fmt::format("a process that used the libraries and calls exit(0) ends with {}",
                                WEXITSTATUS(status)));
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::abi
