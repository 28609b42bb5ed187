// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/remote_state.h"

#include <algorithm>
#include <utility>

#include "sdk/host/c_api/buffers/tensor_buffer.h"
#include "sdk/remote/desk/dispatch/remote_async.h"

namespace npukit::remote {
namespace {

constexpr char kLoading[] = "loading the dispatch library";

// What the application has done to each.
std::vector<BufferState> StatesOf(const DeskRun& run) {
  std::vector<BufferState> states;
  for (const auto& buffer : run.buffers) {
    BufferState state{.buffer = buffer->number};
    if (buffer->tensor_buffer != nullptr) {
      state.lock = buffer->tensor_buffer->lock_state();
      state.event = NumberOfEventOn(*buffer->tensor_buffer);
    }
    states.push_back(state);
  }
  return states;
}

ExpectedAnswers::Contents ContentsOf(const DeskRun& run) {
  ExpectedAnswers::Contents contents;
  for (const auto& buffer : run.buffers) contents.emplace_back(buffer->memory);
  return contents;
}

// After a call that did not come back.
void Forget(DeskBuffer& buffer) {
  buffer.on_device.clear();
  buffer.told = {.buffer = buffer.number};
}

}  // namespace

RemoteState& RemoteState::Get() {
  static auto* const state = new RemoteState;  // threads may outlive static objects
  return *state;
}

void RemoteState::Install(Link* link, const LibraryFile* file, RemoteHooks hooks,
                          std::optional<Expectation> expectation) {
  ahead_.Restart(std::move(expectation));
  const std::lock_guard lock(mutex_);
  link_.Install(link, std::move(hooks));
  file_ = file;
  is_open_ = false;
  is_initialized_ = false;
  facts_ = {};
  dropped_events_.clear();
}

LiteRtStatus RemoteState::Open() {
  const std::lock_guard opening(open_mutex_);
  if (is_open_) return kLiteRtStatusOk;
  const LiteRtStatus status = link_.Load(file_, kLoading, [&](Link& link, LinkTrouble& trouble) {
    if (!ahead_.is_on()) return link.Open(file_->digest, file_->name, facts_, trouble);
    const auto alone = ahead_.Lock();
    uint64_t request = 0;
    if (!link.SendOpen(file_->digest, file_->name, request, trouble)) return false;
    ahead_.PutOffOpening(request);
    facts_ = ahead_.expectation().facts;
    return true;
  });
  if (status != kLiteRtStatusOk) return status;
  has_been_open_ = true;
  is_open_ = true;
  return kLiteRtStatusOk;
}

LiteRtStatus RemoteState::Call(DispatchCall call, DispatchAnswer& answer) {
  DeskRun none;
  return CallOn(none, Contents::kNotSent, std::move(call), answer);
}

DispatchCall RemoteState::StopOf(uint64_t invocation, uint16_t thread) const {
  return {.function = DispatchFunction::kStopMetrics,
          .thread = thread,
          .object = invocation,
          .index = link_.is_judged() ? 1 : 0};
}

// -- Calls that are put off ------------------------------------------------------------------------

// What becomes of a call before it is sent:
//
//   no expectation, or it is over        sent by itself, beside those of other threads
//   another call than went ahead         the device has done what nobody asked for: a surprise
//   its answer is expected               put off, and answered here
//   it has to wait                       sent under the lock with all that was put off
//   of another thread, or asynchronous   what was put off is answered first, and it is over
RemoteState::Turn RemoteState::TakeTurn(const DeskRun& run, DispatchCall& call,
                                        DispatchAnswer& answer) {
  Turn turn;
  if (!ahead_.is_on()) return turn;
  turn.alone = ahead_.Lock();
  const bool is_borne = ahead_.is_on() && ahead_.Bears(call);
  if (ahead_.is_on() && (is_borne ? ahead_.IsMisled(call) : ahead_.has_kept())) {
    turn.status = Surprised(NameOf(call.function));
    return turn;
  }
  if (is_borne) {
    turn.is_put_off = run.buffers.empty() && ahead_.PutOff(call, answer);
    return turn;
  }
  turn.status = SettleAlone();
  ahead_.Stop();
  turn.alone.unlock();
  return turn;
}

LiteRtStatus RemoteState::Settle() {
  if (!ahead_.is_on()) return kLiteRtStatusOk;
  const auto alone = ahead_.Lock();
  return SettleAlone();
}

LiteRtStatus RemoteState::SettleAlone() {
  if (!ahead_.is_on()) return kLiteRtStatusOk;
  LinkTrouble failed;
  if (!ahead_.has_calls()) {
    const auto opening = ahead_.TakeOpening();
    if (!opening || OpensAsExpected(*opening, failed)) return kLiteRtStatusOk;
    return failed.kind == LinkTrouble::Kind::kLost ? link_.Tell(failed, kLoading)
                                                   : Surprised(kLoading);
  }
  const std::vector<DispatchCall> calls = ahead_.TakeCalls();
  const std::string last = NameOf(calls.back().function);
  uint64_t number = 0;
  std::vector<DispatchAnswer> answers;
  std::string where;
  if (!link_.get()->SendCalls(calls, number, failed) ||
      !ReceiveAlone(calls, number, answers, failed, where)) {
    return where.empty() ? link_.Tell(failed, last) : Surprised(where);
  }
  return kLiteRtStatusOk;
}

bool RemoteState::PutOffRun(const DeskRun& run, const DispatchCall& call, uint64_t& number) {
  // What locks and events do to a run is not known.
  if (call.function != DispatchFunction::kInvoke || !call.states.empty()) return false;
  number = ahead_.expected().RunOf(call.object, ContentsOf(run));
  const auto* const after = number == 0 ? nullptr : ahead_.expected().AfterRun(number);
  if (after == nullptr || after->size() != run.buffers.size()) return false;
  DispatchAnswer expected;
  for (size_t i = 0; i < after->size(); ++i) {
    const DeskBuffer& buffer = *run.buffers[i];
    if ((*after)[i].size() != buffer.memory.size()) return false;
    if ((*after)[i] != buffer.on_device) expected.buffers.push_back({buffer.number, (*after)[i]});
  }
  if (!ahead_.PutOffRun(call, expected)) return false;
  // The application finds the results in its memory, as after a run that was waited for.
  TakeNews(run, expected);
  return true;
}

bool RemoteState::OpensAsExpected(uint64_t request, LinkTrouble& trouble) {
  LibraryFacts facts;
  if (!link_.get()->ReceiveOpened(request, facts, trouble, ahead_.expectation().patience))
    return false;
  if (Encode(facts) == Encode(facts_)) return true;
  trouble = {.kind = LinkTrouble::Kind::kRefused, .what = "another library", .end = {}};
  return false;
}

bool RemoteState::ReceiveAlone(const std::vector<DispatchCall>& calls, uint64_t number,
                               std::vector<DispatchAnswer>& answers, LinkTrouble& trouble,
                               std::string& where) {
  const auto opening = ahead_.TakeOpening();
  const bool is_any_expected = opening || ahead_.has_expected() || calls.size() > 1;
  Link::Patience patience;
  if (is_any_expected) patience = ahead_.expectation().patience;
  const bool is_answered =
      (!opening || OpensAsExpected(*opening, trouble)) &&
      link_.get()->ReceiveAnswers(number, calls.size(), answers, trouble, patience);
  if (is_answered) {
    where = ahead_.Compare(calls, answers);
  } else if (is_any_expected && trouble.kind != LinkTrouble::Kind::kLost) {
    where = NameOf(calls.back().function);
  }
  return is_answered && where.empty();
}

LiteRtStatus RemoteState::Surprised(const std::string& where) {
  ahead_.Stop();
  if (ahead_.expectation().on_surprise) ahead_.expectation().on_surprise(where);
  return link_.Refuse("it did not answer as expected", where);
}

// The device applies what is new in the order in which it arrives: so it is put together and sent under one lock.
LiteRtStatus RemoteState::CallOn(DeskRun& run, Contents contents, DispatchCall call,
                                 DispatchAnswer& answer) {
  answer = {};
  // The host initialises a library once in a process: on a fresh worker after the first it is done here.
  if (!is_open_ && has_been_open_) {
    if (const LiteRtStatus status = Open(); status != kLiteRtStatusOk) return status;
  }
  if (!is_open_) return link_.Refuse("no library is open", NameOf(call.function));
  InstalledLink::trouble().clear();
  call.thread = NumberOfThisThread();
  const Turn turn = TakeTurn(run, call, answer);
  if (turn.is_put_off || turn.status != kLiteRtStatusOk) return turn.status;
  const bool is_alone = turn.alone.owns_lock();
  // Not under the lock: looking at a buffer's event may let its last user go, whose end takes the
  // lock (~DeskEvent).
  const std::vector<BufferState> states = StatesOf(run);
  uint64_t run_number = 0;  // of a run that is to be remembered
  std::vector<DispatchCall> calls;
  size_t position = 0;  // of this one among them
  LinkTrouble failed;
  uint64_t number = 0;
  std::vector<DispatchAnswer> answers;
  std::string surprise;
  bool is_answered = false;
  {
    const auto lock = Lock();
    call.dropped_events = std::exchange(dropped_events_, {});
    PutNews(run, contents, states, call);
    if (is_alone && PutOffRun(run, call, run_number)) return kLiteRtStatusOk;
    if (is_alone) calls = ahead_.TakeCalls();
    position = calls.size();
    calls.push_back(std::move(call));
    if (is_alone && ahead_.IsFollowedByStop(calls.back()))
      calls.push_back(StopOf(calls.back().object, calls.back().thread));
    is_answered = link_.get()->SendCalls(calls, number, failed);
  }
  if (is_answered) {
    // Waited for without mutex_: the library may not come back before another thread has brought it
    // the event that it waits for.
    is_answered = is_alone ? ReceiveAlone(calls, number, answers, failed, surprise)
                           : link_.get()->ReceiveAnswers(number, calls.size(), answers, failed);
  }
  if (!surprise.empty()) return Surprised(surprise);
  {
    const auto lock = Lock();
    if (is_answered) {
      TakeNews(run, answers[position]);
      if (is_alone && IsGood(answers[position]))
        ahead_.expected().NoteRun(run_number, ContentsOf(run));
      if (position + 1 < answers.size()) ahead_.Keep(calls.back(), std::move(answers.back()));
    } else {
      // Whether the device has what was sent is not known: the next call brings all of it.
      for (const auto& buffer : run.buffers) Forget(*buffer);
    }
  }
  if (!is_answered) return link_.Tell(failed, NameOf(calls[position].function));
  answer = std::move(answers[position]);
  return static_cast<LiteRtStatus>(answer.status);
}

void RemoteState::PutNews(const DeskRun& run, Contents contents,
                          const std::vector<BufferState>& states, DispatchCall& call) {
  for (size_t i = 0; i < run.buffers.size(); ++i) {
    DeskBuffer& buffer = *run.buffers[i];
    // Unregistered, and of no run that is under way: the application may have freed the memory.
    if (!run.HasMemoryOf(buffer)) continue;
    const std::span<const uint8_t> here = buffer.memory;
    if (contents == Contents::kSent &&
        !std::equal(here.begin(), here.end(), buffer.on_device.begin(), buffer.on_device.end())) {
      call.buffers.push_back({buffer.number, {here.begin(), here.end()}});
      buffer.on_device.assign(here.begin(), here.end());
    }
    if (states[i] == buffer.told) continue;
    call.states.push_back(states[i]);
    buffer.told = states[i];
  }
}

void RemoteState::TakeNews(const DeskRun& run, DispatchAnswer& answer) {
  for (BufferContents& changed : answer.buffers) {
    const auto found =
        std::find_if(run.buffers.begin(), run.buffers.end(),
                     [&](const auto& buffer) { return buffer->number == changed.buffer; });
    // The answer is not trusted: it changes memory of this run, whole buffers of it, and no other.
    if (found == run.buffers.end() || !run.HasMemoryOf(**found) ||
        (*found)->memory.size() != changed.bytes.size()) {
      continue;
    }
    std::copy(changed.bytes.begin(), changed.bytes.end(), (*found)->memory.begin());
    (*found)->on_device = std::move(changed.bytes);
  }
}

void RemoteState::DropEvent(uint64_t event) {
  const std::lock_guard lock(mutex_);
  dropped_events_.push_back(event);
}

DeskRun RemoteState::RunOf(const DeskInvocation& invocation) {
  const std::lock_guard lock(mutex_);
  DeskRun run;
  auto& buffers = run.buffers;
  for (const auto& [port, handle] : invocation.attached) {
    if (invocation.device == nullptr) continue;
    const auto found = invocation.device->buffers.find(handle);
    if (found == invocation.device->buffers.end()) continue;
    // A buffer may be attached twice, as one that is written in place.
    if (std::find(buffers.begin(), buffers.end(), found->second) == buffers.end())
      buffers.push_back(found->second);
  }
  return run;
}

LiteRtStatus RemoteState::PutBytecode(const LiteRtMemBuffer* memory, DispatchCall& call) {
  if (memory == nullptr) {
    call.nulls |= kNullBuffer;
    return kLiteRtStatusOk;
  }
  call.size_bytes = memory->size;
  if (memory->base_addr == nullptr) {
    call.nulls |= kNullBytes;
    return kLiteRtStatusOk;
  }
  // The bytes before the offset are not the library's to read; their number is kept below a page, so
  // that what follows is aligned as it is here.
  constexpr size_t kPage = 4096;
  call.handle = memory->offset % kPage;
  const auto* const begin = static_cast<const uint8_t*>(memory->base_addr) + memory->offset;
  std::vector<uint8_t> bytes(call.handle);
  bytes.insert(bytes.end(), begin, begin + memory->size);
  return link_.Put(std::move(bytes), "sending bytecode", call.bytes, call.digest);
}

LiteRtDispatchGraph RemoteState::GraphOf(uint64_t number) {
  const std::lock_guard lock(mutex_);
  DeskGraph& graph = graphs_[number];
  graph.number = number;
  return reinterpret_cast<LiteRtDispatchGraph>(&graph);
}

DeskInvocation::~DeskInvocation() = default;

void RemoteState::Remove(const DeskDevice* device) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, buffer] : device->buffers) buffer->is_registered = false;
    // An application may destroy it before its invocations.
    for (const auto& invocation : invocations_) {
      if (invocation->device == device) invocation->device = nullptr;
    }
  }
  Erase(devices_, device);
}

void RemoteState::LetGo(DeskDevice* device) {
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, buffer] : device->buffers) buffer->is_registered = false;
}

void RemoteState::LetGo(DeskInvocation* invocation) { invocation->watches.clear(); }

DeskDevice* RemoteState::AddDevice(uint64_t number) {
  const std::lock_guard lock(mutex_);
  devices_.push_back(std::make_unique<DeskDevice>());
  devices_.back()->number = number;
  return devices_.back().get();
}

DeskInvocation* RemoteState::AddInvocation(uint64_t number, DeskDevice* device) {
  const std::lock_guard lock(mutex_);
  invocations_.push_back(std::make_unique<DeskInvocation>());
  invocations_.back()->number = number;
  invocations_.back()->device = device;
  return invocations_.back().get();
}

LiteRtStatus CallOf(DispatchCall call) {
  DispatchAnswer answer;
  return RemoteState::Get().Call(std::move(call), answer);
}

}  // namespace npukit::remote
