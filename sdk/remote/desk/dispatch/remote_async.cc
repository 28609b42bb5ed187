// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/remote_async.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "npukit/extensions/event_status.h"
#include "sdk/host/c_api/buffers/event.h"
#include "sdk/host/c_api/buffers/status_event.h"
#include "sdk/host/c_api/buffers/tensor_buffer.h"
#include "sdk/remote/desk/copied_text.h"

namespace npukit::remote {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How long a watch that is stopped may take to see that.
constexpr int64_t kWatchSliceMs = 20;
// Thirty years: the clock counts nanoseconds, and not for ever.
constexpr int64_t kLongestMs = 1'000'000'000'000;

// -- Output events --------------------------------------------------------------------------------

// One of a run's output events. Counts its users, and begins with one.
class DeskEvent final : public StatusEvent {
 public:
  DeskEvent(uint64_t number, std::shared_ptr<DeskRun> run);
  LiteRtStatus WaitForStatus(int64_t timeout_ms) override;
  bool is_signalled();
  // 0 once the worker that numbered it is not the one at hand.
  uint64_t number() const { return IsOfThisWorker() ? number_ : 0; }

  // The one behind a custom event; null if that is another's.
  static DeskEvent* Behind(LiteRtCustomEvent custom);

 private:
  ~DeskEvent() {
    End();
    if (IsOfThisWorker()) RemoteState::Get().DropEvent(number_);
  }
  bool IsOfThisWorker() const { return RemoteState::Get().link().installation() == installation_; }
  LiteRtStatus Ask(uint64_t wait_ms);
  // From then on the application may do with the run's memory what it likes.
  void End();
  static void CountUp(LiteRtCustomEvent event);
  static void CountDown(LiteRtCustomEvent event);

  const uint64_t number_;
  const uint64_t installation_;
  const std::shared_ptr<DeskRun> run_;
  std::atomic<int> references_ = 1;
  std::atomic<bool> is_signalled_ = false;
  bool has_ended_ = false;  // under the state's lock
};

DeskEvent& From(LiteRtCustomEvent event) { return *static_cast<DeskEvent*>(event); }

void DeskEvent::CountUp(LiteRtCustomEvent event) { From(event).references_.fetch_add(1); }

void DeskEvent::CountDown(LiteRtCustomEvent event) {
  if (From(event).references_.fetch_sub(1) == 1) delete &From(event);
}

DeskEvent::DeskEvent(uint64_t number, std::shared_ptr<DeskRun> run)
    : number_(number),
      installation_(RemoteState::Get().link().installation()),
      run_(std::move(run)) {
  Retain = CountUp;
  Release = CountDown;
  Wait = [](LiteRtCustomEvent event, int64_t timeout_ms) {
    (void)From(event).WaitForStatus(timeout_ms);
  };
  IsSignaled = [](LiteRtCustomEvent event) { return From(event).is_signalled() ? 1 : 0; };
  GetNative = [](LiteRtCustomEvent) -> void* { return nullptr; };
}

// The function tells the type: no other event has this one, and a custom event of C has no other
// mark.
DeskEvent* DeskEvent::Behind(LiteRtCustomEvent custom) {
  return custom != nullptr && custom->Retain == CountUp ? &From(custom) : nullptr;
}

// What the device says of it after that time at the latest.
LiteRtStatus DeskEvent::Ask(uint64_t wait_ms) {
  // Numbers of a worker that is gone may be other events' of the next one.
  if (!IsOfThisWorker()) return kLiteRtStatusErrorRuntimeFailure;
  DispatchAnswer answer;
  const LiteRtStatus status = RemoteState::Get().CallOn(
      *run_, RemoteState::Contents::kNotSent,
      {.function = DispatchFunction::kWaitEvent, .object = number_, .size_bytes = wait_ms}, answer);
  if (status == kLiteRtStatusOk) {
    End();
    is_signalled_ = true;
  }
  return status;
}

void DeskEvent::End() {
  const auto lock = RemoteState::Get().Lock();
  if (!std::exchange(has_ended_, true)) --run_->live_events;
}

LiteRtStatus DeskEvent::WaitForStatus(int64_t timeout_ms) {
  const auto end = Clock::now() + milliseconds(std::clamp<int64_t>(timeout_ms, 0, kLongestMs));
  while (!is_signalled_) {
    uint64_t wait_ms = kMaxWaitMs;
    if (timeout_ms >= 0) {
      const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now()).count();
      wait_ms = static_cast<uint64_t>(std::clamp<int64_t>(left, 0, kMaxWaitMs));
    }
    const LiteRtStatus status = Ask(wait_ms);
    if (status != kLiteRtStatusErrorTimeoutExpired) return status;
    if (timeout_ms >= 0 && Clock::now() >= end) return status;
  }
  return kLiteRtStatusOk;
}

bool DeskEvent::is_signalled() {
  return is_signalled_ || Ask(0) != kLiteRtStatusErrorTimeoutExpired;
}

// -- Runs -----------------------------------------------------------------------------------------

LiteRtStatus AttachInputEvent(LiteRtDispatchInvocationContext context, int index,
                              LiteRtEvent event) {
  // Before the library knows of it: then somebody has to signal it there.
  std::unique_ptr<LiteRtEventT> own = event == nullptr ? nullptr : event->Share();
  if (event != nullptr && own == nullptr) return kLiteRtStatusErrorRuntimeFailure;
  DispatchAnswer answer;
  const LiteRtStatus status =
      RemoteState::Get().Call({.function = DispatchFunction::kAttachInputEvent,
                               .nulls = event == nullptr ? kNullEvent : 0U,
                               .object = NumberOf(context),
                               .index = index},
                              answer);
  if (status != kLiteRtStatusOk || event == nullptr || context == nullptr) return status;
  DeskInvocation& invocation = *FromHandle(context);
  invocation.watches.push_back(
      std::make_unique<InputWatch>(own.release(), answer.object, invocation));
  return status;
}

LiteRtStatus InvokeAsync(LiteRtDispatchInvocationContext context, int num_events,
                         LiteRtEvent* events) {
  RemoteState& state = RemoteState::Get();
  auto run = std::make_shared<DeskRun>();
  if (context != nullptr) {
    DeskInvocation& invocation = *FromHandle(context);
    *run = state.RunOf(invocation);
    run->live_events = 1;  // until it is known how many there are
    std::erase_if(invocation.watches, [](const auto& watch) { return watch->is_over(); });
    for (const auto& watch : invocation.watches) watch->SetRun(run);
  }
  DispatchAnswer answer;
  const LiteRtStatus status = state.CallOn(*run, RemoteState::Contents::kSent,
                                           {.function = DispatchFunction::kInvokeAsync,
                                            .nulls = events == nullptr ? kNullResult : 0U,
                                            .object = NumberOf(context),
                                            .index = num_events},
                                           answer);
  std::vector<uint64_t> numbers;
  const auto places = static_cast<size_t>(std::max(num_events, 0));
  if (status == kLiteRtStatusOk && events != nullptr) {
    numbers = std::move(answer.objects);
    numbers.resize(std::min(numbers.size(), places));
    std::fill_n(events, places, nullptr);
  }
  {
    const auto lock = state.Lock();
    // From here on the memory is the run's until its events have ended; without events it is not
    // any more.
    run->live_events = static_cast<int>(
        std::count_if(numbers.begin(), numbers.end(), [](uint64_t number) { return number != 0; }));
  }
  if (status != kLiteRtStatusOk) return status;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    auto* const behind = new DeskEvent(numbers[i], run);
    events[i] = new LiteRtEventT(behind);
    behind->Release(behind);  // the event counts for itself
  }
  return status;
}

}  // namespace

const LiteRtDispatchAsyncInterface remote_async_table = {.attach_input_event = AttachInputEvent,
                                                         .invoke_async = InvokeAsync};

LiteRtStatus GetEventStatus(LiteRtEvent event, LiteRtStatus* status, NpukitDebugHandle* handle,
                            char* buffer, size_t size_bytes) {
  DispatchCall call{.function = DispatchFunction::kGetEventStatus};
  if (event != nullptr) {
    const DeskEvent* const own = DeskEvent::Behind(event->custom());
    if (own == nullptr || own->number() == 0) return kLiteRtStatusErrorInvalidArgument;
    call.object = own->number();
  }
  if (status == nullptr) call.nulls |= kNullResult;
  DispatchAnswer answer;
  const LiteRtStatus asked = RemoteState::Get().Call(std::move(call), answer);
  if (asked != kLiteRtStatusOk) return asked;
  if (status != nullptr) *status = static_cast<LiteRtStatus>(answer.handle);
  if (handle != nullptr) *handle = static_cast<NpukitDebugHandle>(answer.object);
  CopyText(answer.text, buffer, size_bytes);
  return asked;
}

uint64_t NumberOfEventOn(const LiteRtTensorBufferT& buffer) {
  const LiteRtCustomEvent custom = buffer.RetainCustomEvent();
  if (custom == nullptr) return 0;
  const DeskEvent* const own = DeskEvent::Behind(custom);
  const uint64_t number = own == nullptr ? 0 : own->number();
  if (custom->Release) custom->Release(custom);
  return number;
}

// -- Input events ---------------------------------------------------------------------------------

InputWatch::InputWatch(LiteRtEvent event, uint64_t number, const DeskInvocation& invocation)
    : event_(event, LiteRtDestroyEvent),
      number_(number),
      invocation_(invocation),
      thread_([this] { Watch(); }) {}

InputWatch::~InputWatch() {
  is_stopped_ = true;
  thread_.join();
}

void InputWatch::SetRun(const std::shared_ptr<DeskRun>& run) {
  const std::lock_guard lock(mutex_);
  if (run_ == nullptr) run_ = run;
}

void InputWatch::Watch() {
  LiteRtStatus status = kLiteRtStatusErrorTimeoutExpired;
  // In slices: an application's event can't be made to end a wait.
  while (!is_stopped_ && status == kLiteRtStatusErrorTimeoutExpired)
    status = LiteRtWaitEvent(event_.get(), kWatchSliceMs);
  if (status == kLiteRtStatusErrorTimeoutExpired) return;
  RemoteState& state = RemoteState::Get();
  std::shared_ptr<DeskRun> run;
  {
    const std::lock_guard lock(mutex_);
    run = run_;
  }
  if (run == nullptr) run = std::make_shared<DeskRun>(state.RunOf(invocation_));
  DispatchAnswer answer;
  (void)state.CallOn(*run, RemoteState::Contents::kSent,
                     {.function = DispatchFunction::kSignalInputEvent,
                      .object = number_,
                      .index = status == kLiteRtStatusOk ? 0 : 1},
                     answer);
  is_over_ = true;
}

}  // namespace npukit::remote
