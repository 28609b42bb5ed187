// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How Mimic's dispatch library gives its tables: by LiteRtDispatchGetApi, or queried, and then with
// hooks and memory of its own.

#include <cstring>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/vendors/c/litert_dispatch_api.h"

using npukit::conformance::mimic::AsyncFunctions;
using npukit::conformance::mimic::BasicFunctions;
using npukit::conformance::mimic::Fault;
using npukit::conformance::mimic::GraphFunctionsOfContexts;
using npukit::conformance::mimic::Has;

#if defined(NPUKIT_ABI_2_3)

namespace npukit::conformance::mimic {

std::atomic<bool> is_in_profiled_run = false;

namespace {

void Hook(LiteRtHookType type, const void*, size_t, void*) {
  switch (type) {
    case kLiteRtHookTypeRuntimeStart:
    case kLiteRtHookTypeRuntimeStop:
      is_in_profiled_run = type == kLiteRtHookTypeRuntimeStart;
      return;
    case kLiteRtHookTypeCompilerStart:
    case kLiteRtHookTypeCompilerStop:
    case kLiteRtHookTypeStopAndProcess:
      return;
  }
  if (Has(Fault::queried_hook_knows_five)) abort();
}

LiteRtStatus GetHooks(LiteRtDispatchDeviceContext device, LiteRtHook* hook, void** user_data) {
  if (!Has(Fault::queried_hooks_null_crash) && (hook == nullptr || user_data == nullptr))
    return kLiteRtStatusErrorInvalidArgument;
  *hook = Hook;
  *user_data = device;
  return device != nullptr ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}

// The functions of a table behind a header.
template <typename Queried, typename Functions>
Queried WithHeader(const Functions& functions) {
  static_assert(sizeof(LiteRtAbiHeader) + sizeof(Functions) <= sizeof(Queried));
  Queried table = {};
  table.abi_header = {sizeof(Queried), 1, 0, 0};
  std::memcpy(reinterpret_cast<char*>(&table) + sizeof(LiteRtAbiHeader), &functions,
              sizeof(functions));
  return table;
}

LiteRtInterface TableOf(LiteRtDispatchInterfaceId id) {
  static const auto basic = [] {
    auto table = WithHeader<LiteRtDispatchInterface_V1>(BasicFunctions());
    table.get_hooks = GetHooks;
    AddEdgeFunctions(table);
    return table;
  }();
  static const auto async = WithHeader<LiteRtDispatchAsyncInterface_V1>(AsyncFunctions());
  static const auto graph = [] {
    auto table = WithHeader<LiteRtDispatchGraphInterface_V1>(GraphFunctionsOfContexts());
    AddScratchpadFunctions(table);
    return table;
  }();
  switch (id) {
    case kLiteRtDispatchInterfaceBasic:
      return &basic;
    case kLiteRtDispatchInterfaceAsync:
      return &async;
    case kLiteRtDispatchInterfaceGraph:
      return &graph;
    case kLiteRtDispatchInterfaceCustomTensorBufferHandlers:
      return &MemoryHandlers();
    default:
      return nullptr;
  }
}

}  // namespace
}  // namespace npukit::conformance::mimic

extern "C" __attribute__((visibility("default"))) LiteRtStatus LiteRtDispatchQueryInterface(
    LiteRtDispatchInterfaceId id, LiteRtApiVersion version, LiteRtInterface* given) {
  if (given == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *given = version.major == 1 ? npukit::conformance::mimic::TableOf(id) : nullptr;
  return *given != nullptr ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupported;
}

#else

extern "C" __attribute__((visibility("default"))) LiteRtStatus LiteRtDispatchGetApi(
    LiteRtDispatchApi* api) {
  static LiteRtDispatchInterface interface = BasicFunctions();
  if (api == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *api = {};
  api->version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  api->interface = &interface;
  static LiteRtDispatchAsyncInterface async = AsyncFunctions();
  if (!Has(Fault::async_without_table)) api->async_interface = &async;
  static LiteRtDispatchGraphInterface graph = GraphFunctionsOfContexts();
  api->graph_interface = &graph;
  return kLiteRtStatusOk;
}

#endif
