// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/library_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "litert/c/litert_environment.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"

namespace npukit::remote {
namespace {

litert::Unexpected Mistake(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

DispatchAnswer WithStatus(LiteRtStatus status) { return {.status = status}; }

// The exports of npukit's that calls of the protocol lead to.
constexpr std::array<const char*, 6> kForwarded = {
    "NpukitDispatchSetCompileSpecs",     "NpukitDispatchSetRecording",
    "NpukitDispatchGetNumProfileEvents", "NpukitDispatchGetProfileEvent",
    "NpukitDispatchGetLastError",        "NpukitDispatchGetEventStatus"};

// A bit for each of a table's functions that is there.
template <typename Table>
uint32_t FunctionsIn(const Table* table) {
  constexpr size_t kFunctions = sizeof(Table) / sizeof(void*);
  static_assert(kFunctions <= 32);
  if (table == nullptr) return 0;
  const auto* const functions = reinterpret_cast<void* const*>(table);
  uint32_t there = 0;
  for (size_t i = 0; i < kFunctions; ++i) there |= functions[i] != nullptr ? uint32_t{1} << i : 0;
  return there;
}

}  // namespace

litert::Expected<std::unique_ptr<LibrarySession>> LibrarySession::Open(const std::string& path,
                                                                       const FileCache& cache) {
  LITERT_ASSIGN_OR_RETURN(auto library, DispatchLibrary::Load(path));
  return std::unique_ptr<LibrarySession>(new LibrarySession(std::move(library), cache));
}

LibraryFacts LibrarySession::Facts() const {
  LibraryFacts facts{.vendor_id = library_->vendor_id(),
                     .build_id = library_->build_id(),
                     .capabilities = library_->capabilities(),
                     .generation = GenerationName(library_->generation()),
                     .has_metrics = library_->client().has_metrics(),
                     .async_functions = FunctionsIn(library_->tables().async),
                     .graph_functions = FunctionsIn(library_->tables().graph),
                     .exports = {}};
  for (const char* const name : kForwarded) {
    if (library_->Find<void (*)()>(name) != nullptr) facts.exports.emplace_back(name);
  }
  return facts;
}

litert::Expected<LiteRtDispatchDeviceContext> LibrarySession::DeviceOf(uint64_t number) const {
  if (number == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = devices_.find(number);
  if (found == devices_.end()) return Mistake(fmt::format("there is no device {}", number));
  return found->second;
}

litert::Expected<std::shared_ptr<LibrarySession::Invocation>> LibrarySession::InvocationOf(
    uint64_t number) const {
  if (number == 0) return std::shared_ptr<Invocation>();
  const std::lock_guard lock(mutex_);
  const auto found = invocations_.find(number);
  if (found == invocations_.end()) return Mistake(fmt::format("there is no invocation {}", number));
  return found->second;
}

litert::Expected<std::shared_ptr<DeviceBuffer>> LibrarySession::NumberedBuffer(
    uint64_t number) const {
  const auto found = numbered_buffers_.find(number);
  std::shared_ptr<DeviceBuffer> buffer =
      found == numbered_buffers_.end() ? nullptr : found->second.lock();
  if (buffer == nullptr) return Mistake(fmt::format("there is no buffer {}", number));
  return buffer;
}

litert::Expected<void> LibrarySession::TakeNews(const DispatchCall& call, Ended& ended) {
  const std::lock_guard lock(mutex_);
  for (const BufferContents& fresh : call.buffers) {
    LITERT_ASSIGN_OR_RETURN(const auto buffer, NumberedBuffer(fresh.buffer));
    ended.buffers.push_back(buffer);  // another thread may let go of it meanwhile
    if (!buffer->Take(fresh.bytes)) {
      return Mistake(fmt::format("contents of {} bytes for the buffer {}, which is of another size",
                                 fresh.bytes.size(), fresh.buffer));
    }
  }
  for (const BufferState& state : call.states) {
    LITERT_ASSIGN_OR_RETURN(const auto buffer, NumberedBuffer(state.buffer));
    ended.buffers.push_back(buffer);  // another thread may let go of it meanwhile
    std::shared_ptr<KeptEvent> event;
    // One that was dropped is over.
    if (const auto found = output_events_.find(state.event); found != output_events_.end())
      event = found->second->kept;
    LITERT_RETURN_IF_ERROR(buffer->SetState(state.lock, std::move(event), ended.events));
  }
  return {};
}

void LibrarySession::AddNews(const DispatchCall& call, DispatchAnswer& answer) {
  Buffers buffers;  // made before the lock: they may end here
  const std::lock_guard lock(mutex_);
  if (call.function == DispatchFunction::kInvoke) {
    if (const auto found = invocations_.find(call.object); found != invocations_.end())
      buffers = BuffersOf(*found->second);
  } else if (call.function == DispatchFunction::kWaitEvent && answer.status == kLiteRtStatusOk) {
    if (const auto found = output_events_.find(call.object); found != output_events_.end())
      buffers = found->second->run->buffers;
  }
  for (const auto& buffer : buffers) {
    // Compared by content, inputs too: nobody tells which of its buffers a library writes to.
    if (!buffer->HasNews()) continue;
    const std::span<const uint8_t> bytes = buffer->bytes();
    answer.buffers.push_back({buffer->number(), {bytes.begin(), bytes.end()}});
  }
}

litert::Expected<void> LibrarySession::CheckNumber(const DispatchCall& call) {
  if (call.made == 0) return {};
  const std::lock_guard lock(mutex_);
  if (call.made <= last_of_desk_)
    return Mistake(fmt::format("the number {}, which is not the desk's to give", call.made));
  last_of_desk_ = call.made;
  return {};
}

LiteRtTensorBufferHandle LibrarySession::HandleOf(uint64_t handle) const {
  // The desk calls a registration that went ahead by a number of its own, as it has not heard the
  // library's handle; all others by the handle.
  if (handle < kFirstDeskNumber) return handle;
  const std::lock_guard lock(mutex_);
  const auto found = handles_.find(handle);
  return found == handles_.end() ? handle : found->second;
}

litert::Expected<std::vector<DispatchAnswer>> LibrarySession::Run(
    const std::vector<DispatchCall>& calls) {
  std::vector<DispatchAnswer> answers;
  for (const DispatchCall& call : calls) {
    {
      Ended ended;
      LITERT_RETURN_IF_ERROR(TakeNews(call, ended));
    }
    LITERT_RETURN_IF_ERROR(CheckNumber(call));
    LITERT_ASSIGN_OR_RETURN(DispatchAnswer answer, RunOne(call));
    if (calls.size() > 1) AddNews(call, answer);
    answers.push_back(std::move(answer));
    // Those behind it were called in the belief that it would be good.
    if (!IsGood(answers.back())) break;
  }
  return answers;
}

litert::Expected<DispatchAnswer> LibrarySession::RunOne(const DispatchCall& call) {
  using enum DispatchFunction;
  DropEvents(call.dropped_events);
  switch (call.function) {
    case kInitialize:
      return WithStatus(api().initialize(library_->environment(), library_->options()));
    case kCheckCompatibility:
      return CheckCompatibility(call);
    case kDeviceCreate:
      return CreateDevice(call);
    case kDeviceDestroy:
      return DestroyDevice(call);
    case kSetCompileSpecs:
      return SetCompileSpecs(call);
    case kInvocationCreate:
      return CreateInvocation(call);
    case kInvocationDestroy:
      return DestroyInvocation(call);
    case kInputRequirements:
      return GetRequirements(call, /*is_input=*/true);
    case kOutputRequirements:
      return GetRequirements(call, /*is_input=*/false);
    case kRegister:
      return Register(call);
    case kUnregister:
      return Unregister(call);
    case kAttachInput:
      return Attach(call, /*is_input=*/true);
    case kAttachOutput:
      return Attach(call, /*is_input=*/false);
    case kDetachInput:
      return Detach(call, /*is_input=*/true);
    case kDetachOutput:
      return Detach(call, /*is_input=*/false);
    case kInvoke:
      return Invoke(call);
    case kStartMetrics:
      return StartMetrics(call);
    case kStopMetrics:
      return StopMetrics(call);
    case kSetRecording:
      return SetRecording(call);
    case kReadProfile:
      return ReadProfile(call);
    case kGetLastError:
      return GetLastError(call);
    case kAttachInputEvent:
    case kSignalInputEvent:
    case kInvokeAsync:
    case kWaitEvent:
    case kGetEventStatus:
      return RunAsynchronous(call);
    case kNone:
    case kEnd:
      break;
    default:
      return RunOnGraphs(call);
  }
  return Mistake("a call of a function that does not exist");
}

litert::Expected<DispatchAnswer> LibrarySession::CheckCompatibility(
    const DispatchCall& call) const {
  LiteRtEnvironmentOptions options = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetEnvironmentOptions(library_->environment(), &options));
  const LiteRtApiVersion version = {call.numbers[0], call.numbers[1], call.numbers[2]};
  return WithStatus(api().check_runtime_compatibility(version, options, library_->options()));
}

}  // namespace npukit::remote
