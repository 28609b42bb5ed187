// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A library's asynchronous runs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "npukit/extensions/event_status.h"
#include "sdk/remote/worker/library_session.h"

namespace npukit::remote {
namespace {

// Of an invocation, which can still be signalled; and of all output events that the desk has not dropped.
constexpr size_t kMaxInputEvents = 64;
constexpr size_t kMaxOutputEvents = 16384;

litert::Unexpected Mistake(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

DispatchAnswer WithStatus(LiteRtStatus status) { return {.status = status}; }

}  // namespace

litert::Expected<DispatchAnswer> LibrarySession::RunAsynchronous(const DispatchCall& call) {
  using enum DispatchFunction;
  switch (call.function) {
    case kAttachInputEvent:
      return AttachInputEvent(call);
    case kSignalInputEvent:
      return SignalInputEvent(call);
    case kInvokeAsync:
      return InvokeAsync(call);
    case kWaitEvent:
      return WaitEvent(call);
    default:
      return GetEventStatus(call);
  }
}

litert::Expected<std::shared_ptr<LibrarySession::OutputEvent>> LibrarySession::EventOf(
    uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = output_events_.find(number);
  if (found == output_events_.end()) return Mistake(fmt::format("there is no event {}", number));
  return found->second;
}

// Their end may be the library's own function: not under the lock.
void LibrarySession::DropEvents(const std::vector<uint64_t>& events) {
  // Made before the lock, so that it ends after it.
  std::vector<std::shared_ptr<OutputEvent>> dropped;
  const std::lock_guard lock(mutex_);
  for (const uint64_t number : events) {
    if (auto found = output_events_.extract(number)) dropped.push_back(std::move(found.mapped()));
  }
}

// The oldest: those of runs that are under way stay with them. Under the lock.
void LibrarySession::ForgetInputEvents(Invocation& invocation, size_t to_keep) {
  auto& numbers = invocation.input_events;
  while (numbers.size() > to_keep) {
    input_events_.erase(numbers.front());
    numbers.erase(numbers.begin());
  }
}

litert::Expected<DispatchAnswer> LibrarySession::AttachInputEvent(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto* const table = library_->tables().async;
  if (table == nullptr || table->attach_input_event == nullptr)
    return WithStatus(kLiteRtStatusErrorUnsupported);
  std::shared_ptr<InputEvent> event;
  if ((call.nulls & kNullEvent) == 0) {
    LITERT_ASSIGN_OR_RETURN(event, InputEvent::Create());
  }
  DispatchAnswer answer = WithStatus(table->attach_input_event(
      ContextOf(invocation), call.index, event == nullptr ? nullptr : event->event()));
  if (answer.status != kLiteRtStatusOk || event == nullptr || invocation == nullptr) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = ++last_object_;
  invocation->input_events.push_back(answer.object);
  invocation->next_input_events.push_back(event);
  input_events_[answer.object] = std::move(event);
  ForgetInputEvents(*invocation, kMaxInputEvents);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::SignalInputEvent(const DispatchCall& call) {
  std::shared_ptr<InputEvent> event;
  {
    const std::lock_guard lock(mutex_);
    const auto found = input_events_.find(call.object);
    // Its invocation may be over by now.
    if (found == input_events_.end()) return WithStatus(kLiteRtStatusErrorNotFound);
    event = found->second;
  }
  if (call.index == 0) {
    event->Signal();
  } else {
    event->Fail();
  }
  return WithStatus(kLiteRtStatusOk);
}

litert::Expected<DispatchAnswer> LibrarySession::InvokeAsync(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto* const table = library_->tables().async;
  if (table == nullptr || table->invoke_async == nullptr)
    return WithStatus(kLiteRtStatusErrorUnsupported);
  if (call.index > kMaxEventsOfRun)
    return Mistake(fmt::format("a run with places for {} events", call.index));
  // Before the call: the run may write to its buffers from now on until its events have ended, also
  // if the desk detaches or unregisters them meanwhile.
  auto run = std::make_shared<StartedRun>();
  {
    const std::lock_guard lock(mutex_);
    if (invocation != nullptr) {
      run->buffers = BuffersOf(*invocation);
      run->input_events = std::exchange(invocation->next_input_events, {});
    }
    if (output_events_.size() > kMaxOutputEvents)
      return Mistake("more events than the worker keeps");
  }
  // Room for a library that counts wrongly.
  constexpr size_t kSpare = 64;
  const auto places = static_cast<size_t>(std::max(call.index, 0));
  std::vector<LiteRtEvent> events(places + kSpare, nullptr);
  DispatchAnswer answer =
      WithStatus(table->invoke_async(ContextOf(invocation), call.index,
                                     (call.nulls & kNullResult) != 0 ? nullptr : events.data()));
  if (answer.status != kLiteRtStatusOk) return answer;
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < places; ++i) {
    answer.objects.push_back(events[i] == nullptr ? 0 : ++last_object_);
    if (events[i] == nullptr) continue;
    auto kept = std::make_shared<KeptEvent>();
    kept->event = events[i];
    output_events_[last_object_] =
        std::make_shared<OutputEvent>(OutputEvent{.kept = std::move(kept), .run = run});
  }
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::WaitEvent(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto event, EventOf(call.object));
  if (call.size_bytes > kMaxWaitMs)
    return Mistake(fmt::format("a wait of {} ms, more than {}", call.size_bytes, kMaxWaitMs));
  if (call.size_bytes > 0) {
    const LiteRtStatus waited =
        LiteRtWaitEvent(event->kept->event, static_cast<int64_t>(call.size_bytes));
    AfterEvents();
    return WithStatus(waited);
  }
  bool is_signalled = false;
  const LiteRtStatus status = LiteRtIsEventSignaled(event->kept->event, &is_signalled);
  AfterEvents();
  return WithStatus(status == kLiteRtStatusOk && !is_signalled ? kLiteRtStatusErrorTimeoutExpired
                                                               : status);
}

litert::Expected<DispatchAnswer> LibrarySession::GetEventStatus(const DispatchCall& call) {
  const auto get = library_->Find<NpukitDispatchGetEventStatusT>("NpukitDispatchGetEventStatus");
  if (get == nullptr) return WithStatus(kLiteRtStatusErrorUnsupported);
  std::shared_ptr<OutputEvent> event;
  if (call.object != 0) {
    LITERT_ASSIGN_OR_RETURN(event, EventOf(call.object));
  }
  std::array<char, 4096> text = {};
  NpukitDebugHandle handle = NPUKIT_NO_DEBUG_HANDLE;
  LiteRtStatus ended = kLiteRtStatusOk;
  DispatchAnswer answer = WithStatus(get(event == nullptr ? nullptr : event->kept->event,
                                         (call.nulls & kNullResult) != 0 ? nullptr : &ended,
                                         &handle, text.data(), text.size()));
  text.back() = '\0';
  answer.object = handle;
  answer.handle = static_cast<uint64_t>(ended);
  answer.text = text.data();
  return answer;
}

}  // namespace npukit::remote
