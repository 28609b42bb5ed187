// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/remote_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/static_plugin.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/remote/desk/dispatch/remote_async.h"
#include "sdk/remote/desk/dispatch/remote_devices.h"
#include "sdk/remote/desk/dispatch/remote_graphs.h"
#include "sdk/remote/desk/dispatch/remote_invocations.h"
#include "sdk/remote/desk/dispatch/remote_reports.h"
#include "sdk/remote/desk/dispatch/remote_state.h"

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

// -- The table ------------------------------------------------------------------------------------

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
    .attach_input = AttachInput,
    .attach_output = AttachOutput,
    .detach_input = DetachInput,
    .detach_output = DetachOutput,
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
  const bool is_open = state.link().get() != nullptr && state.Open() == kLiteRtStatusOk;
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
  SetPlaceOfLinked(kNpukitStaticPluginDispatch, name, file.Place());
  if (AnnouncedName() == name) return LinkedPath(name);
  // One at a time, so that another vendor's may come and go between.
  if (!AnnouncedName().empty())
    NpukitUnregisterStaticPlugin(kNpukitStaticPluginDispatch, AnnouncedName().c_str());
  AnnouncedName().clear();
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
                                                   RemoteHooks hooks,
                                                   std::optional<Expectation> expectation) {
  RemoteState::Get().Install(&link, &file, std::move(hooks), std::move(expectation));
  return AnnounceRemoteLibrary(file);
}

litert::Expected<void> OpenRemoteLibrary() {
  RemoteState& state = RemoteState::Get();
  if (const LiteRtStatus status = state.Open(); status != kLiteRtStatusOk)
    return litert::Unexpected(status, InstalledLink::trouble());
  return AnnounceExports(state.facts());
}

LiteRtStatus SettleRemoteLibrary() { return RemoteState::Get().Settle(); }

void UninstallRemoteLibrary() { RemoteState::Get().Install(nullptr, nullptr, {}, std::nullopt); }

std::string RemoteTrouble() { return RemoteState::Get().link().first_trouble(); }

}  // namespace npukit::remote
