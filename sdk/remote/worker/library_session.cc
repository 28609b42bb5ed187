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
constexpr std::array<const char*, 5> kForwarded = {
    "NpukitDispatchSetCompileSpecs", "NpukitDispatchSetRecording",
    "NpukitDispatchGetNumProfileEvents", "NpukitDispatchGetProfileEvent",
    "NpukitDispatchGetLastError"};

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
  LibraryFacts facts{
      .vendor_id = library_->vendor_id(),
      .build_id = library_->build_id(),
      .capabilities = library_->capabilities(),
      .generation = GenerationName(library_->generation()),
      .has_metrics = library_->client().has_metrics(),
      .has_graphs = (library_->capabilities() & kLiteRtDispatchCapabilitiesGraph) != 0 &&
                    library_->tables().graph != nullptr,
      .exports = {}};
  for (const char* const name : kForwarded) {
    if (library_->Find<void (*)()>(name) != nullptr) facts.exports.emplace_back(name);
  }
  return facts;
}

litert::Expected<LiteRtDispatchDeviceContext> LibrarySession::DeviceOf(uint64_t number) const {
  if (number == 0) return nullptr;
  const auto found = devices_.find(number);
  if (found == devices_.end()) return Mistake(fmt::format("there is no device {}", number));
  return found->second;
}

litert::Expected<LibrarySession::Invocation*> LibrarySession::InvocationOf(uint64_t number) {
  if (number == 0) return nullptr;
  const auto found = invocations_.find(number);
  if (found == invocations_.end()) return Mistake(fmt::format("there is no invocation {}", number));
  return &found->second;
}

litert::Expected<DispatchAnswer> LibrarySession::Run(const DispatchCall& call) {
  using enum DispatchFunction;
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
  answer.object = ++last_object_;
  devices_.emplace(answer.object, context);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::DestroyDevice(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext context, DeviceOf(call.object));
  const LiteRtStatus status = api().device_context_destroy(context);
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
  Invocation made{.context = nullptr, .device = call.object, .bytecode = {}, .attached = {}};
  LiteRtMemBuffer memory = {};
  LITERT_RETURN_IF_ERROR(TakeBytecode(call, made.bytecode, memory));
  const char* const entry_point = call.texts.empty() ? nullptr : call.texts.front().c_str();
  const bool has_memory = (call.nulls & kNullBuffer) == 0;
  DispatchAnswer answer = WithStatus(api().invocation_context_create(
      device, static_cast<LiteRtDispatchExecutableType>(call.index), has_memory ? &memory : nullptr,
      entry_point, call.numbers[0], call.numbers[1],
      (call.nulls & kNullResult) != 0 ? nullptr : &made.context));
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = made.context == nullptr;
  if (answer.is_null) return answer;
  answer.object = ++last_object_;
  invocations_.emplace(answer.object, std::move(made));
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::DestroyInvocation(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(Invocation* const invocation, InvocationOf(call.object));
  const LiteRtStatus status =
      api().invocation_context_destroy(invocation == nullptr ? nullptr : invocation->context);
  invocations_.erase(call.object);
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::GetRequirements(const DispatchCall& call,
                                                                 bool is_input) {
  LITERT_ASSIGN_OR_RETURN(Invocation* const invocation, InvocationOf(call.object));
  LiteRtTensorBufferRequirements requirements = nullptr;
  const auto get = is_input ? api().get_input_requirements : api().get_output_requirements;
  DispatchAnswer answer =
      WithStatus(get(invocation == nullptr ? nullptr : invocation->context, call.index,
                     (call.nulls & kNullType) != 0 ? nullptr : &call.type,
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
  std::unique_ptr<DeviceBuffer> buffer;
  if ((call.nulls & kNullBuffer) == 0) {
    LITERT_ASSIGN_OR_RETURN(buffer, DeviceBuffer::Create(call.type, call.size_bytes));
  }
  LiteRtTensorBufferHandle handle = 0;
  DispatchAnswer answer = WithStatus(
      api().register_tensor_buffer(device, buffer == nullptr ? nullptr : buffer->tensor_buffer(),
                                   (call.nulls & kNullResult) != 0 ? nullptr : &handle));
  answer.handle = handle;
  if (answer.status == kLiteRtStatusOk && buffer != nullptr)
    buffers_[BufferKey(call.object, handle)] = std::move(buffer);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::Unregister(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  const LiteRtStatus status = api().unregister_tensor_buffer(device, call.handle);
  if (status == kLiteRtStatusOk) buffers_.erase(BufferKey(call.object, call.handle));
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::Attach(const DispatchCall& call, bool is_input) {
  LITERT_ASSIGN_OR_RETURN(Invocation* const invocation, InvocationOf(call.object));
  const auto attach = is_input ? api().attach_input : api().attach_output;
  const LiteRtStatus status =
      attach(invocation == nullptr ? nullptr : invocation->context, call.index, call.handle);
  if (status == kLiteRtStatusOk && invocation != nullptr)
    invocation->attached[{is_input, call.index}] = call.handle;
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::Detach(const DispatchCall& call, bool is_input) {
  LITERT_ASSIGN_OR_RETURN(Invocation* const invocation, InvocationOf(call.object));
  const auto detach = is_input ? api().detach_input : api().detach_output;
  const LiteRtStatus status =
      detach(invocation == nullptr ? nullptr : invocation->context, call.index, call.handle);
  if (status == kLiteRtStatusOk && invocation != nullptr)
    invocation->attached.erase({is_input, call.index});
  return WithStatus(status);
}

std::map<LiteRtTensorBufferHandle, DeviceBuffer*> LibrarySession::BuffersOf(
    const Invocation& invocation) {
  std::map<LiteRtTensorBufferHandle, DeviceBuffer*> buffers;
  for (const auto& [port, handle] : invocation.attached) {
    const auto found = buffers_.find(BufferKey(invocation.device, handle));
    if (found != buffers_.end()) buffers.emplace(handle, found->second.get());
  }
  return buffers;
}

litert::Expected<DispatchAnswer> LibrarySession::Invoke(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(Invocation* const invocation, InvocationOf(call.object));
  if (invocation == nullptr) return WithStatus(api().invoke(nullptr));
  const auto buffers = BuffersOf(*invocation);
  for (const BufferContents& fresh : call.buffers) {
    const auto found = buffers.find(fresh.handle);
    if (found == buffers.end() || found->second->bytes().size() != fresh.bytes.size()) {
      return Mistake(
          fmt::format("contents of {} bytes for the buffer {}, which is not attached or "
                      "of another size",
                      fresh.bytes.size(), fresh.handle));
    }
    std::copy(fresh.bytes.begin(), fresh.bytes.end(), found->second->bytes().begin());
  }
  for (const auto& [handle, buffer] : buffers) buffer->Remember();
  DispatchAnswer answer = WithStatus(api().invoke(invocation->context));
  for (const auto& [handle, buffer] : buffers) {
    if (!buffer->HasChanged()) continue;
    const std::span<const uint8_t> bytes = buffer->bytes();
    answer.buffers.push_back({handle, {bytes.begin(), bytes.end()}});
  }
  return answer;
}

}  // namespace npukit::remote
