// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch that run a partition and look at values and memory.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/resources.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr int kThreads = 4;
constexpr int kRunsPerThread = 24;
constexpr int kLeakCycles = 16;

// Runs set `index` and compares; "" if all is well.
litert::Expected<std::string> RunAndCompare(PartitionInvocation& loaded, const FreshRuns& fresh,
                                            size_t index) {
  LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, loaded.Run(fresh.inputs[index]));
  return OutputDifference(fresh.outputs[index], outputs);
}

// So many contexts at a time on one device, each on a thread of its own.
std::vector<ThreadRuns> RunOnThreads(VendorDevice& device, const PartitionSource& source,
                                     const FreshRuns& fresh) {
  std::vector<ThreadRuns> observed(kThreads);
  // None runs before all are loaded: so many contexts are alive for certain, however busy the
  // machine.
  std::latch all_loaded(kThreads);
  std::atomic<int> busy = kThreads;
  std::vector<std::thread> workers;
  for (size_t i = 0; i < kThreads; ++i) {
    workers.emplace_back([&, i] {
      auto loaded = PartitionInvocation::Load(device, source);
      all_loaded.arrive_and_wait();
      if (!loaded) {
        observed[i].error = loaded.Error().Message();
        --busy;
        return;
      }
      RunInCompany(**loaded, fresh.inputs[i], kRunsPerThread, busy, observed[i]);
      if (auto closed = (*loaded)->Close(); !closed && observed[i].error.empty())
        observed[i].error = closed.Error().Message();
    });
  }
  for (std::thread& worker : workers) worker.join();
  return observed;
}

}  // namespace

CheckAnswer invoke(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    for (size_t set = 0; set < bench.pattern_count(); ++set) {
      LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, set));
      LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, RunFresh(bench, source, inputs));
      const auto problem = OracleProblem(bench, source, inputs, outputs);
      if (!problem) return CheckReport::Skip("no oracle: " + problem.Error().Message());
      NPUKIT_CHECK_THAT(problem->empty(), *problem);
    }
    return CheckReport::Pass();
  });
}

CheckAnswer reinvoke(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    for (size_t run = 0; run < 6; ++run) {
      // Two sets of inputs in turn: what a run keeps of the one before shows in the other's
      // outputs.
      LITERT_ASSIGN_OR_RETURN(const std::string difference, RunAndCompare(*loaded, fresh, run % 2));
      NPUKIT_CHECK_THAT(difference.empty(), fmt::format("invocation {}: {}", run + 1, difference));
    }
    LITERT_RETURN_IF_ERROR(loaded->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer rebind(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(std::string difference, RunAndCompare(*loaded, fresh, 0));
    NPUKIT_CHECK_THAT(difference.empty(), difference);
    LITERT_RETURN_IF_ERROR(loaded->attached().DetachAll());
    LITERT_ASSIGN_OR_RETURN(const auto second,
                            AttachedInvocation::Create(loaded->invocation(), source.ports));
    LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, second->Run(fresh.inputs[1]));
    difference = OutputDifference(fresh.outputs[1], outputs);
    NPUKIT_CHECK_THAT(difference.empty(), "with other buffers " + difference);
    LITERT_RETURN_IF_ERROR(second->DetachAll());
    LITERT_RETURN_IF_ERROR(loaded->attached().AttachAll());
    LITERT_ASSIGN_OR_RETURN(difference, RunAndCompare(*loaded, fresh, 0));
    NPUKIT_CHECK_THAT(difference.empty(), "with the first buffers again " + difference);
    LITERT_RETURN_IF_ERROR(second->Close());
    LITERT_RETURN_IF_ERROR(loaded->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer output_whole(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    LITERT_ASSIGN_OR_RETURN(const OutputSet over_zeros, loaded->Run(inputs, 0x00));
    LITERT_ASSIGN_OR_RETURN(const OutputSet over_ones, loaded->Run(inputs, 0xff));
    const std::string difference = OutputDifference(over_zeros, over_ones);
    NPUKIT_CHECK_THAT(difference.empty(), "depends on what stood there before: " + difference);
    return CheckReport::Pass();
  });
}

CheckAnswer no_stray_writes(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    // The bytecode lies in read-only memory: a write to it crashes.
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    for (size_t set = 0; set < bench.pattern_count() + 1; ++set) {
      LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, set));
      LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
      LITERT_ASSIGN_OR_RETURN(const std::string stray, loaded->attached().StrayWrite());
      NPUKIT_CHECK_THAT(stray.empty(), stray);
    }
    return CheckReport::Pass();
  });
}

CheckAnswer two_contexts(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto first, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(const auto second, PartitionInvocation::Load(*device, source));
    for (int round = 0; round < 3; ++round) {
      LITERT_ASSIGN_OR_RETURN(std::string difference, RunAndCompare(*first, fresh, 0));
      NPUKIT_CHECK_THAT(difference.empty(),
                        fmt::format("the first context, round {}: {}", round, difference));
      LITERT_ASSIGN_OR_RETURN(difference, RunAndCompare(*second, fresh, 1));
      NPUKIT_CHECK_THAT(difference.empty(),
                        fmt::format("the second context, round {}: {}", round, difference));
    }
    LITERT_RETURN_IF_ERROR(first->Close());
    LITERT_ASSIGN_OR_RETURN(const std::string difference, RunAndCompare(*second, fresh, 1));
    NPUKIT_CHECK_THAT(difference.empty(),
                      "once the first context is gone, the second: " + difference);
    return CheckReport::Pass();
  });
}

CheckAnswer two_devices(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(auto first_device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto second_device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto first, PartitionInvocation::Load(*first_device, source));
    LITERT_ASSIGN_OR_RETURN(const auto second, PartitionInvocation::Load(*second_device, source));
    for (int round = 0; round < 2; ++round) {
      LITERT_ASSIGN_OR_RETURN(std::string difference, RunAndCompare(*first, fresh, 0));
      NPUKIT_CHECK_THAT(difference.empty(), "the first device: " + difference);
      LITERT_ASSIGN_OR_RETURN(difference, RunAndCompare(*second, fresh, 1));
      NPUKIT_CHECK_THAT(difference.empty(), "the second device: " + difference);
    }
    LITERT_RETURN_IF_ERROR(first->Close());
    LITERT_RETURN_IF_ERROR(first_device->Close());
    LITERT_ASSIGN_OR_RETURN(const std::string difference, RunAndCompare(*second, fresh, 1));
    NPUKIT_CHECK_THAT(difference.empty(),
                      "once the first device is closed, the second: " + difference);
    return CheckReport::Pass();
  });
}

CheckAnswer threads(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, kThreads));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const std::vector<ThreadRuns> observed,
                            Witness::Get().Observe<std::vector<ThreadRuns>>(
                                "threads", [&]() -> litert::Expected<std::vector<ThreadRuns>> {
                                  return RunOnThreads(*device, source, fresh);
                                }));
    NPUKIT_CHECK_THAT(observed.size() == kThreads, "other threads than were started");
    for (size_t i = 0; i < kThreads; ++i) {
      const std::string problem = observed[i].Problem(fresh.outputs[i]);
      NPUKIT_CHECK_THAT(problem.empty(), "beside other threads: " + problem);
    }
    return CheckReport::Pass();
  });
}

CheckAnswer cycles(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    LITERT_ASSIGN_OR_RETURN(const std::string leak,
                            FindLeak(kLeakCycles, [&]() -> litert::Expected<void> {
                              LITERT_RETURN_IF_ERROR(RunFresh(bench, source, inputs));
                              return {};
                            }));
    NPUKIT_CHECK_THAT(leak.empty(), leak);
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(const std::string leak_in_invoke,
                            FindLeak(kLeakCycles, [&]() -> litert::Expected<void> {
                              LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
                              return {};
                            }));
    NPUKIT_CHECK_THAT(leak_in_invoke.empty(), "invoking: " + leak_in_invoke);
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
