// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/library_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "litert/c/litert_environment.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"
#include "sdk/remote/wire/frame.h"

namespace npukit::remote {
namespace {

// Of a library's list, against one that counts wrongly.
constexpr int kMaxBufferTypes = 64;

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

litert::Expected<Requirements> ReadRequirements(LiteRtTensorBufferRequirements handle) {
  Requirements read;
  int count = 0;
  LITERT_RETURN_IF_ERROR(LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(handle, &count));
  for (int i = 0; i < std::min(count, kMaxBufferTypes); ++i) {
    LiteRtTensorBufferType type = kLiteRtTensorBufferTypeUnknown;
    LITERT_RETURN_IF_ERROR(
        LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(handle, i, &type));
    read.buffer_types.push_back(type);
  }
  size_t value = 0;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsBufferSize(handle, &value));
  read.size_bytes = value;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsAlignment(handle, &value));
  read.alignment_bytes = value;
  int num_strides = 0;
  const uint32_t* strides = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsStrides(handle, &num_strides, &strides));
  if (strides != nullptr) read.strides_elems.assign(strides, strides + std::max(num_strides, 0));
  return read;
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

litert::Expected<void> LibrarySession::TakeNews(const DispatchCall& call) {
  const std::lock_guard lock(mutex_);
  for (const BufferContents& fresh : call.buffers) {
    LITERT_ASSIGN_OR_RETURN(const auto buffer, NumberedBuffer(fresh.buffer));
    if (!buffer->Take(fresh.bytes)) {
      return Mistake(fmt::format("contents of {} bytes for the buffer {}, which is of another size",
                                 fresh.bytes.size(), fresh.buffer));
    }
  }
  for (const BufferState& state : call.states) {
    LITERT_ASSIGN_OR_RETURN(const auto buffer, NumberedBuffer(state.buffer));
    std::shared_ptr<KeptEvent> event;
    // One that was dropped is over.
    if (const auto found = output_events_.find(state.event); found != output_events_.end())
      event = found->second->kept;
    LITERT_RETURN_IF_ERROR(buffer->SetState(state.lock, std::move(event)));
  }
  return {};
}

void LibrarySession::AddNews(const DispatchCall& call, DispatchAnswer& answer) {
  const std::lock_guard lock(mutex_);
  Buffers buffers;
  if (call.function == DispatchFunction::kInvoke) {
    if (const auto found = invocations_.find(call.object); found != invocations_.end())
      buffers = BuffersOf(*found->second);
  } else if (call.function == DispatchFunction::kWaitEvent && answer.status == kLiteRtStatusOk) {
    if (const auto found = output_events_.find(call.object); found != output_events_.end())
      buffers = found->second->run->buffers;
  }
  for (const auto& buffer : buffers) {
    if (!buffer->HasNews()) continue;
    const std::span<const uint8_t> bytes = buffer->bytes();
    answer.buffers.push_back({buffer->number(), {bytes.begin(), bytes.end()}});
  }
}

litert::Expected<DispatchAnswer> LibrarySession::Run(const DispatchCall& call) {
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
  return Mistake("a call of a function that there is not");
}

litert::Expected<DispatchAnswer> LibrarySession::CheckCompatibility(
    const DispatchCall& call) const {
  LiteRtEnvironmentOptions options = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetEnvironmentOptions(library_->environment(), &options));
  const LiteRtApiVersion version = {call.numbers[0], call.numbers[1], call.numbers[2]};
  return WithStatus(api().check_runtime_compatibility(version, options, library_->options()));
}

litert::Expected<DispatchAnswer> LibrarySession::CreateDevice(const DispatchCall& call) {
  LiteRtDispatchDeviceContext context = nullptr;
  DispatchAnswer answer = WithStatus(api().device_context_create(
      library_->options(), (call.nulls & kNullResult) != 0 ? nullptr : &context));
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = context == nullptr;
  if (answer.is_null) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = ++last_object_;
  devices_.emplace(answer.object, context);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::DestroyDevice(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext context, DeviceOf(call.object));
  const LiteRtStatus status = api().device_context_destroy(context);
  const std::lock_guard lock(mutex_);
  devices_.erase(call.object);
  std::erase_if(buffers_, [&](const auto& entry) { return entry.first.first == call.object; });
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::SetCompileSpecs(const DispatchCall& call) const {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext context, DeviceOf(call.object));
  const auto set = library_->Find<NpukitDispatchSetCompileSpecsT>("NpukitDispatchSetCompileSpecs");
  if (set == nullptr) return WithStatus(kLiteRtStatusErrorUnsupported);
  if (call.texts.size() % 2 != 0) return Mistake("a key without a value");
  std::vector<NpukitCompileSpec> specs;
  for (size_t i = 0; i < call.texts.size(); i += 2) {
    const std::string& value = call.texts[i + 1];
    specs.push_back({call.texts[i].c_str(), value.data(), value.size()});
  }
  return WithStatus(set(context, specs.data(), specs.size()));
}

litert::Expected<void> LibrarySession::TakeBytecode(const DispatchCall& call,
                                                    std::vector<uint8_t>& bytes,
                                                    LiteRtMemBuffer& memory) const {
  bytes = call.bytes;
  if (!call.digest.empty()) {
    LITERT_ASSIGN_OR_RETURN(bytes, cache_.Read(call.digest));
  }
  if (call.handle > bytes.size()) return Mistake("bytecode behind its end");
  memory = {};
  memory.fd = -1;
  memory.base_addr = (call.nulls & kNullBytes) != 0 ? nullptr : bytes.data();
  memory.offset = call.handle;
  memory.size = call.size_bytes;
  return {};
}

litert::Expected<DispatchAnswer> LibrarySession::CreateInvocation(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  if (call.texts.size() > 1) return Mistake("more than one entry point");
  Invocation made;
  made.device = call.object;
  LiteRtMemBuffer memory = {};
  LITERT_RETURN_IF_ERROR(TakeBytecode(call, made.bytecode, memory));
  const char* const entry_point = call.texts.empty() ? nullptr : call.texts.front().c_str();
  const bool has_memory = (call.nulls & kNullBuffer) == 0;
  const LiteRtStatus status = api().invocation_context_create(
      device, static_cast<LiteRtDispatchExecutableType>(call.index), has_memory ? &memory : nullptr,
      entry_point, call.numbers[0], call.numbers[1],
      (call.nulls & kNullResult) != 0 ? nullptr : &made.context);
  return Keep(status, std::move(made));
}

DispatchAnswer LibrarySession::Keep(LiteRtStatus status, Invocation made) {
  DispatchAnswer answer = WithStatus(status);
  if (status != kLiteRtStatusOk) return answer;
  answer.is_null = made.context == nullptr;
  if (answer.is_null) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = ++last_object_;
  invocations_.emplace(answer.object, std::make_shared<Invocation>(std::move(made)));
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::DestroyInvocation(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const LiteRtStatus status = api().invocation_context_destroy(ContextOf(invocation));
  const std::lock_guard lock(mutex_);
  if (invocation != nullptr) ForgetInputEvents(*invocation, 0);
  invocations_.erase(call.object);
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::GetRequirements(const DispatchCall& call,
                                                                 bool is_input) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  LiteRtTensorBufferRequirements requirements = nullptr;
  const auto get = is_input ? api().get_input_requirements : api().get_output_requirements;
  DispatchAnswer answer = WithStatus(
      get(ContextOf(invocation), call.index, (call.nulls & kNullType) != 0 ? nullptr : &call.type,
          (call.nulls & kNullResult) != 0 ? nullptr : &requirements));
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = requirements == nullptr;
  if (answer.is_null) return answer;
  auto read = ReadRequirements(requirements);
  LiteRtDestroyTensorBufferRequirements(requirements);
  if (!read) return read.Error();
  answer.requirements = std::move(*read);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::Register(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  std::shared_ptr<DeviceBuffer> buffer;
  if ((call.nulls & kNullBuffer) == 0) {
    LITERT_ASSIGN_OR_RETURN(buffer, DeviceBuffer::Create(call.type, call.size_bytes));
  }
  LiteRtTensorBufferHandle handle = 0;
  DispatchAnswer answer = WithStatus(
      api().register_tensor_buffer(device, buffer == nullptr ? nullptr : buffer->tensor_buffer(),
                                   (call.nulls & kNullResult) != 0 ? nullptr : &handle));
  answer.handle = handle;
  if (answer.status != kLiteRtStatusOk || buffer == nullptr) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = ++last_object_;
  buffer->set_number(answer.object);
  std::erase_if(numbered_buffers_, [](const auto& entry) { return entry.second.expired(); });
  numbered_buffers_[answer.object] = buffer;
  buffers_[BufferKey(call.object, handle)] = std::move(buffer);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::Unregister(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  const LiteRtStatus status = api().unregister_tensor_buffer(device, call.handle);
  const std::lock_guard lock(mutex_);
  if (status == kLiteRtStatusOk) buffers_.erase(BufferKey(call.object, call.handle));
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::Attach(const DispatchCall& call, bool is_input) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto attach = is_input ? api().attach_input : api().attach_output;
  const LiteRtStatus status = attach(ContextOf(invocation), call.index, call.handle);
  const std::lock_guard lock(mutex_);
  if (status == kLiteRtStatusOk && invocation != nullptr)
    invocation->attached[{is_input, call.index}] = call.handle;
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::Detach(const DispatchCall& call, bool is_input) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto detach = is_input ? api().detach_input : api().detach_output;
  const LiteRtStatus status = detach(ContextOf(invocation), call.index, call.handle);
  const std::lock_guard lock(mutex_);
  if (status == kLiteRtStatusOk && invocation != nullptr)
    invocation->attached.erase({is_input, call.index});
  return WithStatus(status);
}

LibrarySession::Buffers LibrarySession::BuffersOf(const Invocation& invocation) const {
  Buffers buffers;
  for (const auto& [port, handle] : invocation.attached) {
    const auto found = buffers_.find(BufferKey(invocation.device, handle));
    if (found != buffers_.end() &&
        std::find(buffers.begin(), buffers.end(), found->second) == buffers.end()) {
      buffers.push_back(found->second);
    }
  }
  return buffers;
}

// What it writes is told with the answer (AddNews).
litert::Expected<DispatchAnswer> LibrarySession::Invoke(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  return WithStatus(api().invoke(ContextOf(invocation)));
}

}  // namespace npukit::remote
