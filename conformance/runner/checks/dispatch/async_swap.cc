// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on buffers that are replaced while an asynchronous run has them. An
// application that gives each run buffers of its own has LiteRT do that: a run keeps what it was
// started with. One that lets them go has LiteRT free them.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/async_run.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/dispatch/freed_buffers.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

// How long the first run is held up: long enough for a swap, and no longer, since a library may let
// the calls of a swap wait for the run.
constexpr std::chrono::milliseconds kHeldUp{20};
constexpr int kRounds = 3;

// In which order the host does it.
enum class Swap {
  kDetachFirst,  // LiteRT 2.1.4: detach and unregister, then attach the next ones
  kAttachFirst,  // LiteRT 2.2.0: attach the next ones; detach and unregister once they run
  kFree,  // either, of an application that keeps none; LiteRT 2.1 frees before it unregisters
};

const char* Describe(Swap swap) {
  switch (swap) {
    case Swap::kDetachFirst:
      return "were detached and unregistered";
    case Swap::kAttachFirst:
      return "were replaced by others that were attached in their place";
    case Swap::kFree:
      break;
  }
  return "were detached and freed";
}

// The buffers of an invocation, which stay the application's when they are unregistered.
class KeptBuffers {
 public:
  explicit KeptBuffers(const AttachedInvocation& attached) {
    for (const AttachedInvocation::Slot& slot : attached.slots()) {
      LiteRtTensorBuffer buffer = slot.buffer->registration().buffer();
      if (LiteRtDuplicateTensorBuffer(buffer) == kLiteRtStatusOk) buffers_.push_back(buffer);
    }
  }
  ~KeptBuffers() {
    for (LiteRtTensorBuffer buffer : buffers_) LiteRtDestroyTensorBuffer(buffer);
  }
  KeptBuffers(const KeptBuffers&) = delete;
  KeptBuffers& operator=(const KeptBuffers&) = delete;

 private:
  std::vector<LiteRtTensorBuffer> buffers_;
};

litert::Expected<void> Unregister(const AttachedInvocation& attached) {
  for (const AttachedInvocation::Slot& slot : attached.slots())
    LITERT_RETURN_IF_ERROR(slot.buffer->Close());
  return {};
}

// Opens a gate a while later.
class LateOpening {
 public:
  explicit LateOpening(const Gate& gate)
      : thread_([&gate] {
          std::this_thread::sleep_for(kHeldUp);
          gate.Open();
        }) {}
  ~LateOpening() { thread_.join(); }
  LateOpening(const LateOpening&) = delete;
  LateOpening& operator=(const LateOpening&) = delete;

 private:
  std::thread thread_;
};

// What the first run gave, and the second.
using SwappedRuns = std::vector<OutputSet>;

// Starts a run, gives the invocation other buffers, and starts another.
litert::Expected<SwappedRuns> RunBoth(PartitionInvocation& loaded, const PartitionSource& source,
                                      const FreshRuns& fresh, Swap swap) {
  VendorInvocation& invocation = loaded.invocation();
  AttachedInvocation& old = loaded.attached();
  LITERT_ASSIGN_OR_RETURN(const auto gate, Gate::Create());
  const LiteRtStatus gated = VendorCall(
      "attach_input_event", invocation.device().library().tables().async->attach_input_event,
      invocation.context(), 0, gate->event());
  if (gated != kLiteRtStatusOk) return CallFailed("attach_input_event", gated);
  old.WriteAll(fresh.inputs[0]);
  const KeptBuffers kept(old);
  LITERT_ASSIGN_OR_RETURN(const RunEvents first, StartRun(invocation, source.num_outputs()));
  const LateOpening opening(*gate);
  if (swap == Swap::kDetachFirst) {
    LITERT_RETURN_IF_ERROR(old.DetachAll());
    LITERT_RETURN_IF_ERROR(Unregister(old));
  }
  LITERT_ASSIGN_OR_RETURN(const auto next, AttachedInvocation::Create(invocation, source.ports));
  next->WriteAll(fresh.inputs[1]);
  LITERT_ASSIGN_OR_RETURN(const RunEvents second, StartRun(invocation, source.num_outputs()));
  if (swap == Swap::kAttachFirst) {
    // They are attached no more: what the calls answer is not asked.
    for (const AttachedInvocation::Slot& slot : old.slots())
      (void)invocation.TryDetach(slot.port, slot.buffer->handle());
    LITERT_RETURN_IF_ERROR(Unregister(old));
  }
  LITERT_RETURN_IF_ERROR(WaitForAll(second));
  LITERT_RETURN_IF_ERROR(WaitForAll(first));
  SwappedRuns runs = {old.ReadAll(), next->ReadAll()};
  (void)next->DetachAll();  // also of those before them, which are not attached
  return runs;
}

// The same with buffers that nobody but the library keeps. No event holds the run up: it might be one
// that the caller signals later, for which no library could wait.
litert::Expected<SwappedRuns> RunBothFreed(PartitionInvocation& loaded,
                                           const PartitionSource& source, const FreshRuns& fresh) {
  VendorInvocation& invocation = loaded.invocation();
  AttachedInvocation& old = loaded.attached();
  old.WriteAll(fresh.inputs[0]);
  LITERT_RETURN_IF_ERROR(old.DetachAll());
  LITERT_ASSIGN_OR_RETURN(const auto freed, FreedBuffers::Attach(invocation, old));
  LITERT_ASSIGN_OR_RETURN(const RunEvents first, StartRun(invocation, source.num_outputs()));
  LITERT_RETURN_IF_ERROR(freed->Detach());
  const bool frees_first = invocation.device().library().generation() < DispatchGeneration::kV220;
  if (!frees_first) LITERT_RETURN_IF_ERROR(freed->Unregister());
  freed->LetGo();
  LITERT_ASSIGN_OR_RETURN(const auto next, AttachedInvocation::Create(invocation, source.ports));
  next->WriteAll(fresh.inputs[1]);
  LITERT_ASSIGN_OR_RETURN(const RunEvents second, StartRun(invocation, source.num_outputs()));
  if (frees_first) LITERT_RETURN_IF_ERROR(freed->Unregister());
  LITERT_RETURN_IF_ERROR(WaitForAll(first));
  LITERT_RETURN_IF_ERROR(WaitForAll(second));
  freed->CopyTo(old);
  SwappedRuns runs = {old.ReadAll(), next->ReadAll()};
  (void)next->DetachAll();
  return runs;
}

litert::Expected<SwappedRuns> ObserveRuns(VendorDevice& device, const PartitionSource& source,
                                          const FreshRuns& fresh, Swap swap) {
  return Witness::Get().Observe<SwappedRuns>(
      "runs whose buffers are replaced", [&]() -> litert::Expected<SwappedRuns> {
        LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(device, source));
        LITERT_ASSIGN_OR_RETURN(SwappedRuns runs, swap == Swap::kFree
                                                      ? RunBothFreed(*loaded, source, fresh)
                                                      : RunBoth(*loaded, source, fresh, swap));
        LITERT_RETURN_IF_ERROR(loaded->Close());
        return runs;
      });
}

CheckAnswer SwapOnce(VendorDevice& device, const PartitionSource& source, const FreshRuns& fresh,
                     Swap swap) {
  LITERT_ASSIGN_OR_RETURN(const SwappedRuns runs, ObserveRuns(device, source, fresh, swap));
  NPUKIT_CHECK_THAT(runs.size() == 2, "other than two runs are told");
  const std::string first = OutputDifference(fresh.outputs[0], runs[0]);
  NPUKIT_CHECK_THAT(first.empty(), fmt::format("a run whose buffers {} while it was under way: {}",
                                               Describe(swap), first));
  const std::string second = OutputDifference(fresh.outputs[1], runs[1]);
  NPUKIT_CHECK_THAT(second.empty(),
                    fmt::format("the run after one whose buffers {}: {}", Describe(swap), second));
  return CheckReport::Pass();
}

}  // namespace

CheckAnswer async_swap(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool is_async, SeesAsynchronousRuns(*device, source));
    if (!is_async) return CheckReport::Skip(kNoAsync);
    if (source.num_inputs() == 0) return CheckReport::Skip("there is no input to hold a run up by");
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    for (int round = 0; round < kRounds; ++round) {
      for (Swap swap : {Swap::kDetachFirst, Swap::kAttachFirst, Swap::kFree}) {
        LITERT_ASSIGN_OR_RETURN(CheckReport report, SwapOnce(*device, source, fresh, swap));
        if (report.answer == CheckReport::Answer::kFail) return report;
      }
    }
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
