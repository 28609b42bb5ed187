// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch that need no model.

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
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
  if (bench.under_test().dispatch_path.empty()) {
    return litert::Unexpected(
        kLiteRtStatusErrorNotFound,
        bench.under_test().plugin_dir + ": no dispatch library (libLiteRtDispatch*.so)");
  }
  SetStage("dlopen of the dispatch library");
  // Stays open: functions of it are called to the end of the check.
  static std::optional<PluginLibrary> opened;
  LITERT_ASSIGN_OR_RETURN(
      opened, PluginLibrary::Open(bench.under_test().dispatch_path, kNpukitStaticPluginDispatch));
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

// The name that a getter gives, by two calls.
template <typename Getter>
litert::Expected<std::vector<std::string>> AskNames(const char* what, Getter getter) {
  using Names = std::vector<std::string>;
  return Witness::Get().Observe<Names>(what, [&]() -> litert::Expected<Names> {
    Names names;
    for (int call = 0; call < 2; ++call) {
      const char* name = nullptr;
      const LiteRtStatus status = VendorCall(what, getter, &name);
      if (status != kLiteRtStatusOk) return CallFailed(what, status);
      names.emplace_back(name == nullptr ? "" : name);
    }
    return names;
  });
}

// "" if the two calls of a getter give the same non-empty name.
template <typename Getter>
std::string NameProblem(const char* what, Getter getter) {
  const auto names = AskNames(what, getter);
  if (!names) return names.Error().Message();
  if (names->size() != 2 || names->front().empty()) return std::string(what) + " gave no name";
  if (names->front() != names->back()) return std::string(what) + " changes from call to call";
  if (VendorCall(std::string(what) + "(null)", getter, nullptr) == kLiteRtStatusOk) {
    return std::string(what) + " took a null pointer";
  }
  return {};
}

// What LiteRtDispatchGetApi gives.
struct ObservedApi {
  std::vector<uint64_t> version;  // major, minor, patch
  std::vector<std::string> missing;
  uint64_t capabilities = 0;
  bool is_exported = false;  // LiteRtDispatchGetApi; else queried alone
  static auto Fields(auto& self) {
    return std::tie(self.version, self.missing, self.capabilities, self.is_exported);
  }
  bool IsSound() const { return version.size() == 3; }
};

litert::Expected<ObservedApi> AskApi(Workbench& bench, DispatchTables& tables, GetApi& get_api) {
  LITERT_ASSIGN_OR_RETURN(tables, ReadApi(bench));
  LITERT_ASSIGN_OR_RETURN(const PluginLibrary library, OpenLibrary(bench));
  get_api = reinterpret_cast<GetApi>(library.Find("LiteRtDispatchGetApi"));
  ObservedApi observed;
  for (const int part : {tables.version.major, tables.version.minor, tables.version.patch})
    observed.version.push_back(static_cast<uint64_t>(part));
  for (const Entry& entry : MandatoryEntries(tables.basic)) {
    if (!entry.present) observed.missing.emplace_back(entry.name);
  }
  observed.is_exported = get_api != nullptr;
  if (!observed.missing.empty()) return observed;
  int capabilities = 0;
  const LiteRtStatus status =
      VendorCall("get_capabilities", tables.basic.get_capabilities, &capabilities);
  if (status != kLiteRtStatusOk) return CallFailed("get_capabilities", status);
  observed.capabilities = static_cast<uint64_t>(capabilities);
  return observed;
}

template <class Table>
bool HasAll(const Table* table) {
  if (table == nullptr) return false;
  // LiteRtDispatchAsyncInterface and -GraphInterface hold pointers to functions and nothing else.
  const auto* functions = reinterpret_cast<void* const*>(table);
  const size_t count = sizeof(*table) / sizeof(void*);
  return std::find(functions, functions + count, nullptr) == functions + count;
}

}  // namespace

CheckAnswer api(Workbench& bench) {
  DispatchTables tables = {};
  GetApi get_api = nullptr;
  LITERT_ASSIGN_OR_RETURN(const ObservedApi observed,
                          Witness::Get().Observe<ObservedApi>(
                              "interface", [&] { return AskApi(bench, tables, get_api); }));
  const std::vector<uint64_t> expected = {static_cast<uint64_t>(kHostVersion.major),
                                          static_cast<uint64_t>(kHostVersion.minor),
                                          static_cast<uint64_t>(kHostVersion.patch)};
  NPUKIT_CHECK_THAT(observed.version == expected, fmt::format("the version is {}, expected 0.1.0",
                                                              fmt::join(observed.version, ".")));
  NPUKIT_CHECK_THAT(observed.missing.empty(),
                    fmt::format("the interface lacks {}", fmt::join(observed.missing, ", ")));
  NPUKIT_CHECK_THAT((observed.capabilities & kLiteRtDispatchCapabilitiesBasic) != 0,
                    "the basic capability is missing");
  NPUKIT_CHECK_THAT(VendorCall("get_capabilities(null)", tables.basic.get_capabilities, nullptr) !=
                        kLiteRtStatusOk,
                    "get_capabilities took a null pointer");
  const std::string vendor = NameProblem("get_vendor_id", tables.basic.get_vendor_id);
  NPUKIT_CHECK_THAT(vendor.empty(), vendor);
  const std::string build = NameProblem("get_build_id", tables.basic.get_build_id);
  NPUKIT_CHECK_THAT(build.empty(), build);
  if (!observed.is_exported) return CheckReport::Pass();  // queried alone: abi.queried asks
  const LiteRtStatus on_null = VendorCall("LiteRtDispatchGetApi(null)", get_api, nullptr);
  NPUKIT_CHECK_THAT(on_null != kLiteRtStatusOk, "LiteRtDispatchGetApi took a null pointer");
  return CheckReport::Pass();
}

namespace {

bool HasEdges(const DispatchExtras& extras) {
  return extras.attach_edge_buffer != nullptr && extras.detach_edge_buffer != nullptr;
}

bool HasScratchpads(const DispatchExtras& extras) {
  return extras.get_scratchpad_requirements != nullptr &&
         extras.attach_scratchpad_buffer != nullptr;
}

}  // namespace

CheckAnswer capabilities(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::shared_ptr<const DispatchLibrary> library, bench.dispatch());
  using Numbers = std::vector<uint64_t>;
  LITERT_ASSIGN_OR_RETURN(
      const Numbers observed,
      Witness::Get().Observe<Numbers>("capabilities", [&]() -> litert::Expected<Numbers> {
        return Numbers{static_cast<uint64_t>(library->capabilities()),
                       HasAll(library->tables().async) ? 1U : 0U,
                       HasAll(library->tables().graph) ? 1U : 0U,
                       HasEdges(library->tables().extras) ? 1U : 0U,
                       HasScratchpads(library->tables().extras) ? 1U : 0U};
      }));
  NPUKIT_CHECK_THAT(observed.size() == 5, "no capabilities are told");
  NPUKIT_CHECK_THAT((observed[0] & kLiteRtDispatchCapabilitiesAsync) == 0 || observed[1] != 0,
                    "reports the asynchronous capability, without all functions of its table");
  NPUKIT_CHECK_THAT((observed[0] & kLiteRtDispatchCapabilitiesGraph) == 0 || observed[2] != 0,
                    "reports the graph capability, without all functions of its table");
  // Bits without a name in the headers before those of September 2026.
  constexpr uint64_t kEdgeBuffers = 8;
  constexpr uint64_t kScratchpads = 16;
  NPUKIT_CHECK_THAT((observed[0] & kEdgeBuffers) == 0 || observed[3] != 0,
                    "reports buffers for edges, without both functions for them");
  NPUKIT_CHECK_THAT((observed[0] & kScratchpads) == 0 || observed[4] != 0,
                    "reports scratchpads, without both functions for them");
  NPUKIT_CHECK_THAT((observed[0] & (kEdgeBuffers | kScratchpads)) == 0 ||
                        (observed[0] & kLiteRtDispatchCapabilitiesGraph) != 0,
                    "reports buffers for edges or scratchpads, which are of graphs, without the "
                    "graph capability");
  return CheckReport::Pass();
}

CheckAnswer initialize(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::shared_ptr<const DispatchLibrary> library, bench.dispatch());
  const LiteRtDispatchInterface& table = FunctionsOf(library.get());
  const LiteRtStatus again = VendorCall("initialize", table.initialize,
                                        library == nullptr ? nullptr : library->environment(),
                                        library == nullptr ? nullptr : library->options());
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
  const LiteRtDispatchInterface& table = FunctionsOf(library.get());
  LITERT_ASSIGN_OR_RETURN(
      const std::string leak, FindLeak(kCycles, [&]() -> litert::Expected<void> {
        LITERT_ASSIGN_OR_RETURN(const auto device, VendorDevice::Create(library));
        return device->Close();
      }));
  NPUKIT_CHECK_THAT(leak.empty(), leak);
  const LiteRtStatus no_result =
      VendorCall("device_context_create(null)", table.device_context_create,
                 library == nullptr ? nullptr : library->options(), nullptr);
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
