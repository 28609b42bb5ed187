// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class state that compile: the same bytecode wherever and whenever it is made.

#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/process/worker_answer.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/linked_plugins.h"

namespace npukit::conformance::checks::state {
namespace {

constexpr uint64_t kTwinSeed = 0x5eed;
constexpr size_t kThreads = 2;
constexpr int kCompilationsPerThread = 4;

std::string ToText(const Artifacts& artifacts) {
  std::string text;
  for (const auto& call : artifacts.calls)
    text += fmt::format("{} in module {}\n", call.entry_point, call.module);
  for (const auto& module : artifacts.modules) {
    text += fmt::format("{} bytes\n", module.size());
    text.append(module.begin(), module.end());
  }
  return text;
}

// What the case compiles to in a process that `prepare` made other than this one. An error if that
// process came to no end of its own.
litert::Expected<std::string> CompileElsewhere(Workbench& bench,
                                               const std::function<void()>& prepare) {
  PluginUnderTest under_test = bench.under_test();
  std::error_code error;
  // `prepare` may change the working folder, from which relative paths count.
  if (LinkedName(under_test.plugin_path).empty())
    under_test.plugin_path = std::filesystem::absolute(under_test.plugin_path, error).string();
  if (error)
    return litert::Unexpected(kLiteRtStatusErrorFileIO,
                              "the working directory: " + error.message());
  const auto compile = [&]() -> litert::Expected<std::string> {
    prepare();
    Workbench other(under_test, bench.spec());
    LITERT_ASSIGN_OR_RETURN(const Artifacts* artifacts, other.artifacts());
    return ToText(*artifacts);
  };
  SetStage("compiling in another process");
  return AskWorker(compile, LimitedByRunner()).text;
}

void UseOneProcessor() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

// What a thread compiled; what it compiled before is left out.
struct ThreadCompilations {
  std::string error;  // empty: it came to its end
  std::vector<Artifacts> results;
  static auto Fields(auto& self) { return std::tie(self.error, self.results); }
};

litert::Expected<void> CompileAgainAndAgain(Workbench& bench, Model& partitions,
                                            ThreadCompilations& observed) {
  for (int run = 0; run < kCompilationsPerThread; ++run) {
    LITERT_ASSIGN_OR_RETURN(const VendorPlugin plugin, bench.NewPlugin());
    LITERT_ASSIGN_OR_RETURN(const VendorResult result, plugin.Compile(nullptr, partitions));
    LITERT_ASSIGN_OR_RETURN(Artifacts artifacts, result.Read());
    if (std::find(observed.results.begin(), observed.results.end(), artifacts) ==
        observed.results.end())
      observed.results.push_back(std::move(artifacts));
  }
  return {};
}

std::vector<ThreadCompilations> CompileOnThreads(Workbench& bench,
                                                 const std::vector<Model*>& partitions) {
  std::vector<ThreadCompilations> observed(partitions.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < partitions.size(); ++i) {
    threads.emplace_back([&, i] {
      if (const auto done = CompileAgainAndAgain(bench, *partitions[i], observed[i]); !done)
        observed[i].error = done.Error().Message();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return observed;
}

}  // namespace

CheckAnswer compile_threads(Workbench& bench) {
  PluginUnderTest other = bench.under_test();
  // The same ops with other constants: what the threads mix up shows.
  other.seed += kTwinSeed;
  Workbench twin(other, bench.spec());
  Workbench* const benches[kThreads] = {&bench, &twin};
  PartitionedModel* parts[kThreads];
  const Artifacts* alone[kThreads];
  for (size_t i = 0; i < kThreads; ++i) {
    LITERT_ASSIGN_OR_RETURN(parts[i], benches[i]->partitioned());
    LITERT_ASSIGN_OR_RETURN(alone[i], benches[i]->artifacts());
  }
  LITERT_ASSIGN_OR_RETURN(
      const std::vector<ThreadCompilations> observed,
      Witness::Get().Observe<std::vector<ThreadCompilations>>(
          "threads", [&]() -> litert::Expected<std::vector<ThreadCompilations>> {
            return CompileOnThreads(bench, {parts[0]->bodies.get(), parts[1]->bodies.get()});
          }));
  NPUKIT_CHECK_THAT(observed.size() == kThreads, "other threads than were started");
  for (size_t i = 0; i < kThreads; ++i) {
    std::string problem = observed[i].error;
    if (problem.empty() && observed[i].results.empty()) problem = "it did not compile";
    for (const Artifacts& result : observed[i].results) {
      if (problem.empty()) problem = ArtifactDifference(*alone[i], result);
    }
    NPUKIT_CHECK_THAT(problem.empty(), "beside another thread that compiles: " + problem);
  }
  return CheckReport::Pass();
}

CheckAnswer environment(Workbench& bench) {
  if (!bench.under_test().isolate) return CheckReport::Skip("processes of its own are not wanted");
  const struct {
    const char* name;
    std::function<void()> prepare;
  } kOthers[] = {
      {"another process", [] {}},
      {"a process without HOME and USER",
       [] {
         for (const char* name : {"HOME", "USER", "LOGNAME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"})
           unsetenv(name);
       }},
      {"another folder, with another umask",
       [] {
         umask(077);
         if (chdir("/") != 0) _exit(1);
       }},
      {"another locale, time zone and temporary folder",
       [] {
         setenv("LC_ALL", "C", 1);
         setenv("TZ", "Pacific/Auckland", 1);
         setenv("TMPDIR", "/nonexistent", 1);
       }},
      {"a process with one processor", UseOneProcessor},
  };
  LITERT_ASSIGN_OR_RETURN(const Artifacts* artifacts, bench.artifacts());
  const std::string here = ToText(*artifacts);
  for (const auto& other : kOthers) {
    const auto there = Witness::Get().Observe<std::string>(
        other.name, [&] { return CompileElsewhere(bench, other.prepare); });
    if (!there)
      return CheckReport::Fail(fmt::format("in {}: {}", other.name, there.Error().Message()));
    NPUKIT_CHECK_THAT(*there == here, fmt::format("in {} the bytecode is another", other.name));
  }
  return CheckReport::Pass();
}

CheckAnswer later(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const Artifacts* artifacts, bench.artifacts());
  const std::string before = ToText(*artifacts);
  Witness::Get().Unseen([] {
    SetStage("waiting for a second");
    // Over one second, in which time() tells another number.
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
  });
  Workbench again(bench.under_test(), bench.spec());
  LITERT_ASSIGN_OR_RETURN(const Artifacts* after, again.artifacts());
  NPUKIT_CHECK_THAT(ToText(*after) == before, "a second later the bytecode is another");
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::state
