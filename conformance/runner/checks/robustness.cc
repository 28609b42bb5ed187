// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class robustness: what a plugin does to the process that it lives in.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/vendor/resources.h"
#include "litert/cc/litert_macros.h"

extern char** environ;

namespace npukit::conformance::checks::robustness {
namespace {

constexpr int kRuns = 16;
constexpr int kSessions = 4;

// Compiles and runs once, from library to values, and closes all of it.
litert::Expected<void> WholeRun(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(CompiledCase compiled, CompileAhead(bench, CompileIn::kThisProcess));
  LITERT_ASSIGN_OR_RETURN(const auto session,
                          OpenSession(bench, std::move(compiled.model), RunMode::kAheadOfTime));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(RunnerKeys(*session).front()));
  return RunWithInputs(bench, *runner, 0);
}

// Standard output goes to memory while this lives.
class OutputCapture {
 public:
  OutputCapture() : file_(memfd_create("stdout", 0)), saved_(dup(STDOUT_FILENO)) {
    fflush(stdout);
    dup2(file_, STDOUT_FILENO);
  }
  ~OutputCapture() {
    Stop();
    close(file_);
  }
  void Stop() {
    if (saved_ < 0) return;
    fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
    saved_ = -1;
  }
  std::string Text() {
    Stop();
    char text[256];
    const ssize_t got = pread(file_, text, sizeof text, 0);
    return std::string(text, got > 0 ? static_cast<size_t>(got) : 0);
  }

 private:
  int file_;
  int saved_;
};

// What a library has no business to change, as name and value.
std::vector<std::pair<std::string, std::string>> ProcessState() {
  std::vector<std::pair<std::string, std::string>> state;
  state.emplace_back("the rounding mode", fmt::format("{}", fegetround()));
#if defined(__SSE__)
  state.emplace_back("the floating-point control register",
                     fmt::format("{}", _mm_getcsr() & ~0x3fU));
#endif
  std::error_code error;
  state.emplace_back("the working directory", std::filesystem::current_path(error).string());
  const mode_t mask = umask(0);
  umask(mask);
  state.emplace_back("the umask", fmt::format("{}", mask));
  state.emplace_back("the locale", std::setlocale(LC_ALL, nullptr));
  for (int signal = 1; signal < 32; ++signal) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    state.emplace_back(fmt::format("the handler of signal {}", signal),
                       fmt::format("{}", reinterpret_cast<uintptr_t>(action.sa_handler)));
  }
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  std::string mask_text;
  for (int signal = 1; signal < 32; ++signal)
    mask_text += sigismember(&blocked, signal) == 1 ? '1' : '0';
  state.emplace_back("the signal mask", mask_text);
  std::string variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.append(*variable).append("\n");
  }
  state.emplace_back("the environment variables", variables);
  return state;
}

}  // namespace

CheckAnswer survives(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  const auto partitioned = PartitionWith(*plugin, nullptr, *model);
  if (!partitioned) return CheckReport::Pass("Partition: " + partitioned.Error().Message());
  if (partitioned->partitions.empty()) return CheckReport::Pass("nothing selected");
  const auto result = plugin->Compile(nullptr, *partitioned->bodies);
  if (!result) return CheckReport::Fail("selected, but not compiled: " + result.Error().Message());
  const auto artifacts = result->Read();
  if (!artifacts) return CheckReport::Fail(artifacts.Error().Message());
  return CheckReport::Pass("compiled");
}

CheckAnswer quiet(Workbench& bench) {
  OutputCapture capture;
  const auto run = WholeRun(bench);
  const std::string text = capture.Text();
  LITERT_RETURN_IF_ERROR(run);
  NPUKIT_CHECK_THAT(text.empty(), "wrote to standard output: '" + text + "'");
  return CheckReport::Pass();
}

CheckAnswer process_state(Workbench& bench) {
  const auto before = ProcessState();
  LITERT_RETURN_IF_ERROR(WholeRun(bench));
  const auto after = ProcessState();
  for (size_t i = 0; i < before.size() && i < after.size(); ++i) {
    NPUKIT_CHECK_THAT(before[i] == after[i], before[i].first + " changed");
  }
  return CheckReport::Pass();
}

CheckAnswer threads_end(Workbench& bench) {
  // What the first run starts and keeps for all later ones is no leak.
  LITERT_RETURN_IF_ERROR(WholeRun(bench));
  const Resources before = MeasureResources();
  for (int i = 0; i < kSessions; ++i) LITERT_RETURN_IF_ERROR(WholeRun(bench));
  const Resources after = MeasureResources();
  NPUKIT_CHECK_THAT(
      after.threads <= before.threads,
      fmt::format("{} threads left after {} runs", after.threads - before.threads, kSessions));
  NPUKIT_CHECK_THAT(after.file_descriptors <= before.file_descriptors,
                    fmt::format("{} file descriptors left after {} runs",
                                after.file_descriptors - before.file_descriptors, kSessions));
  return CheckReport::Pass();
}

CheckAnswer memory(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(CompiledCase compiled, CompileAhead(bench, CompileIn::kThisProcess));
  LITERT_ASSIGN_OR_RETURN(const auto session,
                          OpenSession(bench, std::move(compiled.model), RunMode::kAheadOfTime));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(RunnerKeys(*session).front()));
  LITERT_ASSIGN_OR_RETURN(const std::string leak,
                          FindLeak(kRuns, [&] { return RunWithInputs(bench, *runner, 0); }));
  NPUKIT_CHECK_THAT(leak.empty(), leak);
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::robustness
