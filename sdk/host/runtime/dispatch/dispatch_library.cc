// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_library.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "litert/c/litert_environment.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_options.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/buffer_handlers.h"
#include "sdk/host/runtime/dispatch/client/loaded_function.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"

namespace npukit {
namespace {

// What makes two paths one library is the file.
litert::Expected<std::string> KeyOfFile(const std::string& path) {
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::canonical(path, error);
  if (!error) return canonical.string();
  return litert::Unexpected(kLiteRtStatusErrorDynamicLoading, path + ": " + error.message());
}

// A name may be registered anew with other functions.
std::string KeyOfLinked(const PluginLibrary& library) {
  const auto address = reinterpret_cast<uintptr_t>(library.Find(EntryFunction(library)));
  return fmt::format("{}@{}", library.path(), address);
}

}  // namespace

litert::Expected<std::shared_ptr<const DispatchLibrary>> DispatchLibrary::Load(
    const std::string& path) {
  // Never destroyed: vendors' threads may outlive static objects.
  static auto* const mutex = new std::mutex;
  static auto* const loaded = new std::map<std::string, std::shared_ptr<const DispatchLibrary>>;
  // Held while the library is initialised: another thread that asks for it must neither see it half
  // made nor initialise it again.
  std::lock_guard<std::mutex> lock(*mutex);
  std::optional<PluginLibrary> opened;
  std::string key;
  if (LinkedName(path).empty()) {
    LITERT_ASSIGN_OR_RETURN(key, KeyOfFile(path));
  } else {
    LITERT_ASSIGN_OR_RETURN(opened, PluginLibrary::Open(path, kNpukitStaticPluginDispatch));
    key = KeyOfLinked(*opened);
  }
  if (const auto known = loaded->find(key); known != loaded->end()) return known->second;
  if (!opened) {
    LITERT_ASSIGN_OR_RETURN(opened, PluginLibrary::Open(key, kNpukitStaticPluginDispatch));
  }
  LITERT_ASSIGN_OR_RETURN(auto library, Open(std::move(*opened)));
  loaded->emplace(key, library);
  return library;
}

litert::Expected<std::shared_ptr<const DispatchLibrary>> DispatchLibrary::Open(
    PluginLibrary opened) {
  std::shared_ptr<DispatchLibrary> library(new DispatchLibrary(std::move(opened)));
  LITERT_RETURN_IF_ERROR(library->ReadApi());
  LITERT_RETURN_IF_ERROR(library->CheckFunctions());
  LITERT_RETURN_IF_ERROR(library->Initialize());
  return std::shared_ptr<const DispatchLibrary>(std::move(library));
}

DispatchLibrary::~DispatchLibrary() {
  // Only a library that was refused comes here; see Load.
  if (options_ != nullptr) LiteRtDestroyOptions(options_);
  if (environment_ != nullptr) LiteRtDestroyEnvironment(environment_);
}

litert::Expected<void> DispatchLibrary::ReadApi() {
  LITERT_ASSIGN_OR_RETURN(const DispatchTables tables, ReadDispatchTables(library_));
  const LiteRtApiVersion& version = tables.version;
  if (version.major != LITERT_API_VERSION_MAJOR || version.minor != LITERT_API_VERSION_MINOR ||
      version.patch != LITERT_API_VERSION_PATCH) {
    return litert::Unexpected(
        kLiteRtStatusErrorWrongVersion,
        fmt::format("{}: {} says version {}.{}.{}, expected {}.{}.{}", path(),
                    EntryFunction(library_), version.major, version.minor, version.patch,
                    LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH));
  }
  client_ =
      DispatchClient(path(), tables, [this](const char* symbol) { return library_.Find(symbol); });
  return {};
}

litert::Expected<void> DispatchLibrary::CheckFunctions() const {
  // Those that a run cannot do without. Metrics, scheduling and options of a run may be null: their
  // callers ask.
  std::string missing;
  auto require = [&](const void* function, const char* name) {
    if (function == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
#define NPUKIT_REQUIRE(name) require(reinterpret_cast<const void*>(functions().name), #name)
  NPUKIT_REQUIRE(initialize);
  NPUKIT_REQUIRE(get_vendor_id);
  NPUKIT_REQUIRE(get_build_id);
  NPUKIT_REQUIRE(get_capabilities);
  NPUKIT_REQUIRE(device_context_create);
  NPUKIT_REQUIRE(device_context_destroy);
  NPUKIT_REQUIRE(get_input_requirements);
  NPUKIT_REQUIRE(get_output_requirements);
  NPUKIT_REQUIRE(register_tensor_buffer);
  NPUKIT_REQUIRE(unregister_tensor_buffer);
  NPUKIT_REQUIRE(invocation_context_create);
  NPUKIT_REQUIRE(invocation_context_destroy);
  NPUKIT_REQUIRE(attach_input);
  NPUKIT_REQUIRE(attach_output);
  NPUKIT_REQUIRE(detach_input);
  NPUKIT_REQUIRE(detach_output);
  NPUKIT_REQUIRE(invoke);
  NPUKIT_REQUIRE(check_runtime_compatibility);
#undef NPUKIT_REQUIRE
  if (!missing.empty())
    return client_.Misbehaved(EntryFunction(library_), "left these functions null: " + missing);
  if (tables().buffer_handlers != nullptr) {
    const std::string wrong = CheckBufferHandlers(*tables().buffer_handlers);
    if (!wrong.empty())
      return client_.Misbehaved("the functions for tensor buffers in its own memory", wrong);
  }
  return {};
}

litert::Expected<void> DispatchLibrary::RegisterBufferHandlers(
    LiteRtEnvironment environment) const {
  if (tables().buffer_handlers == nullptr) return {};
  auto registered = npukit::RegisterBufferHandlers(*tables().buffer_handlers, environment);
  if (registered) return {};
  return litert::Unexpected(registered.Error().Status(),
                            fmt::format("{}: {}", path(), registered.Error().Message()));
}

bool DispatchLibrary::has_async() const {
  const LiteRtDispatchAsyncInterface* api = tables().async;
  return (capabilities_ & kLiteRtDispatchCapabilitiesAsync) != 0 && api != nullptr &&
         api->attach_input_event != nullptr && api->invoke_async != nullptr;
}

bool DispatchLibrary::has_scratchpads() const {
  // A bit of its own, without a name in the headers before those of September 2026.
  constexpr int kScratchpad = 16;
  constexpr int kNeeded = kLiteRtDispatchCapabilitiesGraph | kScratchpad;
  return (capabilities_ & kNeeded) == kNeeded && CanLoadFunctions(tables());
}

litert::Expected<void> DispatchLibrary::Initialize() {
  const std::string directory = std::filesystem::path(path()).parent_path().string();
  LiteRtEnvOption directories[2] = {};
  directories[0].tag = kLiteRtEnvOptionTagDispatchLibraryDir;
  directories[1].tag = kLiteRtEnvOptionTagCompilerPluginLibraryDir;
  for (LiteRtEnvOption& option : directories) {
    option.value.type = kLiteRtAnyTypeString;
    option.value.str_value = directory.c_str();
  }
  // What is linked in lies in no folder.
  LITERT_RETURN_IF_ERROR(
      LiteRtCreateEnvironment(library_.is_linked() ? 0 : 2, directories, &environment_));
  LITERT_RETURN_IF_ERROR(LiteRtCreateOptions(&options_));
  LITERT_RETURN_IF_ERROR(LiteRtSetOptionsHardwareAccelerators(options_, kLiteRtHwAcceleratorNpu));

  LITERT_RETURN_IF_ERROR(RegisterBufferHandlers(environment_));
  const LiteRtDispatchInterface& api = functions();
  if (LiteRtStatus status = api.initialize(environment_, options_); status != kLiteRtStatusOk) {
    return client_.CallError(status, "initialize");
  }
  LiteRtEnvironmentOptions environment_options = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetEnvironmentOptions(environment_, &environment_options));
  const LiteRtApiVersion host = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR,
                                 LITERT_API_VERSION_PATCH};
  if (LiteRtStatus status = api.check_runtime_compatibility(host, environment_options, options_);
      status != kLiteRtStatusOk) {
    return client_.CallError(status, "check_runtime_compatibility(0.1.0)");
  }
  LITERT_ASSIGN_OR_RETURN(vendor_id_, ReadText("get_vendor_id", api.get_vendor_id));
  LITERT_ASSIGN_OR_RETURN(build_id_, ReadText("get_build_id", api.get_build_id));
  if (LiteRtStatus status = api.get_capabilities(&capabilities_); status != kLiteRtStatusOk)
    return client_.CallError(status, "get_capabilities");
  if ((capabilities_ & kLiteRtDispatchCapabilitiesBasic) == 0) {
    return client_.Misbehaved(
        "get_capabilities", fmt::format("gave {}, without the basic interface (1)", capabilities_));
  }
  return {};
}

litert::Expected<std::string> DispatchLibrary::ReadText(const char* function,
                                                        LiteRtStatus (*get)(const char**)) const {
  const char* text = nullptr;
  if (LiteRtStatus status = get(&text); status != kLiteRtStatusOk)
    return client_.CallError(status, function);
  if (text == nullptr) return client_.Misbehaved(function, "gave null");
  return std::string(text);
}

}  // namespace npukit
