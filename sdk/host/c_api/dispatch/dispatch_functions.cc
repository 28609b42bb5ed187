// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// litert_dispatch.h: the functions of the one dispatch library that LiteRtDispatchInitialize has
// opened, for programs that drive a library by hand. The host's own runs don't go through here.

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "litert/c/litert_environment.h"
#include "litert/c/litert_environment_options.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/shared_libraries.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"

namespace {

using npukit::DispatchLibrary;

// Set once and never closed: callers hold what came from it.
std::atomic<const DispatchLibrary*> opened = nullptr;

const LiteRtDispatchInterface* Basic(const DispatchLibrary& library) {
  return &library.functions();
}
const LiteRtDispatchAsyncInterface* Async(const DispatchLibrary& library) {
  return library.tables().async;
}
const LiteRtDispatchGraphInterface* Graph(const DispatchLibrary& library) {
  return library.tables().graph;
}

// The first library that can be used of those that are linked in and in the environment's folder.
litert::Expected<std::shared_ptr<const DispatchLibrary>> OpenFrom(LiteRtEnvironment environment) {
  LiteRtEnvironmentOptions options = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetEnvironmentOptions(environment, &options));
  LiteRtAny folder = {};
  const LiteRtStatus named =
      LiteRtGetEnvironmentOptionsValue(options, kLiteRtEnvOptionTagDispatchLibraryDir, &folder);
  if (named == kLiteRtStatusOk && folder.type != kLiteRtAnyTypeString) {
    return litert::Error(kLiteRtStatusErrorInvalidArgument, "the folder's name is no string");
  }
  auto paths = npukit::RankDispatchLibraries(
      npukit::WithFoldersBelow(named == kLiteRtStatusOk ? folder.str_value : ""), "");
  if (!paths) return paths.Error();
  litert::Error error(kLiteRtStatusErrorNotFound, "no dispatch library");
  for (const std::string& path : *paths) {
    auto library = DispatchLibrary::Load(path);
    if (library) return library;
    error = library.Error();
  }
  return error;
}

// What a function gives that can't be called.
template <typename Table, typename Function>
LiteRtStatus CheckCall(const DispatchLibrary* library, const Table* table, Function Table::*member,
                       const void* first) {
  if (first == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (library == nullptr) return kLiteRtStatusErrorRuntimeFailure;
  return table != nullptr && table->*member != nullptr ? kLiteRtStatusOk
                                                       : kLiteRtStatusErrorUnsupported;
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtDispatchInitialize(LiteRtEnvironment environment, LiteRtOptions) {
  static std::mutex mutex;
  if (environment == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const std::lock_guard lock(mutex);
  if (opened != nullptr) return kLiteRtStatusOk;
  auto library = OpenFrom(environment);
  if (!library) return library.Error().Status();
  opened = library->get();  // DispatchLibrary::Load keeps it for the life of the process
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtDispatchGetApiVersion(LiteRtApiVersion* api_version) {
  if (api_version == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const DispatchLibrary* const library = opened;
  if (library == nullptr) return kLiteRtStatusErrorRuntimeFailure;
  *api_version = library->tables().version;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtDispatchCheckRuntimeCompatibility(LiteRtApiVersion api_version,
                                                     LiteRtEnvironmentOptions env,
                                                     LiteRtOptions options) {
  const DispatchLibrary* const library = opened;
  if (env == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (library == nullptr) return kLiteRtStatusErrorRuntimeFailure;
  return library->functions().check_runtime_compatibility(api_version, env, options);
}

LiteRtStatus LiteRtDispatchGetHooks(LiteRtDispatchDeviceContext device_context, LiteRtHook* hook,
                                    void** user_data) {
  if (device_context == nullptr || hook == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const DispatchLibrary* const library = opened;
  if (library == nullptr) return kLiteRtStatusErrorRuntimeFailure;
  void* ignored = nullptr;
  void** const data = user_data != nullptr ? user_data : &ignored;
  *hook = nullptr;
  *data = nullptr;
  const auto get_hooks = library->tables().extras.get_hooks;
  return get_hooks != nullptr ? get_hooks(device_context, hook, data) : kLiteRtStatusOk;
}

#define DISPATCH_FUNCTION(table, member, function, parameters, first, arguments)                  \
  LiteRtStatus function parameters {                                                              \
    const DispatchLibrary* const library = opened;                                                \
    const auto* functions = library != nullptr ? table(*library) : nullptr;                       \
    const LiteRtStatus status =                                                                   \
        CheckCall(library, functions, &std::remove_cvref_t<decltype(*functions)>::member, first); \
    return status == kLiteRtStatusOk ? functions->member arguments : status;                      \
  }
#include "sdk/host/c_api/dispatch/dispatch_functions.def"

}  // extern "C"
