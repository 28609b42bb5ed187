// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch on the memory that functions work in and that hosts bring. Libraries that
// report no scratchpads are passed over, and functions that need none.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/dispatch/graph_bench.h"
#include "conformance/runner/checks/dispatch/scratchpad_bench.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr char kGet[] = "get_scratchpad_requirements";
constexpr char kAttach[] = "attach_scratchpad_buffer";
// Floats that are not numbers, and what is left of zeros.
constexpr uint8_t kFills[] = {0xff, 0x00};

// -- scratchpad_requirements

struct ObservedNeeds {
  std::vector<uint64_t> sizes;     // of three calls, one of them for another executable
  std::vector<std::string> taken;  // wrong calls that were not refused
  static auto Fields(auto& self) { return std::tie(self.sizes, self.taken); }
};

std::vector<std::string> TryWrongCalls(VendorDevice& device, const GraphBench& graph,
                                       const PartitionSource& source, VendorBuffer* too_small) {
  const DispatchExtras& extras = device.library().tables().extras;
  const LiteRtDispatchExecutableHandle executable = graph.executable();
  const char* const function = source.entry_point.c_str();
  constexpr char kUnknown[] = "npukit_no_such_function";
  std::vector<std::string> taken;
  const auto get = [&](const char* what, LiteRtDispatchDeviceContext of, uint64_t handle,
                       const char* name, bool has_place) {
    LiteRtTensorBufferRequirements out = nullptr;
    const std::string call = fmt::format("{}({})", kGet, what);
    if (VendorCall(call, extras.get_scratchpad_requirements, of, handle, name,
                   has_place ? &out : nullptr) == kLiteRtStatusOk) {
      taken.push_back(call);
    }
  };
  get("null device", nullptr, executable, function, true);
  get("unknown executable", device.context(), executable + 1000, function, true);
  get("unknown function", device.context(), executable, kUnknown, true);
  get("null", device.context(), executable, function, false);
  const auto attach = [&](const char* what, LiteRtDispatchDeviceContext to, uint64_t handle,
                          const char* name, LiteRtTensorBufferHandle buffer) {
    const std::string call = fmt::format("{}({})", kAttach, what);
    if (VendorCall(call, extras.attach_scratchpad_buffer, to, handle, name, buffer) ==
        kLiteRtStatusOk) {
      taken.push_back(call);
    }
  };
  if (too_small == nullptr) return taken;
  const LiteRtTensorBufferHandle buffer = too_small->handle();
  attach("null device", nullptr, executable, function, buffer);
  attach("unknown executable", device.context(), executable + 1000, function, buffer);
  attach("unknown function", device.context(), executable, kUnknown, buffer);
  attach("unknown buffer", device.context(), executable, function, buffer + 1000);
  attach("too small a buffer", device.context(), executable, function, buffer);
  return taken;
}

litert::Expected<ObservedNeeds> TryNeeds(VendorDevice& device, const PartitionSource& source) {
  LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
  ObservedNeeds observed;
  for (int i = 0; i < 2; ++i) {
    LITERT_ASSIGN_OR_RETURN(const auto function,
                            LoadFunction(device, bytecode, source.entry_point));
    for (int call = 0; call < 2 - i; ++call) {
      LITERT_ASSIGN_OR_RETURN(const PortRequirements needed, function->ScratchpadRequirements());
      observed.sizes.push_back(needed.size_bytes);
    }
    LITERT_RETURN_IF_ERROR(function->Close());
  }
  // One byte.
  LiteRtRankedTensorType tiny = {.element_type = kLiteRtElementTypeInt8, .layout = {}};
  tiny.layout.rank = 1;
  tiny.layout.dimensions[0] = 1;
  std::unique_ptr<VendorBuffer> too_small;
  if (observed.sizes[0] > 1) {
    LITERT_ASSIGN_OR_RETURN(
        too_small, VendorBuffer::Create(device, tiny, 1, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT,
                                        GuardedMemory::At::kEnd));
  }
  GraphBench graph(device, bytecode);
  LITERT_RETURN_IF_ERROR(graph.Result());
  observed.taken = TryWrongCalls(device, graph, source, too_small.get());
  if (too_small != nullptr) LITERT_RETURN_IF_ERROR(too_small->Close());
  LITERT_RETURN_IF_ERROR(graph.Close());
  return observed;
}

// -- scratchpad

// What came of runs with one scratchpad and then another.
struct ObservedRuns {
  bool needs_none = false;
  std::vector<OutputSet>
      outputs;                  // with each fill of the first, with the second, and once it is gone
  bool is_used = false;         // the first is written
  bool is_first_left = false;   // once the second is there
  bool is_second_left = false;  // once it is unregistered
  std::string stray_write;
  static auto Fields(auto& self) {
    return std::tie(self.needs_none, self.outputs, self.is_used, self.is_first_left,
                    self.is_second_left, self.stray_write);
  }
};

void NoteStrayWrite(VendorBuffer& buffer, std::string& problem) {
  if (const std::string stray = buffer.memory().StrayWrite(); !stray.empty() && problem.empty())
    problem = stray + " the scratchpad";
}

litert::Expected<ObservedRuns> TryRuns(VendorDevice& device, const PartitionSource& source,
                                       const InputSet& inputs) {
  LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
  LITERT_ASSIGN_OR_RETURN(const auto function, LoadFunction(device, bytecode, source.entry_point));
  LITERT_ASSIGN_OR_RETURN(const auto first, MakeScratchpad(device, *function));
  ObservedRuns observed;
  observed.needs_none = first == nullptr;
  if (observed.needs_none) return observed;
  LITERT_RETURN_IF_ERROR(function->AttachScratchpad(first->registration()));
  LITERT_ASSIGN_OR_RETURN(auto run, ScratchpadRun::Create(device, *function, source));
  for (const uint8_t fill : kFills) {
    Fill(*first, fill);
    LITERT_ASSIGN_OR_RETURN(OutputSet outputs, run->ports().Run(inputs));
    observed.outputs.push_back(std::move(outputs));
    observed.is_used = observed.is_used || !Holds(*first, fill);
  }
  LITERT_RETURN_IF_ERROR(run->Close());
  NoteStrayWrite(*first, observed.stray_write);

  // Another one, whose start lies at a page that can't be touched.
  LITERT_ASSIGN_OR_RETURN(const auto second,
                          MakeScratchpad(device, *function, GuardedMemory::At::kStart));
  LITERT_RETURN_IF_ERROR(function->AttachScratchpad(second->registration()));
  LITERT_ASSIGN_OR_RETURN(run, ScratchpadRun::Create(device, *function, source));
  Fill(*first, kFills[0]);
  Fill(*second, kFills[0]);
  LITERT_ASSIGN_OR_RETURN(OutputSet outputs, run->ports().Run(inputs));
  observed.outputs.push_back(std::move(outputs));
  observed.is_first_left = Holds(*first, kFills[0]);
  NoteStrayWrite(*second, observed.stray_write);
  LITERT_RETURN_IF_ERROR(second->Close());
  Fill(*second, kFills[0]);
  run->ports().WriteAll(inputs);
  // Without it the library runs on memory of its own, or not at all.
  if (run->invocation().TryInvoke() == kLiteRtStatusOk)
    observed.outputs.push_back(run->ports().ReadAll());
  observed.is_second_left = Holds(*second, kFills[0]);
  LITERT_RETURN_IF_ERROR(run->Close());
  LITERT_RETURN_IF_ERROR(first->Close());
  LITERT_RETURN_IF_ERROR(function->Close());
  return observed;
}

}  // namespace

CheckAnswer scratchpad_requirements(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool has_scratchpads, SeesScratchpads(*device));
    if (!has_scratchpads) return CheckReport::Skip(kNoScratchpads);
    LITERT_ASSIGN_OR_RETURN(const ObservedNeeds observed,
                            Witness::Get().Observe<ObservedNeeds>("the needs of scratchpads", [&] {
                              return TryNeeds(*device, source);
                            }));
    NPUKIT_CHECK_THAT(observed.sizes.size() == 3, "other than three sizes are told");
    NPUKIT_CHECK_THAT(
        std::ranges::all_of(observed.sizes, [&](auto s) { return s == observed.sizes[0]; }),
        fmt::format("{} gave {} bytes for one function", kGet,
                    fmt::join(observed.sizes, ", then ")));
    NPUKIT_CHECK_THAT(observed.taken.empty(),
                      fmt::format("{} was taken", fmt::join(observed.taken, ", ")));
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer scratchpad(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool has_scratchpads, SeesScratchpads(*device));
    if (!has_scratchpads) return CheckReport::Skip(kNoScratchpads);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 1));
    LITERT_ASSIGN_OR_RETURN(const ObservedRuns observed,
                            Witness::Get().Observe<ObservedRuns>("runs with scratchpads", [&] {
                              return TryRuns(*device, source, fresh.inputs[0]);
                            }));
    if (observed.needs_none) return CheckReport::Skip(kNoNeed);
    NPUKIT_CHECK_THAT(observed.stray_write.empty(), observed.stray_write);
    for (const OutputSet& outputs : observed.outputs) {
      const std::string difference = OutputDifference(fresh.outputs[0], outputs);
      NPUKIT_CHECK_THAT(difference.empty(), "with a scratchpad that holds anything: " + difference);
    }
    NPUKIT_CHECK_THAT(observed.outputs.size() >= 3, "fewer than three runs are told");
    NPUKIT_CHECK_THAT(observed.is_used, "a scratchpad was asked for and is left as it is");
    NPUKIT_CHECK_THAT(observed.is_first_left,
                      "a scratchpad was written once another one was attached");
    NPUKIT_CHECK_THAT(observed.is_second_left, "a scratchpad was written once it was unregistered");
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
