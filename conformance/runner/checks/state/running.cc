// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class state that run: what one module, run or failure leaves to the next.

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/guarded_memory.h"
#include "conformance/runner/vendor/resources.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::state {
namespace {

// Of the twin, whose random constants are others.
constexpr uint64_t kOtherSeed = 0x5eed;
// Enough for the planted faults that come latest: run_after_256, and tires, from 700 on.
constexpr uint64_t kRuns = 1000;
// Slow devices do fewer runs.
constexpr std::chrono::milliseconds kRunTime{1500};
constexpr int kRunsPerThread = 16;
constexpr size_t kDevices = 2;
constexpr int kFailedLoads = 64;
// Between two looks at what the process holds.
constexpr int kModulesPerLook = 2;

// A source with inputs and the outputs that a fresh device gave, which the oracle found right.
struct KnownRun {
  const PartitionSource* source = nullptr;
  InputSet inputs;
  OutputSet outputs;
};

litert::Expected<KnownRun> MakeKnownRun(Workbench& bench, const PartitionSource& source) {
  KnownRun known{.source = &source, .inputs = {}, .outputs = {}};
  LITERT_ASSIGN_OR_RETURN(known.inputs, bench.Inputs(*source.body, 0));
  LITERT_ASSIGN_OR_RETURN(known.outputs, RunFresh(bench, source, known.inputs));
  const auto problem = OracleProblem(bench, source, known.inputs, known.outputs);
  if (problem && !problem->empty())
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, *problem);
  return known;
}

// "" if the invocation gives the known outputs.
litert::Expected<std::string> Repeat(PartitionInvocation& loaded, const KnownRun& known) {
  LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, loaded.Run(known.inputs));
  return OutputDifference(known.outputs, outputs);
}

// Loads from memory of the caller's and runs.
litert::Expected<std::string> RepeatAt(VendorDevice& device, GuardedMemory& memory,
                                       const KnownRun& known) {
  const std::vector<uint8_t>& module = *known.source->module;
  std::copy(module.begin(), module.end(), memory.bytes().begin());
  LiteRtMemBuffer buffer = {};
  buffer.fd = -1;
  buffer.base_addr = memory.bytes().data();
  buffer.size = module.size();
  LITERT_ASSIGN_OR_RETURN(
      const auto invocation,
      VendorInvocation::Create(device, buffer, known.source->entry_point.c_str(),
                               known.source->num_inputs(), known.source->num_outputs()));
  LITERT_ASSIGN_OR_RETURN(const auto attached,
                          AttachedInvocation::Create(*invocation, known.source->ports));
  LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, attached->Run(known.inputs));
  LITERT_RETURN_IF_ERROR(attached->Close());
  LITERT_RETURN_IF_ERROR(invocation->Close());
  return OutputDifference(known.outputs, outputs);
}

CheckAnswer KeepApart(Workbench& bench, const KnownRun& first, const KnownRun& second) {
  LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
  LITERT_ASSIGN_OR_RETURN(const auto a, PartitionInvocation::Load(*device, *first.source));
  LITERT_ASSIGN_OR_RETURN(const auto b, PartitionInvocation::Load(*device, *second.source));
  for (int round = 0; round < 2; ++round) {
    LITERT_ASSIGN_OR_RETURN(std::string difference, Repeat(*a, first));
    NPUKIT_CHECK_THAT(difference.empty(),
                      "beside a module with other constants the first: " + difference);
    LITERT_ASSIGN_OR_RETURN(difference, Repeat(*b, second));
    NPUKIT_CHECK_THAT(difference.empty(),
                      "beside a module with other constants the second: " + difference);
  }
  LITERT_RETURN_IF_ERROR(a->Close());
  LITERT_RETURN_IF_ERROR(b->Close());
  const size_t most = std::max(first.source->module->size(), second.source->module->size());
  LITERT_ASSIGN_OR_RETURN(GuardedMemory memory, GuardedMemory::Allocate(most, 64));
  // At one address: a library that knows modules by where they lie takes one for the other.
  for (const KnownRun* known : {&first, &second, &first}) {
    LITERT_ASSIGN_OR_RETURN(const std::string difference, RepeatAt(*device, memory, *known));
    NPUKIT_CHECK_THAT(difference.empty(), "loaded where another module lay: " + difference);
  }
  return CheckReport::Pass();
}

// What runs gave; those that gave what one before them gave are left out.
struct ObservedLooks {
  struct Look {
    uint64_t run = 0;  // even ones have the first inputs, odd ones the second
    OutputSet outputs;
    static auto Fields(auto& self) { return std::tie(self.run, self.outputs); }
  };
  std::vector<Look> looks;
  void Add(uint64_t run, OutputSet outputs) {
    for (const Look& look : looks) {
      if (look.run % 2 == run % 2 && look.outputs == outputs) return;
    }
    looks.push_back({run, std::move(outputs)});
  }
  static auto Fields(auto& self) { return std::tie(self.looks); }
};

litert::Expected<ObservedLooks> RunManyTimes(PartitionInvocation& loaded, const FreshRuns& fresh) {
  ObservedLooks observed;
  const auto end = std::chrono::steady_clock::now() + kRunTime;
  uint64_t run = 1;
  for (; run <= kRuns && std::chrono::steady_clock::now() < end; ++run) {
    LITERT_ASSIGN_OR_RETURN(OutputSet outputs, loaded.Run(fresh.inputs[run % 2]));
    observed.Add(run, std::move(outputs));
  }
  // The last two, however far it came.
  for (const uint64_t last : {run, run + 1}) {
    LITERT_ASSIGN_OR_RETURN(OutputSet outputs, loaded.Run(fresh.inputs[last % 2]));
    observed.Add(last, std::move(outputs));
  }
  return observed;
}

// The first half of a module, which no library can load.
struct CutModule {
  explicit CutModule(const PartitionSource& whole)
      : bytes(whole.module->begin(),
              whole.module->begin() + static_cast<ptrdiff_t>(whole.module->size() / 2)),
        source(whole) {
    source.module = &bytes;
  }
  CutModule(const CutModule&) = delete;
  CutModule& operator=(const CutModule&) = delete;
  std::vector<uint8_t> bytes;
  PartitionSource source;
};

// Two devices, each on a thread of its own, both of which fail to load something before they run.
std::vector<ThreadRuns> RunOnDevices(const PluginUnderTest& under_test,
                                     const std::shared_ptr<const DispatchLibrary>& library,
                                     const PartitionSource& source, const FreshRuns& fresh) {
  std::vector<ThreadRuns> observed(kDevices);
  // None fails before all are loaded, and none runs before all have failed, however busy the machine.
  std::barrier together(kDevices);
  std::atomic<int> busy = static_cast<int>(kDevices);
  const CutModule cut(source);
  auto work = [&](size_t i) -> litert::Expected<void> {
    auto device = VendorDevice::Create(library, under_test.specs);
    auto loaded = device ? PartitionInvocation::Load(**device, source)
                         : litert::Expected<std::unique_ptr<PartitionInvocation>>(device.Error());
    together.arrive_and_wait();
    for (int load = 0; load < kFailedLoads && loaded; ++load)
      (void)PartitionInvocation::Load(**device, cut.source);
    together.arrive_and_wait();
    if (!loaded) {
      --busy;
      return loaded.Error();
    }
    RunInCompany(**loaded, fresh.inputs[i], kRunsPerThread, busy, observed[i]);
    if (!observed[i].error.empty()) return {};
    LITERT_RETURN_IF_ERROR((*loaded)->Close());
    return (*device)->Close();
  };
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kDevices; ++i) {
    threads.emplace_back([&, i] {
      if (const auto done = work(i); !done) observed[i].error = done.Error().Message();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return observed;
}

}  // namespace

CheckAnswer two_modules(Workbench& bench) {
  PluginUnderTest other = bench.under_test();
  // The same graph with other constants: modules of one size, names and ports, which only their
  // bytes tell apart.
  other.seed += kOtherSeed;
  Workbench twin(other, bench.spec());
  LITERT_ASSIGN_OR_RETURN(const std::vector<PartitionSource> sources, PartitionSources(bench));
  LITERT_ASSIGN_OR_RETURN(const std::vector<PartitionSource> twins, PartitionSources(twin));
  NPUKIT_CHECK_THAT(sources.size() == twins.size(),
                    "with other constants there are other partitions");
  for (size_t i = 0; i < sources.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(const KnownRun first, MakeKnownRun(bench, sources[i]));
    const auto second = MakeKnownRun(twin, twins[i]);
    if (!second)
      return CheckReport::Fail("after a module with other constants: " + second.Error().Message());
    LITERT_ASSIGN_OR_RETURN(CheckReport report, KeepApart(bench, first, *second));
    if (report.answer != CheckReport::Answer::kPass) return report;
  }
  return CheckReport::Pass();
}

CheckAnswer many_modules(Workbench& bench) {
  const auto count = static_cast<size_t>(MostLeakCycles(kModulesPerLook));
  std::vector<PluginUnderTest> others(count, bench.under_test());
  std::vector<std::unique_ptr<Workbench>> twins;
  std::vector<PartitionSource> modules;
  for (size_t i = 0; i < count; ++i) {
    others[i].seed += kOtherSeed + i;
    twins.push_back(std::make_unique<Workbench>(others[i], bench.spec()));
    LITERT_ASSIGN_OR_RETURN(const std::vector<PartitionSource> sources,
                            PartitionSources(*twins.back()));
    NPUKIT_CHECK_THAT(!sources.empty(), "with other constants there is no partition");
    modules.push_back(sources.front());
  }
  LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*modules.front().body, 0));
  LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
  size_t next = 0;
  LITERT_ASSIGN_OR_RETURN(
      const std::string leak, FindLeak(kModulesPerLook, [&]() -> litert::Expected<void> {
        LITERT_ASSIGN_OR_RETURN(const auto loaded,
                                PartitionInvocation::Load(*device, modules[next++ % count]));
        LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
        return loaded->Close();
      }));
  NPUKIT_CHECK_THAT(leak.empty(), "each time with another module: " + leak);
  return CheckReport::Pass();
}

CheckAnswer many_runs(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(const ObservedLooks looks,
                            Witness::Get().Observe<ObservedLooks>(
                                "many runs", [&] { return RunManyTimes(*loaded, fresh); }));
    NPUKIT_CHECK_THAT(!looks.looks.empty(), "nothing ran");
    for (const ObservedLooks::Look& look : looks.looks) {
      const std::string difference = OutputDifference(fresh.outputs[look.run % 2], look.outputs);
      NPUKIT_CHECK_THAT(difference.empty(), fmt::format("run {}: {}", look.run, difference));
    }
    return CheckReport::Pass();
  });
}

CheckAnswer after_failures(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const KnownRun known, MakeKnownRun(bench, source));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    // A run with a buffer missing.
    LITERT_RETURN_IF_ERROR(loaded->attached().DetachAll());
    (void)loaded->invocation().TryInvoke();
    LITERT_RETURN_IF_ERROR(loaded->attached().AttachAll());
    LITERT_ASSIGN_OR_RETURN(std::string difference, Repeat(*loaded, known));
    NPUKIT_CHECK_THAT(difference.empty(), "after a run that failed: " + difference);
    // Loads of half of the module, and of an entry point that it does not have.
    (void)PartitionInvocation::Load(*device, CutModule(source).source);
    PartitionSource unknown = source;
    unknown.entry_point = "npukit no such entry point";
    (void)PartitionInvocation::Load(*device, unknown);
    LITERT_ASSIGN_OR_RETURN(difference, Repeat(*loaded, known));
    NPUKIT_CHECK_THAT(difference.empty(), "after loads that failed: " + difference);
    LITERT_ASSIGN_OR_RETURN(const auto again, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(difference, Repeat(*again, known));
    NPUKIT_CHECK_THAT(difference.empty(), "loaded after loads that failed: " + difference);
    return CheckReport::Pass();
  });
}

CheckAnswer device_threads(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, kDevices));
    LITERT_ASSIGN_OR_RETURN(const auto library, bench.dispatch());
    LITERT_ASSIGN_OR_RETURN(
        const std::vector<ThreadRuns> observed,
        Witness::Get().Observe<std::vector<ThreadRuns>>(
            "device threads", [&]() -> litert::Expected<std::vector<ThreadRuns>> {
              return RunOnDevices(bench.under_test(), library, source, fresh);
            }));
    NPUKIT_CHECK_THAT(observed.size() == kDevices, "other threads than were started");
    for (size_t i = 0; i < kDevices; ++i) {
      const std::string problem = observed[i].Problem(fresh.outputs[i]);
      NPUKIT_CHECK_THAT(problem.empty(), "beside another device's thread: " + problem);
    }
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::state
