// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on two scratchpads at once.

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/dispatch/scratchpad_bench.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr char kAttach[] = "attach_scratchpad_buffer";
constexpr uint8_t kFill = 0xff;

// Another function of the same module; null if there is none.
const PartitionSource* Sibling(const std::vector<PartitionSource>& sources,
                               const PartitionSource& source) {
  for (const PartitionSource& other : sources) {
    if (other.module == source.module && other.entry_point != source.entry_point) return &other;
  }
  return nullptr;
}

struct ObservedApart {
  bool needs_none = false;
  OutputSet first;  // of each of two executables with a scratchpad of its own
  OutputSet second;
  bool is_second_left = false;  // by the first one's run
  bool is_first_left = false;
  bool is_sibling_left = false;  // by a run of the function beside it
  static auto Fields(auto& self) {
    return std::tie(self.needs_none, self.first, self.second, self.is_second_left,
                    self.is_first_left, self.is_sibling_left);
  }
};

// Whether a run leaves the scratchpad of the module's other function alone, which was attached later.
litert::Expected<bool> LeavesSibling(VendorDevice& device, const PartitionSource& source,
                                     const PartitionSource& sibling, const InputSet& inputs) {
  LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
  LITERT_ASSIGN_OR_RETURN(const auto function, LoadFunction(device, bytecode, source.entry_point));
  LITERT_ASSIGN_OR_RETURN(const auto own, MakeScratchpad(device, *function));
  LITERT_ASSIGN_OR_RETURN(const auto beside, LoadFunction(device, bytecode, sibling.entry_point));
  LITERT_ASSIGN_OR_RETURN(const auto other, MakeScratchpad(device, *beside));
  if (other == nullptr) return true;
  LITERT_RETURN_IF_ERROR(function->AttachScratchpad(own->registration()));
  const LiteRtStatus status = VendorCall(
      kAttach, device.library().tables().extras.attach_scratchpad_buffer, device.context(),
      function->executable(), sibling.entry_point.c_str(), other->handle());
  if (status != kLiteRtStatusOk) return CallFailed(kAttach, status);
  LITERT_ASSIGN_OR_RETURN(const auto run, ScratchpadRun::Create(device, *function, source));
  Fill(*own, kFill);
  Fill(*other, kFill);
  LITERT_RETURN_IF_ERROR(run->ports().Run(inputs));
  const bool is_left = Holds(*other, kFill);
  LITERT_RETURN_IF_ERROR(run->Close());
  LITERT_RETURN_IF_ERROR(own->Close());
  LITERT_RETURN_IF_ERROR(other->Close());
  LITERT_RETURN_IF_ERROR(beside->Close());
  LITERT_RETURN_IF_ERROR(function->Close());
  return is_left;
}

litert::Expected<ObservedApart> TryApart(VendorDevice& device, const PartitionSource& source,
                                         const PartitionSource* sibling, const InputSet& inputs) {
  LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
  std::unique_ptr<LoadedFunction> functions[2];
  std::unique_ptr<VendorBuffer> buffers[2];
  std::unique_ptr<ScratchpadRun> runs[2];
  ObservedApart observed;
  for (size_t i = 0; i < 2; ++i) {
    LITERT_ASSIGN_OR_RETURN(functions[i], LoadFunction(device, bytecode, source.entry_point));
    LITERT_ASSIGN_OR_RETURN(buffers[i], MakeScratchpad(device, *functions[i]));
    observed.needs_none = buffers[i] == nullptr;
    if (observed.needs_none) return observed;
    LITERT_RETURN_IF_ERROR(functions[i]->AttachScratchpad(buffers[i]->registration()));
  }
  for (size_t i = 0; i < 2; ++i) {
    LITERT_ASSIGN_OR_RETURN(runs[i], ScratchpadRun::Create(device, *functions[i], source));
  }
  const auto run = [&](size_t i, bool& is_other_left) -> litert::Expected<OutputSet> {
    Fill(*buffers[0], kFill);
    Fill(*buffers[1], kFill);
    LITERT_ASSIGN_OR_RETURN(OutputSet outputs, runs[i]->ports().Run(inputs));
    is_other_left = Holds(*buffers[1 - i], kFill);
    return outputs;
  };
  LITERT_ASSIGN_OR_RETURN(observed.first, run(0, observed.is_second_left));
  LITERT_ASSIGN_OR_RETURN(observed.second, run(1, observed.is_first_left));
  for (size_t i = 0; i < 2; ++i) LITERT_RETURN_IF_ERROR(runs[i]->Close());
  for (size_t i = 0; i < 2; ++i) LITERT_RETURN_IF_ERROR(buffers[i]->Close());
  for (size_t i = 0; i < 2; ++i) LITERT_RETURN_IF_ERROR(functions[i]->Close());
  observed.is_sibling_left = true;
  if (sibling != nullptr) {
    LITERT_ASSIGN_OR_RETURN(observed.is_sibling_left,
                            LeavesSibling(device, source, *sibling, inputs));
  }
  return observed;
}

}  // namespace

CheckAnswer scratchpads_apart(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<PartitionSource> all, PartitionSources(bench));
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool has_scratchpads, SeesScratchpads(*device));
    if (!has_scratchpads) return CheckReport::Skip(kNoScratchpads);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 1));
    LITERT_ASSIGN_OR_RETURN(
        const ObservedApart observed, Witness::Get().Observe<ObservedApart>("two scratchpads", [&] {
          return TryApart(*device, source, Sibling(all, source), fresh.inputs[0]);
        }));
    if (observed.needs_none) return CheckReport::Skip(kNoNeed);
    for (const OutputSet* outputs : {&observed.first, &observed.second}) {
      const std::string difference = OutputDifference(fresh.outputs[0], *outputs);
      NPUKIT_CHECK_THAT(difference.empty(), "of two with a scratchpad each: " + difference);
    }
    NPUKIT_CHECK_THAT(observed.is_second_left && observed.is_first_left,
                      "a run wrote to the scratchpad of another executable");
    NPUKIT_CHECK_THAT(observed.is_sibling_left,
                      "a run wrote to the scratchpad of the module's other function");
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
