// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/remote_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/static_plugin.h"
#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/remote/desk/remote_graphs.h"
#include "sdk/remote/desk/remote_reports.h"
#include "sdk/remote/desk/remote_state.h"
#include "sdk/remote/wire/digest.h"

namespace npukit::remote {
namespace {

// -- The library ----------------------------------------------------------------------------------

LiteRtStatus Initialize(LiteRtEnvironment, LiteRtOptions) {
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  // Opening it has initialised it.
  if (!state.is_open()) return state.Open();
  DispatchAnswer answer;
  return state.Call({.function = DispatchFunction::kInitialize}, answer);
}

// These may be asked for before the library is initialised.
LiteRtStatus GiveText(const char** to, const std::string& (*read)(const LibraryFacts&)) {
  if (to == nullptr) return kLiteRtStatusErrorInvalidArgument;
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  if (const LiteRtStatus status = state.Open(); status != kLiteRtStatusOk) return status;
  *to = read(state.facts()).c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus GetVendorId(const char** vendor_id) {
  return GiveText(vendor_id,
                  [](const LibraryFacts& facts) -> const std::string& { return facts.vendor_id; });
}

LiteRtStatus GetBuildId(const char** build_id) {
  return GiveText(build_id,
                  [](const LibraryFacts& facts) -> const std::string& { return facts.build_id; });
}

LiteRtStatus GetCapabilities(int* capabilities) {
  if (capabilities == nullptr) return kLiteRtStatusErrorInvalidArgument;
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  if (const LiteRtStatus status = state.Open(); status != kLiteRtStatusOk) return status;
  *capabilities = state.facts().capabilities & kLiteRtDispatchCapabilitiesBasic;
  if (state.facts().has_graphs) *capabilities |= kLiteRtDispatchCapabilitiesGraph;
  return kLiteRtStatusOk;
}

LiteRtStatus CheckCompatibility(LiteRtApiVersion version, LiteRtEnvironmentOptions, LiteRtOptions) {
  return CallOf({.function = DispatchFunction::kCheckCompatibility,
                 .numbers = {version.major, version.minor, version.patch}});
}

// -- Devices and buffers --------------------------------------------------------------------------

LiteRtStatus CreateDevice(LiteRtOptions, LiteRtDispatchDeviceContext* context) {
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kDeviceCreate, .nulls = context == nullptr ? kNullResult : 0U},
      answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  *context = answer.is_null
                 ? nullptr
                 : reinterpret_cast<LiteRtDispatchDeviceContext>(state.AddDevice(answer.object));
  return status;
}

LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext context) {
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kDeviceDestroy, .object = NumberOf(context)}, answer);
  if (context != nullptr) state.Remove(FromHandle(context));
  return status;
}

LiteRtStatus Register(LiteRtDispatchDeviceContext context, LiteRtTensorBuffer buffer,
                      LiteRtTensorBufferHandle* handle) {
  DispatchCall call{.function = DispatchFunction::kRegister, .object = NumberOf(context)};
  if (handle == nullptr) call.nulls |= kNullResult;
  if (buffer == nullptr) call.nulls |= kNullBuffer;
  void* address = nullptr;
  size_t size_bytes = 0;
  if (buffer != nullptr) {
    LiteRtTensorBufferType kind = kLiteRtTensorBufferTypeUnknown;
    if (const LiteRtStatus status = LiteRtGetTensorBufferType(buffer, &kind);
        status != kLiteRtStatusOk) {
      return status;
    }
    if (kind != kLiteRtTensorBufferTypeHostMemory) return kLiteRtStatusErrorUnsupported;
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferTensorType(buffer, &call.type));
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferSize(buffer, &size_bytes));
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferHostMemory(buffer, &address));
    call.size_bytes = size_bytes;
  }
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  if (status != kLiteRtStatusOk || handle == nullptr) return status;
  *handle = answer.handle;
  if (context != nullptr && buffer != nullptr) {
    FromHandle(context)->buffers[answer.handle] = {
        .memory = {static_cast<uint8_t*>(address), size_bytes}, .on_device = {}};
  }
  return status;
}

LiteRtStatus Unregister(LiteRtDispatchDeviceContext context, LiteRtTensorBufferHandle handle) {
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kUnregister, .object = NumberOf(context), .handle = handle},
      answer);
  if (status == kLiteRtStatusOk && context != nullptr) FromHandle(context)->buffers.erase(handle);
  return status;
}

// -- Invocations ----------------------------------------------------------------------------------

LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType type,
                              const LiteRtMemBuffer* memory, const char* entry_point,
                              int num_inputs, int num_outputs,
                              LiteRtDispatchInvocationContext* context) {
  DispatchCall call{.function = DispatchFunction::kInvocationCreate,
                    .object = NumberOf(device),
                    .index = static_cast<int32_t>(type),
                    .numbers = {num_inputs, num_outputs, 0}};
  if (context == nullptr) call.nulls |= kNullResult;
  if (entry_point != nullptr) call.texts.emplace_back(entry_point);
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  if (const LiteRtStatus status = state.PutBytecode(memory, call); status != kLiteRtStatusOk)
    return status;
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  *context = answer.is_null ? nullptr
                            : reinterpret_cast<LiteRtDispatchInvocationContext>(
                                  state.AddInvocation(answer.object, FromHandle(device)));
  return status;
}

LiteRtStatus DestroyInvocation(LiteRtDispatchInvocationContext context) {
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kInvocationDestroy, .object = NumberOf(context)}, answer);
  if (context != nullptr) state.Remove(FromHandle(context));
  return status;
}

LiteRtStatus GetRequirements(DispatchFunction function, LiteRtDispatchInvocationContext context,
                             int index, const LiteRtRankedTensorType* type,
                             LiteRtTensorBufferRequirements* requirements) {
  DispatchCall call{.function = function, .object = NumberOf(context), .index = index};
  if (requirements == nullptr) call.nulls |= kNullResult;
  if (type == nullptr) {
    call.nulls |= kNullType;
  } else {
    call.type = *type;
  }
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  if (status != kLiteRtStatusOk || requirements == nullptr) return status;
  *requirements = nullptr;
  if (answer.is_null) return status;
  const Requirements& given = answer.requirements;
  std::vector<LiteRtTensorBufferType> types;
  for (const int32_t one : given.buffer_types)
    types.push_back(static_cast<LiteRtTensorBufferType>(one));
  return LiteRtCreateTensorBufferRequirementsWithAlignment(
      static_cast<int>(types.size()), types.data(), given.size_bytes,
      static_cast<int>(given.strides_elems.size()),
      given.strides_elems.empty() ? nullptr : given.strides_elems.data(), given.alignment_bytes,
      requirements);
}

LiteRtStatus GetInputRequirements(LiteRtDispatchInvocationContext context, int index,
                                  const LiteRtRankedTensorType* type,
                                  LiteRtTensorBufferRequirements* requirements) {
  return GetRequirements(DispatchFunction::kInputRequirements, context, index, type, requirements);
}

LiteRtStatus GetOutputRequirements(LiteRtDispatchInvocationContext context, int index,
                                   const LiteRtRankedTensorType* type,
                                   LiteRtTensorBufferRequirements* requirements) {
  return GetRequirements(DispatchFunction::kOutputRequirements, context, index, type, requirements);
}

template <DispatchFunction kFunction, bool kIsInput, bool kAttaches>
LiteRtStatus Bind(LiteRtDispatchInvocationContext context, int index,
                  LiteRtTensorBufferHandle handle) {
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = kFunction, .object = NumberOf(context), .handle = handle, .index = index},
      answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  auto& attached = FromHandle(context)->attached;
  if (kAttaches) {
    attached[{kIsInput, index}] = handle;
  } else {
    attached.erase({kIsInput, index});
  }
  return status;
}

// The buffers attached to it, each once.
std::map<uint64_t, DeskBuffer*> BuffersOf(const DeskInvocation& invocation) {
  std::map<uint64_t, DeskBuffer*> buffers;
  for (const auto& [port, handle] : invocation.attached) {
    if (invocation.device == nullptr) continue;
    const auto found = invocation.device->buffers.find(handle);
    if (found != invocation.device->buffers.end()) buffers.emplace(handle, &found->second);
  }
  return buffers;
}

LiteRtStatus Invoke(LiteRtDispatchInvocationContext context) {
  RemoteState& state = RemoteState::Get();
  const auto lock = state.Lock();
  DispatchCall call{.function = DispatchFunction::kInvoke, .object = NumberOf(context)};
  std::map<uint64_t, DeskBuffer*> buffers;
  if (context != nullptr) buffers = BuffersOf(*FromHandle(context));
  for (const auto& [handle, buffer] : buffers) {
    const std::span<const uint8_t> here = buffer->memory;
    if (std::equal(here.begin(), here.end(), buffer->on_device.begin(), buffer->on_device.end()))
      continue;
    call.buffers.push_back({handle, {here.begin(), here.end()}});
  }
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  // What the library wrote counts even if it failed; what did not arrive leaves nothing known.
  for (BufferContents& sent : call.buffers) {
    buffers[sent.handle]->on_device =
        state.trouble().empty() ? std::move(sent.bytes) : std::vector<uint8_t>();
  }
  for (BufferContents& changed : answer.buffers) {
    const auto found = buffers.find(changed.handle);
    if (found == buffers.end() || found->second->memory.size() != changed.bytes.size()) continue;
    std::copy(changed.bytes.begin(), changed.bytes.end(), found->second->memory.begin());
    found->second->on_device = std::move(changed.bytes);
  }
  return status;
}

// -- The table ------------------------------------------------------------------------------------

using enum DispatchFunction;
LiteRtDispatchInterface table = {
    .initialize = Initialize,
    .get_vendor_id = GetVendorId,
    .get_build_id = GetBuildId,
    .get_capabilities = GetCapabilities,
    .device_context_create = CreateDevice,
    .device_context_destroy = DestroyDevice,
    .get_input_requirements = GetInputRequirements,
    .get_output_requirements = GetOutputRequirements,
    .register_tensor_buffer = Register,
    .unregister_tensor_buffer = Unregister,
    .invocation_context_create = CreateInvocation,
    .invocation_context_destroy = DestroyInvocation,
    // Null says of which release the table is, too (dispatch_generation.cc).
    .invocation_context_set_scheduling_info = nullptr,
    .attach_input = Bind<kAttachInput, true, true>,
    .attach_output = Bind<kAttachOutput, false, true>,
    .detach_input = Bind<kDetachInput, true, false>,
    .detach_output = Bind<kDetachOutput, false, false>,
    .invoke = Invoke,
    .start_metrics_collection = StartMetrics,
    .stop_metrics_collection = StopMetrics,
    .get_num_metrics = GetNumMetrics,
    .get_metric = GetMetric,
    .destroy_metrics = DestroyMetrics,
    .check_runtime_compatibility = CheckCompatibility,
    .invocation_context_set_options = nullptr,
};

LiteRtStatus GetApi(LiteRtDispatchApi* api) {
  if (api == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *api = {.version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH},
          .interface = &table,
          .async_interface = nullptr,
          .graph_interface = &remote_graph_table};
  return kLiteRtStatusOk;
}

template <typename Function>
NpukitStaticSymbol Symbol(const char* name, Function function) {
  return {name, reinterpret_cast<NpukitStaticFunction>(function)};
}

}  // namespace

litert::Expected<LibraryFile> LibraryFile::Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  LibraryFile read;
  read.path = path;
  read.name = std::filesystem::path(path).filename().string();
  read.vendor = VendorOfDispatchFile(path);
  read.bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  if (!file || read.bytes.empty())
    return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": can't be read");
  read.digest = Digest(read.bytes);
  return read;
}

litert::Expected<std::string> AnnounceRemoteLibrary(const LibraryFile& file) {
  const std::string name = file.vendor.empty() ? "device" : file.vendor;
  static auto* const announced = new std::string;
  if (*announced == name) return LinkedPath(name);
  const NpukitStaticSymbol symbols[] = {
      Symbol("LiteRtDispatchGetApi", GetApi),
      Symbol("NpukitDispatchSetCompileSpecs", SetCompileSpecs),
      Symbol("NpukitDispatchSetRecording", SetRecording),
      Symbol("NpukitDispatchGetNumProfileEvents", GetNumProfileEvents),
      Symbol("NpukitDispatchGetProfileEvent", GetProfileEvent),
      Symbol("NpukitDispatchGetLastError", GetLastError)};
  const NpukitStaticPlugin plugin = {.struct_size = sizeof(NpukitStaticPlugin),
                                     .kind = kNpukitStaticPluginDispatch,
                                     .name = name.c_str(),
                                     .symbols = symbols,
                                     .num_symbols = std::size(symbols)};
  const LiteRtStatus status = NpukitRegisterStaticPlugin(&plugin);
  if (status != kLiteRtStatusOk) {
    return litert::Unexpected(status,
                              fmt::format("the device's library can't be named '{}'", name));
  }
  *announced = name;
  return LinkedPath(name);
}

litert::Expected<std::string> InstallRemoteLibrary(Link& link, const LibraryFile& file,
                                                   RemoteHooks hooks) {
  const auto lock = RemoteState::Get().Lock();
  RemoteState::Get().Install(&link, &file, std::move(hooks));
  return AnnounceRemoteLibrary(file);
}

void UninstallRemoteLibrary() {
  const auto lock = RemoteState::Get().Lock();
  RemoteState::Get().Install(nullptr, nullptr, {});
}

std::string RemoteTrouble() {
  const auto lock = RemoteState::Get().Lock();
  return RemoteState::Get().first_trouble();
}

}  // namespace npukit::remote
