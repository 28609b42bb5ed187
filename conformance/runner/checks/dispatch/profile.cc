// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on profiles (npukit/delegate_debug.h): what would make a trace that
// nobody can read.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/resources.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"
#include "npukit/delegate_debug.h"
#include "npukit/metrics.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr size_t kMaxEvents = size_t{1} << 22;
constexpr int kLeakCycles = 8;

struct Slice {
  uint32_t handle = 0;
  std::string unit;
  uint64_t start_cycle = 0;
  uint64_t end_cycle = 0;
  bool operator==(const Slice&) const = default;
  static auto Fields(auto& self) {
    return std::tie(self.handle, self.unit, self.start_cycle, self.end_cycle);
  }
};

// Two runs, how long the library says that one takes, and what it has of a run that is not recorded.
struct ObservedProfiles {
  bool is_unsupported = false;
  std::vector<uint64_t> cycles;  // empty: it does not say
  std::vector<Slice> first;
  std::vector<Slice> second;
  std::vector<Slice> unrecorded;
  static auto Fields(auto& self) {
    return std::tie(self.is_unsupported, self.cycles, self.first, self.second, self.unrecorded);
  }
  bool IsSound() const { return cycles.size() <= 1; }
};

std::string Text(const Slice& slice) {
  return fmt::format("'{}' [{}, {})", slice.unit, slice.start_cycle, slice.end_cycle);
}

// Of a library that has all of them; `set` null: it has not.
struct ProfileFunctions {
  NpukitDispatchSetRecordingT set = nullptr;
  NpukitDispatchGetNumProfileEventsT get_count = nullptr;
  NpukitDispatchGetProfileEventT get_event = nullptr;
};

ProfileFunctions FindFunctions(const DispatchLibrary& library) {
  ProfileFunctions functions = {
      library.Find<NpukitDispatchSetRecordingT>("NpukitDispatchSetRecording"),
      library.Find<NpukitDispatchGetNumProfileEventsT>("NpukitDispatchGetNumProfileEvents"),
      library.Find<NpukitDispatchGetProfileEventT>("NpukitDispatchGetProfileEvent")};
  const bool has_all =
      functions.set != nullptr && functions.get_count != nullptr && functions.get_event != nullptr;
  return has_all ? functions : ProfileFunctions();
}

litert::Expected<std::vector<Slice>> ReadProfile(const ProfileFunctions& functions,
                                                 LiteRtDispatchInvocationContext context) {
  size_t count = 0;
  LiteRtStatus status =
      VendorCall("NpukitDispatchGetNumProfileEvents", functions.get_count, context, &count);
  if (status != kLiteRtStatusOk) return CallFailed("NpukitDispatchGetNumProfileEvents", status);
  if (count > kMaxEvents) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              fmt::format("a profile of {} events", count));
  }
  std::vector<Slice> slices;
  for (size_t i = 0; i < count; ++i) {
    NpukitProfileEvent event = {};
    event.struct_size = sizeof(event);
    status = VendorCall("NpukitDispatchGetProfileEvent", functions.get_event, context, i, &event);
    if (status != kLiteRtStatusOk || event.unit == nullptr)
      return CallFailed(fmt::format("NpukitDispatchGetProfileEvent({})", i), status);
    slices.push_back({event.handle, event.unit, event.start_cycle, event.end_cycle});
  }
  return slices;
}

// The cycles of one run by the metrics; nothing if the library does not report them.
litert::Expected<std::optional<uint64_t>> CyclesOfARun(PartitionInvocation& loaded,
                                                       const InputSet& inputs) {
  if (auto started = loaded.invocation().StartMetrics(0); !started) {
    if (started.Error().Status() != kLiteRtStatusErrorUnsupported) return started.Error();
    return std::optional<uint64_t>();
  }
  LITERT_RETURN_IF_ERROR(loaded.Run(inputs));
  LITERT_ASSIGN_OR_RETURN(const DispatchMetrics metrics, loaded.invocation().StopMetrics());
  const auto cycles = metrics.Number(NPUKIT_METRIC_CYCLES);
  if (!cycles) return std::optional<uint64_t>();
  return std::optional<uint64_t>(static_cast<uint64_t>(*cycles));
}

// Two events of a unit that overlap, neither within the other; empty if there are none.
std::string Overlap(const std::vector<Slice>& slices) {
  std::map<std::string, std::vector<const Slice*>> by_unit;
  for (const Slice& slice : slices) by_unit[slice.unit].push_back(&slice);
  for (auto& [unit, of_unit] : by_unit) {
    // An outer event before those within it.
    std::sort(of_unit.begin(), of_unit.end(), [](const Slice* a, const Slice* b) {
      if (a->start_cycle != b->start_cycle) return a->start_cycle < b->start_cycle;
      return a->end_cycle > b->end_cycle;
    });
    std::vector<const Slice*> open;
    for (const Slice* slice : of_unit) {
      while (!open.empty() && open.back()->end_cycle <= slice->start_cycle) open.pop_back();
      if (!open.empty() && slice->end_cycle > open.back()->end_cycle)
        return fmt::format("{} and {} overlap", Text(*open.back()), Text(*slice));
      open.push_back(slice);
    }
  }
  return {};
}

litert::Expected<ObservedProfiles> Record(VendorDevice& device, const PartitionSource& source,
                                          const InputSet& inputs) {
  const ProfileFunctions functions = FindFunctions(device.library());
  LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(device, source));
  const LiteRtDispatchInvocationContext context = loaded->invocation().context();
  const auto set_recording = [&](uint32_t record) {
    return VendorCall("NpukitDispatchSetRecording", functions.set, context, record);
  };
  LiteRtStatus status = set_recording(kNpukitRecordProfile);
  ObservedProfiles observed;
  observed.is_unsupported = status == kLiteRtStatusErrorUnsupported;
  if (observed.is_unsupported) return observed;
  if (status != kLiteRtStatusOk) return CallFailed("NpukitDispatchSetRecording", status);
  LITERT_ASSIGN_OR_RETURN(const std::optional<uint64_t> cycles, CyclesOfARun(*loaded, inputs));
  if (cycles) observed.cycles.push_back(*cycles);
  LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
  LITERT_ASSIGN_OR_RETURN(observed.first, ReadProfile(functions, context));
  LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
  LITERT_ASSIGN_OR_RETURN(observed.second, ReadProfile(functions, context));
  status = set_recording(kNpukitRecordNothing);
  if (status != kLiteRtStatusOk)
    return CallFailed("NpukitDispatchSetRecording(kNpukitRecordNothing)", status);
  LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
  LITERT_ASSIGN_OR_RETURN(observed.unrecorded, ReadProfile(functions, context));
  LITERT_RETURN_IF_ERROR(loaded->Close());
  return observed;
}

// What recording and reading profiles leaves behind; empty if nothing.
litert::Expected<std::string> FindLeakOfRecording(VendorDevice& device,
                                                  const PartitionSource& source,
                                                  const InputSet& inputs) {
  LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(device, source));
  LITERT_ASSIGN_OR_RETURN(
      const std::string leak, FindLeak(kLeakCycles, [&]() -> litert::Expected<void> {
        const ProfileFunctions functions = FindFunctions(device.library());
        const LiteRtDispatchInvocationContext context = loaded->invocation().context();
        const LiteRtStatus status =
            VendorCall("NpukitDispatchSetRecording", functions.set, context, kNpukitRecordProfile);
        if (status != kLiteRtStatusOk) return CallFailed("NpukitDispatchSetRecording", status);
        LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
        LITERT_RETURN_IF_ERROR(ReadProfile(functions, context));
        return {};
      }));
  LITERT_RETURN_IF_ERROR(loaded->Close());
  return leak;
}

}  // namespace

CheckAnswer profile(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    Witness& witness = Witness::Get();
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(
        const bool has_profiles,
        witness.Observe<bool>("functions of profiles", [&]() -> litert::Expected<bool> {
          return FindFunctions(device->library()).set != nullptr;
        }));
    if (!has_profiles) return CheckReport::Skip("the library records no profiles");
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    LITERT_ASSIGN_OR_RETURN(const ObservedProfiles observed,
                            witness.Observe<ObservedProfiles>("profiles of three runs", [&] {
                              return Record(*device, source, inputs);
                            }));
    if (observed.is_unsupported) return CheckReport::Skip("profiles are unsupported");
    for (const Slice& slice : observed.first) {
      NPUKIT_CHECK_THAT(slice.start_cycle <= slice.end_cycle,
                        Text(slice) + " ends before it begins");
      NPUKIT_CHECK_THAT(
          observed.cycles.empty() || slice.end_cycle <= observed.cycles.front(),
          fmt::format("{} ends after the run, whose metrics report {} cycles", Text(slice),
                      observed.cycles.empty() ? 0 : observed.cycles.front()));
    }
    const std::string overlap = Overlap(observed.first);
    NPUKIT_CHECK_THAT(overlap.empty(), overlap);
    NPUKIT_CHECK_THAT(observed.second == observed.first,
                      fmt::format("a run after it has another profile: {} events, where there "
                                  "were {}",
                                  observed.second.size(), observed.first.size()));
    NPUKIT_CHECK_THAT(observed.unrecorded.empty(),
                      fmt::format("a run that is not recorded has a profile of {} events",
                                  observed.unrecorded.size()));
    LITERT_ASSIGN_OR_RETURN(const std::string leak, FindLeakOfRecording(*device, source, inputs));
    NPUKIT_CHECK_THAT(leak.empty(), "recording profiles: " + leak);
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
