// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/remote_library.h"

#include <fmt/format.h>

#include <algorithm>
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
#include "sdk/remote/desk/remote_async.h"
#include "sdk/remote/desk/remote_graphs.h"
#include "sdk/remote/desk/remote_reports.h"
#include "sdk/remote/desk/remote_state.h"
#include "sdk/remote/wire/digest.h"

namespace npukit::remote {
namespace {

// -- The library ----------------------------------------------------------------------------------

LiteRtStatus Initialize(LiteRtEnvironment, LiteRtOptions) {
  RemoteState& state = RemoteState::Get();
  if (const LiteRtStatus status = state.Open(); status != kLiteRtStatusOk) return status;
  // Opening it has initialised it.
  if (state.IsFirstInitialize()) return kLiteRtStatusOk;
  DispatchAnswer answer;
  return state.Call({.function = DispatchFunction::kInitialize}, answer);
}

// These may be asked for before the library is initialised.
LiteRtStatus GiveText(const char** to, const std::string& (*read)(const LibraryFacts&)) {
  if (to == nullptr) return kLiteRtStatusErrorInvalidArgument;
  RemoteState& state = RemoteState::Get();
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
  if (const LiteRtStatus status = state.Open(); status != kLiteRtStatusOk) return status;
  *capabilities = state.facts().capabilities &
                  (kLiteRtDispatchCapabilitiesBasic | kLiteRtDispatchCapabilitiesAsync |
                   kLiteRtDispatchCapabilitiesGraph);
  return kLiteRtStatusOk;
}

LiteRtStatus CheckCompatibility(LiteRtApiVersion version, LiteRtEnvironmentOptions, LiteRtOptions) {
  return CallOf({.function = DispatchFunction::kCheckCompatibility,
                 .numbers = {version.major, version.minor, version.patch}});
}

// -- Devices and buffers --------------------------------------------------------------------------

LiteRtStatus CreateDevice(LiteRtOptions, LiteRtDispatchDeviceContext* context) {
  RemoteState& state = RemoteState::Get();
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
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  if (status != kLiteRtStatusOk || handle == nullptr) return status;
  *handle = answer.handle;
  if (context == nullptr || buffer == nullptr) return status;
  LITERT_RETURN_IF_ERROR(LiteRtDuplicateTensorBuffer(buffer));
  auto kept = std::make_shared<DeskBuffer>(
      DeskBuffer{.number = answer.object,
                 .tensor_buffer = {buffer, LiteRtDestroyTensorBuffer},
                 .memory = {static_cast<uint8_t*>(address), size_bytes},
                 .on_device = {},
                 .told = {.buffer = answer.object}});
  const auto lock = state.Lock();
  FromHandle(context)->buffers[answer.handle].swap(kept);
  if (kept != nullptr) kept->is_registered = false;
  return status;
}

LiteRtStatus Unregister(LiteRtDispatchDeviceContext context, LiteRtTensorBufferHandle handle) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kUnregister, .object = NumberOf(context), .handle = handle},
      answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  std::shared_ptr<DeskBuffer> erased;  // once unlocked
  const auto lock = state.Lock();
  auto& buffers = FromHandle(context)->buffers;
  const auto found = buffers.find(handle);
  if (found == buffers.end()) return status;
  erased = std::move(found->second);
  erased->is_registered = false;
  buffers.erase(found);
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
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = kFunction, .object = NumberOf(context), .handle = handle, .index = index},
      answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  const auto lock = state.Lock();
  auto& attached = FromHandle(context)->attached;
  if (kAttaches) {
    attached[{kIsInput, index}] = handle;
  } else {
    attached.erase({kIsInput, index});
  }
  return status;
}

LiteRtStatus Invoke(LiteRtDispatchInvocationContext context) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  DeskRun run;
  if (context != nullptr) run = state.RunOf(*FromHandle(context));
  return state.CallOn(run, RemoteState::Contents::kSent,
                      {.function = DispatchFunction::kInvoke, .object = NumberOf(context)}, answer);
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

// A table with the functions alone that the library has one for; null if it has no table.
template <typename Table>
Table* TableOf(const Table& all, uint32_t has) {
  static Table copy;
  copy = all;
  constexpr size_t kFunctions = sizeof(Table) / sizeof(void*);
  auto* const functions = reinterpret_cast<void**>(&copy);
  for (size_t i = 0; i < kFunctions; ++i) {
    if ((has >> i & 1) == 0) functions[i] = nullptr;
  }
  return has == 0 ? nullptr : &copy;
}

LiteRtStatus GetApi(LiteRtDispatchApi* api) {
  if (api == nullptr) return kLiteRtStatusErrorInvalidArgument;
  RemoteState& state = RemoteState::Get();
  // Where the library can't be opened its first function says so.
  const bool is_open = state.has_link() && state.Open() == kLiteRtStatusOk;
  const uint32_t async = is_open ? state.facts().async_functions : 0;
  const uint32_t graph = is_open ? state.facts().graph_functions : 0;
  *api = {.version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH},
          .interface = &table,
          .async_interface = TableOf(remote_async_table, async),
          .graph_interface = TableOf(remote_graph_table, graph)};
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

namespace {

// Of npukit's exports, which a library may have besides.
const std::vector<NpukitStaticSymbol>& AllExports() {
  static const auto* const all = new std::vector<NpukitStaticSymbol>{
      Symbol("NpukitDispatchSetCompileSpecs", SetCompileSpecs),
      Symbol("NpukitDispatchSetRecording", SetRecording),
      Symbol("NpukitDispatchGetNumProfileEvents", GetNumProfileEvents),
      Symbol("NpukitDispatchGetProfileEvent", GetProfileEvent),
      Symbol("NpukitDispatchGetLastError", GetLastError),
      Symbol("NpukitDispatchGetEventStatus", GetEventStatus)};
  return *all;
}

litert::Expected<void> RegisterRemoteLibrary(const std::string& name,
                                             const std::vector<NpukitStaticSymbol>& exports) {
  std::vector<NpukitStaticSymbol> symbols = {Symbol("LiteRtDispatchGetApi", GetApi)};
  symbols.insert(symbols.end(), exports.begin(), exports.end());
  const NpukitStaticPlugin plugin = {.struct_size = sizeof(NpukitStaticPlugin),
                                     .kind = kNpukitStaticPluginDispatch,
                                     .name = name.c_str(),
                                     .symbols = symbols.data(),
                                     .num_symbols = symbols.size()};
  const LiteRtStatus status = NpukitRegisterStaticPlugin(&plugin);
  if (status == kLiteRtStatusOk) return {};
  return litert::Unexpected(status, fmt::format("the device's library can't be named '{}'", name));
}

// What the library is announced as; empty: it is not.
std::string& AnnouncedName() {
  static auto* const announced = new std::string;
  return *announced;
}

}  // namespace

litert::Expected<std::string> AnnounceRemoteLibrary(const LibraryFile& file) {
  const std::string name = file.vendor.empty() ? "device" : file.vendor;
  if (AnnouncedName() == name) return LinkedPath(name);
  LITERT_RETURN_IF_ERROR(RegisterRemoteLibrary(name, AllExports()));
  AnnouncedName() = name;
  return LinkedPath(name);
}

litert::Expected<void> AnnounceExports(const LibraryFacts& facts) {
  std::vector<NpukitStaticSymbol> exports;
  std::copy_if(AllExports().begin(), AllExports().end(), std::back_inserter(exports),
               [&](const NpukitStaticSymbol& symbol) {
                 return std::find(facts.exports.begin(), facts.exports.end(), symbol.name) !=
                        facts.exports.end();
               });
  NpukitUnregisterStaticPlugin(kNpukitStaticPluginDispatch, AnnouncedName().c_str());
  return RegisterRemoteLibrary(AnnouncedName(), exports);
}

litert::Expected<std::string> InstallRemoteLibrary(Link& link, const LibraryFile& file,
                                                   RemoteHooks hooks) {
  RemoteState::Get().Install(&link, &file, std::move(hooks));
  return AnnounceRemoteLibrary(file);
}

void UninstallRemoteLibrary() { RemoteState::Get().Install(nullptr, nullptr, {}); }

std::string RemoteTrouble() { return RemoteState::Get().first_trouble(); }

}  // namespace npukit::remote
