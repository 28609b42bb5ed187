// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch that need no model.

#include <fmt/format.h>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "conformance/oracle/tensor_data.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/vendor/bytecode.h"
#include "conformance/runner/vendor/resources.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "conformance/runner/vendor/vendor_device.h"
#include "conformance/runner/vendor/vendor_invocation.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr int kCycles = 32;
constexpr LiteRtApiVersion kHostVersion = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR,
                                           LITERT_API_VERSION_PATCH};

using GetApi = LiteRtStatus (*)(LiteRtDispatchApi*);

litert::Expected<PluginLibrary> OpenLibrary(Workbench& bench) {
  if (bench.subject().dispatch_path.empty()) {
    return litert::Unexpected(
        kLiteRtStatusErrorNotFound,
        bench.subject().plugin_dir + ": no dispatch library (libLiteRtDispatch*.so)");
  }
  SetStage("dlopen of the dispatch library");
  // Stays open: functions of it are called to the end of the check.
  static std::optional<PluginLibrary> opened;
  LITERT_ASSIGN_OR_RETURN(
      opened, PluginLibrary::Open(bench.subject().dispatch_path, kNpukitStaticPluginDispatch));
  return *opened;
}

// Whatever release of LiteRT the library is built for, the tables are those of abi 2.1.
litert::Expected<DispatchTables> ReadApi(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const PluginLibrary library, OpenLibrary(bench));
  return ReadDispatchTables(library);
}

struct Entry {
  const char* name;
  bool present;
};

// The entries that a host may call without asking.
std::vector<Entry> MandatoryEntries(const LiteRtDispatchInterface& table) {
#define NPUKIT_ENTRY(name) \
  { #name, table.name != nullptr }
  return {NPUKIT_ENTRY(initialize),
          NPUKIT_ENTRY(get_vendor_id),
          NPUKIT_ENTRY(get_build_id),
          NPUKIT_ENTRY(get_capabilities),
          NPUKIT_ENTRY(device_context_create),
          NPUKIT_ENTRY(device_context_destroy),
          NPUKIT_ENTRY(get_input_requirements),
          NPUKIT_ENTRY(get_output_requirements),
          NPUKIT_ENTRY(register_tensor_buffer),
          NPUKIT_ENTRY(unregister_tensor_buffer),
          NPUKIT_ENTRY(invocation_context_create),
          NPUKIT_ENTRY(invocation_context_destroy),
          NPUKIT_ENTRY(attach_input),
          NPUKIT_ENTRY(attach_output),
          NPUKIT_ENTRY(detach_input),
          NPUKIT_ENTRY(detach_output),
          NPUKIT_ENTRY(invoke),
          NPUKIT_ENTRY(check_runtime_compatibility)};
#undef NPUKIT_ENTRY
}

// "" if the two calls of a getter give the same non-empty name.
template <typename Getter>
std::string NameProblem(const char* what, Getter getter) {
  const char* first = nullptr;
  const char* second = nullptr;
  const LiteRtStatus status = VendorCall(what, getter, &first);
  if (status != kLiteRtStatusOk) return std::string(what) + " gave " + StatusText(status);
  if (first == nullptr || *first == '\0') return std::string(what) + " gave no name";
  if (VendorCall(what, getter, &second) != kLiteRtStatusOk || second == nullptr ||
      std::strcmp(first, second) != 0) {
    return std::string(what) + " changes from call to call";
  }
  if (VendorCall(std::string(what) + "(null)", getter, nullptr) == kLiteRtStatusOk) {
    return std::string(what) + " took a null pointer";
  }
  return {};
}

}  // namespace

CheckAnswer api(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const DispatchTables api, ReadApi(bench));
  LITERT_ASSIGN_OR_RETURN(const PluginLibrary library, OpenLibrary(bench));
  const auto get_api = reinterpret_cast<GetApi>(library.Find("LiteRtDispatchGetApi"));
  NPUKIT_CHECK_THAT(api.version.major == kHostVersion.major &&
                        api.version.minor == kHostVersion.minor &&
                        api.version.patch == kHostVersion.patch,
                    fmt::format("the version is {}.{}.{}, expected 0.1.0", api.version.major,
                                api.version.minor, api.version.patch));
  for (const Entry& entry : MandatoryEntries(api.basic)) {
    NPUKIT_CHECK_THAT(entry.present, std::string("the interface lacks ") + entry.name);
  }
  int capabilities = 0;
  const LiteRtStatus status =
      VendorCall("get_capabilities", api.basic.get_capabilities, &capabilities);
  NPUKIT_CHECK_THAT(status == kLiteRtStatusOk, "get_capabilities gave " + StatusText(status));
  NPUKIT_CHECK_THAT((capabilities & kLiteRtDispatchCapabilitiesBasic) != 0,
                    "the basic capability is missing");
  NPUKIT_CHECK_THAT(
      VendorCall("get_capabilities(null)", api.basic.get_capabilities, nullptr) != kLiteRtStatusOk,
      "get_capabilities took a null pointer");
  const std::string vendor = NameProblem("get_vendor_id", api.basic.get_vendor_id);
  NPUKIT_CHECK_THAT(vendor.empty(), vendor);
  const std::string build = NameProblem("get_build_id", api.basic.get_build_id);
  NPUKIT_CHECK_THAT(build.empty(), build);
  if (get_api == nullptr) return CheckReport::Pass();  // queried alone: abi.queried asks
  const LiteRtStatus on_null = VendorCall("LiteRtDispatchGetApi(null)", get_api, nullptr);
  NPUKIT_CHECK_THAT(on_null != kLiteRtStatusOk, "LiteRtDispatchGetApi took a null pointer");
  return CheckReport::Pass();
}

CheckAnswer capabilities(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::shared_ptr<const DispatchLibrary> library, bench.dispatch());
  const DispatchTables& tables = library->tables();
  const auto has_all = [](const auto* table) {
    if (table == nullptr) return false;
    const auto* functions = reinterpret_cast<void* const*>(table);
    const size_t count = sizeof(*table) / sizeof(void*);
    return std::find(functions, functions + count, nullptr) == functions + count;
  };
  const int reported = library->capabilities();
  NPUKIT_CHECK_THAT((reported & kLiteRtDispatchCapabilitiesAsync) == 0 || has_all(tables.async),
                    "reports the asynchronous capability, without all functions of its table");
  NPUKIT_CHECK_THAT((reported & kLiteRtDispatchCapabilitiesGraph) == 0 || has_all(tables.graph),
                    "reports the graph capability, without all functions of its table");
  return CheckReport::Pass();
}

CheckAnswer initialize(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::shared_ptr<const DispatchLibrary> library, bench.dispatch());
  const LiteRtDispatchInterface& table = library->functions();
  const LiteRtStatus again =
      VendorCall("initialize", table.initialize, library->environment(), library->options());
  NPUKIT_CHECK_THAT(again == kLiteRtStatusOk, "a second initialize gave " + StatusText(again));
  const auto compatible = [&](const LiteRtApiVersion& version) {
    return VendorCall("check_runtime_compatibility", table.check_runtime_compatibility, version,
                      LiteRtEnvironmentOptions{}, LiteRtOptions{});
  };
  const LiteRtStatus own = compatible(kHostVersion);
  NPUKIT_CHECK_THAT(own == kLiteRtStatusOk, "version 0.1.0 gave " + StatusText(own));
  NPUKIT_CHECK_THAT(compatible({kHostVersion.major + 98, 0, 0}) != kLiteRtStatusOk,
                    "version 98.0.0 is compatible");
  return CheckReport::Pass();
}

CheckAnswer device_context(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::shared_ptr<const DispatchLibrary> library, bench.dispatch());
  const LiteRtDispatchInterface& table = library->functions();
  LITERT_ASSIGN_OR_RETURN(
      const std::string leak, FindLeak(kCycles, [&]() -> litert::Expected<void> {
        LITERT_ASSIGN_OR_RETURN(const auto device, VendorDevice::Create(library));
        return device->Close();
      }));
  NPUKIT_CHECK_THAT(leak.empty(), leak);
  const LiteRtStatus no_result = VendorCall(
      "device_context_create(null)", table.device_context_create, library->options(), nullptr);
  NPUKIT_CHECK_THAT(no_result != kLiteRtStatusOk, "device_context_create took a null pointer");
  const LiteRtStatus no_device = VendorCall(
      "device_context_destroy(null)", table.device_context_destroy, LiteRtDispatchDeviceContext{});
  NPUKIT_CHECK_THAT(no_device != kLiteRtStatusOk, "device_context_destroy took a null device");
  return CheckReport::Pass();
}

CheckAnswer no_bytecode(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::shared_ptr<const DispatchLibrary> library, bench.dispatch());
  LITERT_ASSIGN_OR_RETURN(const auto device, VendorDevice::Create(library));
  struct Sample {
    const char* what;
    std::vector<uint8_t> bytes;
  };
  std::vector<Sample> samples = {
      {"no bytes", {}},
      {"one byte", {0}},
      {"256 zeros", std::vector<uint8_t>(256)},
      {"256 bytes 0xff", std::vector<uint8_t>(256, 0xff)},
      {"an ELF header", {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {"a .tflite's first bytes", {28, 0, 0, 0, 'T', 'F', 'L', '3', 20, 0, 32, 0, 28, 0, 24, 0}}};
  LITERT_ASSIGN_OR_RETURN(
      std::vector<uint8_t> noise,
      MakeTensorData(kLiteRtElementTypeUInt8, std::vector<int32_t>{4096}, {}, {}, 1));
  samples.push_back({"4096 random bytes", std::move(noise)});
  for (const Sample& sample : samples) {
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(sample.bytes));
    NPUKIT_CHECK_THAT(
        !VendorInvocation::Create(*device, bytecode.buffer(), "main", 1, 1).HasValue(),
        std::string(sample.what) + " was taken for bytecode");
  }
  LiteRtMemBuffer nothing = {};
  nothing.fd = -1;
  nothing.size = 64;
  NPUKIT_CHECK_THAT(!VendorInvocation::Create(*device, nothing, "main", 1, 1).HasValue(),
                    "64 bytes at a null pointer were taken for bytecode");
  LiteRtDispatchInvocationContext context = nullptr;
  const LiteRtStatus status = VendorCall(
      "invocation_context_create(null)", device->functions().invocation_context_create,
      device->context(), kLiteRtDispatchExecutableTypeMlModel, nullptr, "main", 1, 1, &context);
  NPUKIT_CHECK_THAT(status != kLiteRtStatusOk, "a null bytecode buffer was taken");
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::dispatch
