// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch on asynchronous runs beside locks of their buffers. LiteRT sets each event
// that invoke_async gave on the buffer of its output; who locks that buffer then waits for the event.
// So a run that locks its own outputs waits for itself, and one that finds them locked by the
// application fails.

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/async_run.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How long a run may take that took `alone` without locks and events.
milliseconds Patience(Clock::duration alone) {
  return milliseconds(3000) + 20 * std::chrono::duration_cast<milliseconds>(alone);
}

std::vector<LiteRtTensorBuffer> OutputBuffers(PartitionInvocation& loaded) {
  std::vector<LiteRtTensorBuffer> buffers;
  for (const AttachedInvocation::Slot& slot : loaded.attached().slots()) {
    if (!slot.port.is_input) buffers.push_back(slot.buffer->registration().buffer());
  }
  return buffers;
}

// The events of a run, each on its output's buffer, which owns it.
class EventsOnBuffers {
 public:
  explicit EventsOnBuffers(std::vector<LiteRtTensorBuffer> buffers)
      : buffers_(std::move(buffers)) {}
  ~EventsOnBuffers() {
    for (LiteRtTensorBuffer buffer : buffers_) LiteRtClearTensorBufferEvent(buffer);
  }
  litert::Expected<void> Set(RunEvents events) {
    for (size_t i = 0; i < events.size() && i < buffers_.size(); ++i) {
      events_.push_back(events[i].get());
      LITERT_RETURN_IF_ERROR(LiteRtSetTensorBufferEvent(buffers_[i], events[i].release()));
    }
    return {};
  }
  const std::vector<LiteRtTensorBuffer>& buffers() const { return buffers_; }
  // Lent by the buffers.
  const std::vector<LiteRtEvent>& events() const { return events_; }

 private:
  std::vector<LiteRtTensorBuffer> buffers_;
  std::vector<LiteRtEvent> events_;
};

// False if the run is not over in time.
litert::Expected<bool> EndsInTime(const std::vector<LiteRtEvent>& events, milliseconds patience) {
  for (LiteRtEvent event : events) {
    const LiteRtStatus status =
        VendorCall("waiting for an output event", LiteRtWaitEvent, event, patience.count());
    if (status == kLiteRtStatusErrorTimeoutExpired) return false;
    if (status != kLiteRtStatusOk) return CallFailed("waiting for an output event", status);
  }
  return true;
}

// Locks and unlocks each buffer on a thread of its own, which is left behind if that takes too long.
bool LocksInTime(std::vector<LiteRtTensorBuffer> buffers, milliseconds patience) {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> is_done = done->get_future();
  std::thread([done, buffers = std::move(buffers)] {
    for (LiteRtTensorBuffer buffer : buffers) {
      void* address = nullptr;
      if (LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeRead) ==
          kLiteRtStatusOk)
        LiteRtUnlockTensorBuffer(buffer);
    }
    done->set_value();
  }).detach();
  return is_done.wait_for(patience) == std::future_status::ready;
}

// Threads that wait for each other.
class Rendezvous {
 public:
  explicit Rendezvous(size_t threads) : threads_(threads) {}
  // Comes back when all are here, or after a while without the others: a library may take one run at a
  // time.
  void Meet() {
    std::unique_lock<std::mutex> lock(mutex_);
    const size_t round = round_;
    if (++waiting_ == threads_) return Begin();
    if (!is_begun_.wait_for(lock, kMostWaiting, [&] { return round_ != round; })) --waiting_;
  }
  // The others do without this one from now on.
  void Leave() {
    const std::lock_guard<std::mutex> lock(mutex_);
    --threads_;
    if (waiting_ > 0 && waiting_ == threads_) Begin();
  }

 private:
  static constexpr milliseconds kMostWaiting{500};

  void Begin() {
    waiting_ = 0;
    ++round_;
    is_begun_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable is_begun_;
  size_t threads_;
  size_t waiting_ = 0;
  size_t round_ = 0;
};

// What a run is beside.
enum class Beside {
  kWaitForEvents,  // the events are waited for, and then the outputs locked
  kWaitForLocks,   // the outputs are locked while the run is under way
  kHeldLocks,      // an application holds locks on the outputs from before the run
};

const char* Describe(Beside beside) {
  switch (beside) {
    case Beside::kWaitForEvents:
      return "with its events on the outputs' buffers, as LiteRT sets them,";
    case Beside::kWaitForLocks:
      return "while the application waits for the locks of its outputs";
    case Beside::kHeldLocks:
      return "while the application holds locks on its outputs";
  }
  return "";
}

struct ObservedBeside {
  uint64_t patience_ms = 0;
  bool is_hung = false;  // it was not over after that time
  uint64_t status = 0;
  OutputSet outputs;
  static auto Fields(auto& self) {
    return std::tie(self.patience_ms, self.is_hung, self.status, self.outputs);
  }
};

// The run is held up until all is set, and the runs of other threads are started, too. Nothing may be
// closed after a failure: the run may hang.
litert::Expected<ObservedBeside> RunBeside(PartitionInvocation& loaded,
                                           const PartitionSource& source, Beside beside,
                                           const InputSet& inputs, milliseconds patience,
                                           Rendezvous& others) {
  const VendorInvocation& invocation = loaded.invocation();
  const std::vector<LiteRtTensorBuffer> outputs = OutputBuffers(loaded);
  std::unique_ptr<Gate> gate;
  if (source.num_inputs() > 0) {
    LITERT_ASSIGN_OR_RETURN(gate, Gate::Create());
    const auto attach = invocation.device().library().tables().async->attach_input_event;
    const LiteRtStatus attached =
        VendorCall("attach_input_event", attach, invocation.context(), 0, gate->event());
    if (attached != kLiteRtStatusOk) return CallFailed("attach_input_event", attached);
  }
  loaded.attached().WriteAll(inputs);
  if (beside == Beside::kHeldLocks) {
    for (LiteRtTensorBuffer buffer : outputs) {
      void* address = nullptr;
      LITERT_RETURN_IF_ERROR(
          LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeRead));
    }
  }
  LITERT_ASSIGN_OR_RETURN(RunEvents owned, StartRun(invocation, source.num_outputs()));
  EventsOnBuffers on_buffers(beside == Beside::kHeldLocks ? std::vector<LiteRtTensorBuffer>()
                                                          : outputs);
  std::vector<LiteRtEvent> events;
  for (const OwnedEvent& event : owned) events.push_back(event.get());
  if (beside != Beside::kHeldLocks) {
    LITERT_RETURN_IF_ERROR(on_buffers.Set(std::move(owned)));
    owned.clear();
  }
  others.Meet();
  if (gate != nullptr) gate->Open();
  bool is_in_time = true;
  if (beside == Beside::kWaitForLocks) is_in_time = LocksInTime(outputs, patience);
  if (is_in_time) {
    LITERT_ASSIGN_OR_RETURN(is_in_time, EndsInTime(events, patience));
  }
  ObservedBeside observed = {.patience_ms = static_cast<uint64_t>(patience.count()),
                             .is_hung = !is_in_time};
  if (!is_in_time) {
    (void)gate.release();
    for (OwnedEvent& event : owned) (void)event.release();
    return observed;
  }
  if (beside == Beside::kHeldLocks) {
    LITERT_ASSIGN_OR_RETURN(const LiteRtStatus outcome, OutcomeOf(invocation, owned));
    observed.status = static_cast<uint64_t>(outcome);
    for (LiteRtTensorBuffer buffer : outputs)
      LITERT_RETURN_IF_ERROR(LiteRtUnlockTensorBuffer(buffer));
  }
  observed.outputs = loaded.attached().ReadAll();
  return observed;
}

// What is wrong with such a run; empty if nothing is.
std::string ProblemOf(const ObservedBeside& observed, Beside beside, const OutputSet& expected) {
  if (observed.is_hung) {
    return fmt::format(
        "a run {} was not over after {} ms: a run that locks its own outputs waits for itself",
        Describe(beside), observed.patience_ms);
  }
  if (observed.status != kLiteRtStatusOk) {
    return fmt::format("a run {} ended with {}", Describe(beside),
                       StatusText(static_cast<LiteRtStatus>(observed.status)));
  }
  const std::string difference = OutputDifference(expected, observed.outputs);
  return difference.empty() ? "" : fmt::format("a run {}: {}", Describe(beside), difference);
}

// The runs of one context, one after the other.
struct Step {
  Beside beside;
  size_t set;  // of its inputs
};
std::vector<Step> Steps(int rounds, size_t sets) {
  std::vector<Step> steps;
  for (int round = 0; round < rounds; ++round) {
    for (Beside beside : {Beside::kWaitForEvents, Beside::kHeldLocks, Beside::kWaitForLocks})
      steps.push_back({beside, static_cast<size_t>(round) % sets});
  }
  return steps;
}

// Up to the first that hangs.
struct ObservedSteps {
  std::string error;  // empty: none
  std::vector<ObservedBeside> runs;
  static auto Fields(auto& self) { return std::tie(self.error, self.runs); }
};

ObservedSteps RunSteps(PartitionInvocation& loaded, const PartitionSource& source,
                       const FreshRuns& fresh, const std::vector<Step>& steps, Rendezvous& others) {
  ObservedSteps observed;
  const Clock::time_point begin = Clock::now();
  if (const auto alone = loaded.Run(fresh.inputs[0]); !alone) {
    observed.error = alone.Error().Message();
    return observed;
  }
  const milliseconds patience = Patience(Clock::now() - begin);
  for (const Step& step : steps) {
    auto run = RunBeside(loaded, source, step.beside, fresh.inputs[step.set], patience, others);
    if (!run) {
      observed.error = run.Error().Message();
      return observed;
    }
    observed.runs.push_back(std::move(*run));
    if (observed.runs.back().is_hung) return observed;
  }
  return observed;
}

std::string ProblemOf(const ObservedSteps& observed, const FreshRuns& fresh,
                      const std::vector<Step>& steps) {
  if (observed.runs.size() > steps.size()) return "more runs are told than there were";
  for (size_t i = 0; i < observed.runs.size(); ++i) {
    std::string problem = ProblemOf(observed.runs[i], steps[i].beside, fresh.outputs[steps[i].set]);
    if (!problem.empty()) return problem;
  }
  if (!observed.error.empty()) return observed.error;
  return observed.runs.size() == steps.size() ? "" : "fewer runs are told than there were";
}

// A run that hangs would hang whoever closes what it uses.
template <class T>
void Abandon(std::unique_ptr<T>& used) {
  if (!Witness::Get().is_repeating()) (void)used.release();
}

constexpr int kRounds = 8;
constexpr size_t kThreads = 4;
constexpr int kRoundsPerThread = 5;

using Contexts = std::vector<std::unique_ptr<PartitionInvocation>>;

std::vector<ObservedSteps> RunOnThreads(const Contexts& contexts, const PartitionSource& source,
                                        const FreshRuns& fresh, const std::vector<Step>& steps) {
  std::vector<ObservedSteps> observed(contexts.size());
  std::latch all_ready(static_cast<ptrdiff_t>(contexts.size()));
  Rendezvous all_started(contexts.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < contexts.size(); ++i) {
    threads.emplace_back([&, i] {
      all_ready.arrive_and_wait();
      observed[i] = RunSteps(*contexts[i], source, fresh, steps, all_started);
      all_started.Leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return observed;
}

}  // namespace

CheckAnswer async_locks(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool is_async, SeesAsynchronousRuns(*device, source));
    if (!is_async) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(auto loaded, PartitionInvocation::Load(*device, source));
    const std::vector<Step> steps = Steps(kRounds, fresh.inputs.size());
    LITERT_ASSIGN_OR_RETURN(const ObservedSteps observed,
                            Witness::Get().Observe<ObservedSteps>(
                                "runs beside locks", [&]() -> litert::Expected<ObservedSteps> {
                                  Rendezvous alone(1);
                                  return RunSteps(*loaded, source, fresh, steps, alone);
                                }));
    if (const std::string problem = ProblemOf(observed, fresh, steps); !problem.empty()) {
      Abandon(loaded);
      Abandon(device);
      return CheckReport::Fail(problem);
    }
    LITERT_RETURN_IF_ERROR(loaded->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer async_threads(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool is_async, SeesAsynchronousRuns(*device, source));
    if (!is_async) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, kThreads));
    Contexts contexts;
    for (size_t i = 0; i < kThreads; ++i) {
      LITERT_ASSIGN_OR_RETURN(auto loaded, PartitionInvocation::Load(*device, source));
      contexts.push_back(std::move(loaded));
    }
    const std::vector<Step> steps = Steps(kRoundsPerThread, fresh.inputs.size());
    using ObservedThreads = std::vector<ObservedSteps>;
    LITERT_ASSIGN_OR_RETURN(const ObservedThreads observed,
                            Witness::Get().Observe<ObservedThreads>(
                                "runs on threads", [&]() -> litert::Expected<ObservedThreads> {
                                  return RunOnThreads(contexts, source, fresh, steps);
                                }));
    NPUKIT_CHECK_THAT(observed.size() == kThreads, "other threads are told than there were");
    for (const ObservedSteps& thread : observed) {
      const std::string problem = ProblemOf(thread, fresh, steps);
      if (problem.empty()) continue;
      for (auto& context : contexts) Abandon(context);
      Abandon(device);
      return CheckReport::Fail("beside other threads: " + problem);
    }
    for (auto& context : contexts) LITERT_RETURN_IF_ERROR(context->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
