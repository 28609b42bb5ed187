// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The entries of AcmeCorp's libraries as LiteRT's hosts of 2.1.5 to September 2026 meet them: LiteRT's
// own cases of compatibility, seen from the plugin's side. The hosts are made up here: tables of
// functions of which none does anything.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "litert/vendors/c/litert_dispatch_api.h"

namespace {

constexpr LiteRtApiVersion kVersion10 = {1, 0, 0};

template <typename Function>
Function Find(const char* folder, const char* library, const char* symbol) {
  const std::string path =
      std::string(NPUKIT_BUILD_DIR) + "/" + folder + "/libLiteRt" + library + "_AcmeCorp.so";
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  return handle == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle, symbol));
}

// A host's table: a header, or none, and functions that do nothing.
class HostTable {
 public:
  explicit HostTable(LiteRtAbiHeader header) : HostTable() {
    std::memcpy(words_.data(), &header, sizeof(header));
  }
  HostTable() { words_.fill(reinterpret_cast<void*>(&Nothing)); }
  const void* get() const { return words_.data(); }

 private:
  static LiteRtStatus Nothing() { return kLiteRtStatusErrorUnsupported; }
  std::array<void*, 160> words_;
};

struct HostCase {
  const char* what;
  HostTable table;
  LiteRtStatus expected;
};

const LiteRtCompilerPluginInterface_V1* QueryPlugin(LiteRtCompilerPluginInterfaceId id,
                                                    LiteRtApiVersion version,
                                                    LiteRtStatus expected) {
  const auto query = Find<decltype(&LiteRtCompilerPluginQueryInterface)>(
      "lib-abi2.3", "CompilerPlugin", "LiteRtCompilerPluginQueryInterface");
  EXPECT_NE(query, nullptr);
  if (query == nullptr) return nullptr;
  EXPECT_EQ(query(id, version, nullptr), kLiteRtStatusErrorInvalidArgument);
  LiteRtInterface table = &expected;
  EXPECT_EQ(query(id, version, &table), expected);
  return static_cast<const LiteRtCompilerPluginInterface_V1*>(table);
}

const LiteRtDispatchInterface_V1* QueryDispatch(LiteRtDispatchInterfaceId id,
                                                LiteRtApiVersion version, LiteRtStatus expected) {
  const auto query = Find<decltype(&LiteRtDispatchQueryInterface)>("lib-abi2.3", "Dispatch",
                                                                   "LiteRtDispatchQueryInterface");
  EXPECT_NE(query, nullptr);
  if (query == nullptr) return nullptr;
  EXPECT_EQ(query(id, version, nullptr), kLiteRtStatusErrorInvalidArgument);
  LiteRtInterface table = &expected;
  EXPECT_EQ(query(id, version, &table), expected);
  return static_cast<const LiteRtDispatchInterface_V1*>(table);
}

TEST(AcmeEntries, ThePluginGivesItsTableForItsMajorVersionAlone) {
  const auto basic = kLiteRtCompilerPluginInterfaceBasic;
  const auto* const table = QueryPlugin(basic, kVersion10, kLiteRtStatusOk);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->abi_header.struct_size, sizeof(*table));
  EXPECT_EQ(table->abi_header.major_version, 1);
  EXPECT_EQ(QueryPlugin(basic, {1, 9, 9}, kLiteRtStatusOk), table);
  EXPECT_EQ(QueryPlugin(basic, {2, 0, 0}, kLiteRtStatusErrorUnsupported), nullptr);
  EXPECT_EQ(QueryPlugin(basic, {0, 1, 0}, kLiteRtStatusErrorUnsupported), nullptr);
  EXPECT_EQ(QueryPlugin(static_cast<LiteRtCompilerPluginInterfaceId>(1), kVersion10,
                        kLiteRtStatusErrorUnsupported),
            nullptr);
}

TEST(AcmeEntries, ThePluginTakesTheTablesOfAllHosts) {
  const auto* const table =
      QueryPlugin(kLiteRtCompilerPluginInterfaceBasic, kVersion10, kLiteRtStatusOk);
  ASSERT_NE(table, nullptr);
  const auto exported = Find<LiteRtCreateCompilerPluginT>("lib-abi2.3", "CompilerPlugin",
                                                          "LiteRtCreateCompilerPlugin");
  ASSERT_NE(exported, nullptr);
  const HostCase cases[] = {
      {"2.1.6, without a header", HostTable(), kLiteRtStatusOk},
      {"2.2.0", HostTable({1048, 1, 0, 0}), kLiteRtStatusOk},
      {"main of August", HostTable({1104, 1, 1, 0}), kLiteRtStatusOk},
      {"a later one", HostTable({1200, 1, 7, 0}), kLiteRtStatusOk},
      {"an incomplete one", HostTable({800, 1, 0, 0}), kLiteRtStatusErrorWrongVersion},
      {"another major version", HostTable({1104, 2, 0, 0}), kLiteRtStatusErrorWrongVersion},
  };
  for (const HostCase& c : cases) {
    for (LiteRtCreateCompilerPluginT create : {table->create_compiler_plugin, exported}) {
      LiteRtCompilerPlugin plugin = nullptr;
      const auto* const host = static_cast<const LiteRtCompilerContext*>(c.table.get());
      EXPECT_EQ(create(host, &plugin, nullptr, nullptr), c.expected) << c.what;
      if (plugin != nullptr) table->destroy_compiler_plugin(plugin);
    }
  }
  EXPECT_EQ(exported(nullptr, nullptr, nullptr, nullptr), kLiteRtStatusErrorInvalidArgument);
}

TEST(AcmeEntries, DispatchGivesWhatItHasForItsMajorVersionAlone) {
  const auto* const basic =
      QueryDispatch(kLiteRtDispatchInterfaceBasic, kVersion10, kLiteRtStatusOk);
  ASSERT_NE(basic, nullptr);
  EXPECT_EQ(basic->abi_header.struct_size, sizeof(*basic));
  EXPECT_NE(basic->get_hooks, nullptr);
  EXPECT_NE(basic->attach_edge_buffer, nullptr);
  EXPECT_NE(basic->detach_edge_buffer, nullptr);
  int capabilities = 0;
  EXPECT_EQ(basic->get_capabilities(&capabilities), kLiteRtStatusOk);
  EXPECT_NE(capabilities & kLiteRtDispatchCapabilitiesEdgeBufferBinding, 0);
  // What is not there can't be called by mistake.
  EXPECT_EQ(basic->invocation_context_set_options, nullptr);
  EXPECT_EQ(basic->invocation_context_set_scheduling_info, nullptr);
  const auto* const async =
      QueryDispatch(kLiteRtDispatchInterfaceAsync, kVersion10, kLiteRtStatusOk);
  ASSERT_NE(async, nullptr);
  EXPECT_EQ(async->abi_header.struct_size, sizeof(LiteRtDispatchAsyncInterface_V1));
  const auto* const graphs =
      static_cast<const LiteRtDispatchGraphInterface_V1*>(static_cast<const void*>(
          QueryDispatch(kLiteRtDispatchInterfaceGraph, kVersion10, kLiteRtStatusOk)));
  ASSERT_NE(graphs, nullptr);
  EXPECT_EQ(graphs->abi_header.struct_size, sizeof(*graphs));
  EXPECT_NE(capabilities & kLiteRtDispatchCapabilitiesScratchpad, 0);
  EXPECT_NE(graphs->get_scratchpad_requirements, nullptr);
  EXPECT_NE(graphs->attach_scratchpad_buffer, nullptr);
  const auto* const memory = static_cast<const LiteRtCustomTensorBufferHandlersDef*>(
      static_cast<const void*>(QueryDispatch(kLiteRtDispatchInterfaceCustomTensorBufferHandlers,
                                             kVersion10, kLiteRtStatusOk)));
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(memory->abi_header.struct_size, sizeof(*memory));
  EXPECT_EQ(memory->num_supported_buffer_types, 1u);
  EXPECT_EQ(QueryDispatch(kLiteRtDispatchInterfaceBasic, {2, 0, 0}, kLiteRtStatusErrorUnsupported),
            nullptr);
}

// As a host to come: for C a type that the enumeration does not have is an integer.
__attribute__((no_sanitize("enum"))) void CallHook(LiteRtHook hook, int type, void* user_data) {
  hook(static_cast<LiteRtHookType>(type), nullptr, 0, user_data);
}

// A profiler costs LiteRT something: a hook is given only where a trace is asked for.
TEST(AcmeEntries, HooksAreGivenWhereATraceIsAskedFor) {
  const auto* const basic =
      QueryDispatch(kLiteRtDispatchInterfaceBasic, kVersion10, kLiteRtStatusOk);
  ASSERT_NE(basic, nullptr);
  const HostTable host({408, 1, 1, 0});
  const auto* const context = static_cast<const LiteRtRuntimeContext*>(host.get());
  ASSERT_EQ(basic->initialize(context, nullptr, nullptr), kLiteRtStatusOk);
  const std::string trace = ::testing::TempDir() + "acme_hooks.json";
  for (const bool is_asked_for : {false, true}) {
    if (is_asked_for)
      setenv("LITERT_VENDOR_HOOK_ARGS", ("trace_path = \"" + trace + "\"").c_str(), 1);
    LiteRtDispatchDeviceContext device = nullptr;
    ASSERT_EQ(basic->device_context_create(context, nullptr, &device), kLiteRtStatusOk);
    LiteRtHook hook = nullptr;
    void* user_data = &hook;
    EXPECT_EQ(basic->get_hooks(device, &hook, nullptr), kLiteRtStatusErrorInvalidArgument);
    EXPECT_EQ(basic->get_hooks(nullptr, &hook, &user_data), kLiteRtStatusErrorInvalidArgument);
    ASSERT_EQ(basic->get_hooks(device, &hook, &user_data), kLiteRtStatusOk);
    EXPECT_EQ(hook != nullptr, is_asked_for);
    if (hook != nullptr) {
      for (const int type : {int{kLiteRtHookTypeCompilerStart}, int{kLiteRtHookTypeCompilerStop},
                             int{kLiteRtHookTypeRuntimeStart}, int{kLiteRtHookTypeRuntimeStop}, 77,
                             int{kLiteRtHookTypeStopAndProcess}}) {
        CallHook(hook, type, user_data);
      }
    }
    EXPECT_EQ(basic->device_context_destroy(device), kLiteRtStatusOk);
    if (hook != nullptr) hook(kLiteRtHookTypeStopAndProcess, nullptr, 0, user_data);  // too late
  }
  unsetenv("LITERT_VENDOR_HOOK_ARGS");
  std::ifstream written(trace);
  const std::string text{std::istreambuf_iterator<char>(written), {}};
  for (const char* slice : {"traceEvents", "load model", "run"})
    EXPECT_NE(text.find(slice), std::string::npos) << text;
}

// A host that queries does so once for each of its environments.
TEST(AcmeEntries, DispatchIsInitialisedForEachEnvironment) {
  const auto* const basic =
      QueryDispatch(kLiteRtDispatchInterfaceBasic, kVersion10, kLiteRtStatusOk);
  ASSERT_NE(basic, nullptr);
  const HostCase cases[] = {
      {"2.1.5, without a header", HostTable(), kLiteRtStatusOk},
      {"main of July", HostTable({400, 1, 0, 0}), kLiteRtStatusOk},
      {"main of August", HostTable({408, 1, 1, 0}), kLiteRtStatusOk},
      {"an incomplete one", HostTable({200, 1, 0, 0}), kLiteRtStatusErrorWrongVersion},
      {"another major version", HostTable({408, 9, 0, 0}), kLiteRtStatusErrorWrongVersion},
  };
  int environments[2] = {};
  for (const HostCase& c : cases) {
    for (int& environment : environments) {
      EXPECT_EQ(basic->initialize(static_cast<const LiteRtRuntimeContext*>(c.table.get()),
                                  reinterpret_cast<LiteRtEnvironment>(&environment), nullptr),
                c.expected)
          << c.what;
    }
  }
  EXPECT_EQ(basic->initialize(nullptr, nullptr, nullptr), kLiteRtStatusErrorInvalidArgument);
}

// As a host holds it, with what lies behind.
struct ApiWithGuard {
  std::array<uintptr_t, 7> words = {};  // 48 bytes before 2.2.0, 56 since
  uintptr_t guard = 0x1234;
};

TEST(AcmeEntries, DispatchWritesTheApiThatItsHostHas) {
  const auto get_api =
      Find<decltype(&LiteRtDispatchGetApi)>("lib-abi2.3", "Dispatch", "LiteRtDispatchGetApi");
  ASSERT_NE(get_api, nullptr);
  ApiWithGuard without_header;
  without_header.words[6] = 0x5678;  // another variable of a host of 2.1.5
  ASSERT_EQ(get_api(reinterpret_cast<LiteRtDispatchApi*>(&without_header)), kLiteRtStatusOk);
  LiteRtApiVersion version = {};
  std::memcpy(&version, &without_header.words[0], sizeof(version));
  EXPECT_EQ(version.minor, 1);
  EXPECT_NE(without_header.words[2], 0u) << "the interface";
  EXPECT_EQ(without_header.words[6], 0x5678u);

  ApiWithGuard with_header;
  const LiteRtAbiHeader header = {sizeof(LiteRtDispatchApi), 1, 0, 0};
  std::memcpy(&with_header.words[0], &header, sizeof(header));
  ASSERT_EQ(get_api(reinterpret_cast<LiteRtDispatchApi*>(&with_header)), kLiteRtStatusOk);
  std::memcpy(&version, &with_header.words[1], sizeof(version));
  EXPECT_EQ(version.minor, 1);
  EXPECT_EQ(with_header.words[3], without_header.words[2]) << "the interface";
  EXPECT_EQ(with_header.guard, 0x1234u);
}

// The library for 2.2.0 alone does not ask what its host has.
TEST(AcmeEntries, TheLibraryOfAbi22HasTheHeaderAlways) {
  const auto get_api =
      Find<decltype(&LiteRtDispatchGetApi)>("lib-abi2.2", "Dispatch", "LiteRtDispatchGetApi");
  ASSERT_NE(get_api, nullptr);
  LiteRtDispatchApi api = {};
  ASSERT_EQ(get_api(&api), kLiteRtStatusOk);
  EXPECT_EQ(api.abi_header.struct_size, sizeof(api));
  EXPECT_EQ(api.version.minor, 1);
  EXPECT_NE(api.interface, nullptr);
  EXPECT_EQ((Find<void*>("lib-abi2.2", "Dispatch", "LiteRtDispatchQueryInterface")), nullptr);
}

}  // namespace
