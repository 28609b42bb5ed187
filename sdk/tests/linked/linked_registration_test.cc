// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What NpukitRegisterStaticPlugin takes and refuses, and how the host tells of which release of
// LiteRT a table is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "litert/vendors/c/litert_dispatch_api.h"
#include "litert/vendors/c/litert_linked_in.h"
#include "npukit/static_plugin.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/tests/linked/context_tables.h"
#include "sdk/tests/linked/linked_models.h"
#include "sdk/tests/linked/plain_vendor.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void SomeFunction() {}

std::vector<std::string> Names(NpukitStaticPluginKind kind) {
  std::vector<std::string> names;
  char name[16];
  while (NpukitGetStaticPluginName(kind, names.size(), name, sizeof(name)) == kLiteRtStatusOk) {
    names.emplace_back(name);
  }
  return names;
}

TEST(RegisterStaticPlugin, MacrosHaveRegisteredBeforeMain) {
  EXPECT_THAT(Names(kNpukitStaticPluginCompiler), ElementsAre("Contoso", "Fabrikam"));
  EXPECT_THAT(Names(kNpukitStaticPluginDispatch), ElementsAre("Contoso", "Fabrikam"));
}

TEST(RegisterStaticPlugin, RefusesWhatIsWrongAndSaysWhy) {
  const NpukitStaticSymbol good[] = {{"LiteRtDispatchGetApi", SomeFunction}};
  const NpukitStaticSymbol nameless[] = {good[0], {nullptr, SomeFunction}};
  const NpukitStaticSymbol empty_name[] = {{"", SomeFunction}};
  const NpukitStaticSymbol null[] = {good[0], {"LiteRtFoo", nullptr}};
  const NpukitStaticSymbol twice[] = {good[0], good[0]};
  constexpr auto kDispatch = kNpukitStaticPluginDispatch;
  constexpr auto kInvalid = kLiteRtStatusErrorInvalidArgument;
  constexpr size_t kSize = sizeof(NpukitStaticPlugin);
  struct Case {
    NpukitStaticPlugin plugin;
    LiteRtStatus status;
    const char* message;
  };
  const Case cases[] = {
      {{kSize - 1, kDispatch, "Litware", good, 1},
       kLiteRtStatusErrorWrongVersion,
       "struct_size is 39, expected at least 40"},
      {{kSize, 0, "Litware", good, 1}, kInvalid, "linked:Litware: kind 0: expected 1"},
      {{kSize, 3, "Litware", good, 1}, kInvalid, "linked:Litware: kind 3: expected 1"},
      {{kSize, kDispatch, nullptr, good, 1}, kInvalid, "a plugin: has no name"},
      {{kSize, kDispatch, "", good, 1}, kInvalid, "a plugin: has no name"},
      {{kSize, kDispatch, "Lit/ware", good, 1}, kInvalid, "the name has a '/'"},
      {{kSize, kDispatch, "Litware", nullptr, 1}, kInvalid, "symbols is null, num_symbols 1"},
      {{kSize, kDispatch, "Litware", good, 0}, kInvalid, "num_symbols is 0: expected 1 to 256"},
      {{kSize, kDispatch, "Litware", good, 257}, kInvalid, "num_symbols is 257: expected 1"},
      {{kSize, kDispatch, "Litware", nameless, 2}, kInvalid, "symbol 1 has no name"},
      {{kSize, kDispatch, "Litware", empty_name, 1}, kInvalid, "symbol 0 has no name"},
      {{kSize, kDispatch, "Litware", null, 2}, kInvalid, "symbol 1, LiteRtFoo, is null"},
      {{kSize, kDispatch, "Litware", twice, 2},
       kInvalid,
       "symbol 1, LiteRtDispatchGetApi, is there twice"},
      {{kSize, kDispatch, "CONTOSO", good, 1},
       kLiteRtStatusErrorAlreadyExists,
       "linked:CONTOSO: there is a dispatch library of this name already"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(NpukitRegisterStaticPlugin(&c.plugin), c.status);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr(c.message));
  }
  EXPECT_EQ(NpukitRegisterStaticPlugin(nullptr), kInvalid);
  EXPECT_THAT(Names(kDispatch), ElementsAre("Contoso", "Fabrikam"));
}

TEST(RegisterStaticPlugin, KeepsACopyAndForgetsOnRequest) {
  std::string name = "Adatum";
  std::string symbol = "LiteRtDispatchGetApi";
  NpukitStaticSymbol symbols[] = {{symbol.c_str(), SomeFunction}};
  const NpukitStaticPlugin plugin = {sizeof(plugin), kNpukitStaticPluginDispatch, name.c_str(),
                                     symbols, 1};
  ASSERT_EQ(NpukitRegisterStaticPlugin(&plugin), kLiteRtStatusOk);
  name[0] = symbol[0] = 'X';
  symbols[0].function = nullptr;
  EXPECT_THAT(Names(kNpukitStaticPluginDispatch), ElementsAre("Adatum", "Contoso", "Fabrikam"));
  const PluginLibrary library =
      Ok(PluginLibrary::Open("linked:Adatum", kNpukitStaticPluginDispatch));
  EXPECT_EQ(library.Find("LiteRtDispatchGetApi"), reinterpret_cast<void*>(&SomeFunction));
  EXPECT_EQ(library.Find("XiteRtDispatchGetApi"), nullptr);

  EXPECT_EQ(NpukitUnregisterStaticPlugin(kNpukitStaticPluginCompiler, "Adatum"),
            kLiteRtStatusErrorNotFound);
  EXPECT_EQ(NpukitUnregisterStaticPlugin(kNpukitStaticPluginDispatch, "adatum"), kLiteRtStatusOk);
  EXPECT_EQ(NpukitUnregisterStaticPlugin(kNpukitStaticPluginDispatch, "Adatum"),
            kLiteRtStatusErrorNotFound);
  EXPECT_EQ(NpukitUnregisterStaticPlugin(7, "Adatum"), kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(NpukitUnregisterStaticPlugin(kNpukitStaticPluginDispatch, nullptr),
            kLiteRtStatusErrorInvalidArgument);
  // Whoever has it open keeps it.
  EXPECT_NE(library.Find("LiteRtDispatchGetApi"), nullptr);
}

TEST(RegisterStaticPlugin, NamesAreCutToFit) {
  char name[4] = {};
  EXPECT_EQ(NpukitGetStaticPluginName(kNpukitStaticPluginCompiler, 0, name, sizeof(name)),
            kLiteRtStatusOk);
  EXPECT_STREQ(name, "Con");
  EXPECT_EQ(NpukitGetStaticPluginName(kNpukitStaticPluginCompiler, 0, name, 0),
            kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(NpukitGetStaticPluginName(kNpukitStaticPluginCompiler, 0, nullptr, 4),
            kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(NpukitGetStaticPluginName(5, 0, name, sizeof(name)), kLiteRtStatusErrorInvalidArgument);
}

TEST(RegisterStaticPlugin, MayBeCalledFromManyThreads) {
  constexpr int kThreads = 8;
  constexpr int kEach = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < kEach; ++i) {
        const Registered mine(kNpukitStaticPluginDispatch, "Thread" + std::to_string(t),
                              {{"LiteRtDispatchGetApi", SomeFunction}});
        EXPECT_EQ(mine.status(), kLiteRtStatusOk);
        EXPECT_GE(Names(kNpukitStaticPluginDispatch).size(), 3u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(Names(kNpukitStaticPluginDispatch), ElementsAre("Contoso", "Fabrikam"));
}

// -- What release of LiteRT a table is of --------------------------------------------------------

using Symbols = std::vector<NpukitStaticSymbol>;

litert::Expected<std::string> GenerationOf(const Symbols& symbols) {
  const Registered registered(kNpukitStaticPluginCompiler, "Table", symbols);
  auto plugin = LoadedPlugin::Load("linked:Table");
  if (!plugin) return plugin.Error();
  return plugin->abi() + ", " + plugin->generation();
}

TEST(LinkedGenerations, OfCompilerPluginsAreToldByTheirSymbols) {
  const Symbols all(kPlainPluginSymbols, kPlainPluginSymbols + kNumPlainPluginSymbols);
  EXPECT_EQ(Ok(GenerationOf(all)), "2.1, LiteRT 2.1.2 to 2.1.4");
  EXPECT_EQ(Ok(GenerationOf(Symbols(all.begin(), all.end() - 1))), "2.1, LiteRT 2.1.0 to 2.1.1");
  const Symbols with_context = ContextPluginSymbols();
  EXPECT_EQ(Ok(GenerationOf(with_context)), "2.2, LiteRT 2.2.0");

  const auto missing = GenerationOf(Symbols(all.begin() + 1, all.end()));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.Error().Message(),
            "linked:Table: no compiler plugin: does not export LiteRtGetCompilerPluginVersion");
  Symbols contradicts = with_context;
  std::erase_if(contradicts, [](const NpukitStaticSymbol& symbol) {
    return std::string(symbol.name) == "LiteRtGetCompilerPluginSDKVersion";
  });
  const auto refused = GenerationOf(contradicts);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.Error().Message(),
              HasSubstr("linked:Table: exports LiteRtGetCompiledResultHandle"));
}

// Loads a library that is linked in, and drives it.
void ExpectGeneration(const char* path, const char* generation) {
  SCOPED_TRACE(generation);
  const auto library = DispatchLibrary::Load(path);
  ASSERT_TRUE(library) << library.Error();
  EXPECT_EQ(GenerationName((*library)->generation()), generation);
  auto device = DispatchDevice::Create((*library)->client(), (*library)->options());
  ASSERT_TRUE(device) << device.Error();
  const uint8_t bytecode[3] = {};
  const auto invocation =
      DispatchInvocation::Create(**device, DispatchExecutable::OfBytecode(bytecode), "main", 1, 2);
  ASSERT_TRUE(invocation) << invocation.Error();
  EXPECT_TRUE((*invocation)->Close());
  EXPECT_TRUE((*device)->Close());
  EXPECT_EQ(Ok(DispatchLibrary::Load(path)).get(), library->get());
}

TEST(LinkedGenerations, OfDispatchLibrariesAreToldByTheirTables) {
  struct Case {
    LiteRtStatus (*get_api)(void*);
    const char* generation;
  };
  const Case cases[] = {
      {LinkedGetApi210, "LiteRT 2.1.0 to 2.1.1"}, {LinkedGetApi212, "LiteRT 2.1.2"},
      {LinkedGetApi213, "LiteRT 2.1.3 to 2.1.4"}, {LinkedGetApi214, "LiteRT 2.1.3 to 2.1.4"},
      {LinkedGetApi215, "LiteRT 2.1.5 to 2.1.6"}, {LinkedGetApi220, "LiteRT 2.2.0"},
  };
  for (const Case& c : cases) {
    const Registered registered(
        kNpukitStaticPluginDispatch, "Table",
        {{"LiteRtDispatchGetApi", reinterpret_cast<NpukitStaticFunction>(c.get_api)}});
    // The name was another function's a moment ago.
    ExpectGeneration("linked:Table", c.generation);
  }
}

// By a name, and by LiteRT's variable.
TEST(LinkedGenerations, QueriedTablesMayBeLinkedIn) {
  constexpr char kQueried[] = "LiteRT main of September 2026";
  {
    const Registered registered(
        kNpukitStaticPluginDispatch, "Queried",
        {{"LiteRtDispatchQueryInterface", reinterpret_cast<NpukitStaticFunction>(LinkedQuery230)}});
    ExpectGeneration("linked:Queried", kQueried);
  }
  LiteRtStaticLinkedDispatchQueryInterface = LinkedQuery230;
  ExpectGeneration("linked:LiteRtStaticLinkedDispatchQueryInterface", kQueried);
  LiteRtStaticLinkedDispatchQueryInterface = nullptr;
  EXPECT_FALSE(DispatchLibrary::Load("linked:LiteRtStaticLinkedDispatchQueryInterface"));
}

// An interface of which no symbol tells how large it is.
struct {
  void* before;
  LiteRtDispatchInterface interface;
} within_an_object = {};

LiteRtStatus GiveNamelessInterface(LiteRtDispatchApi* api) {
  *api = {};
  api->interface = &within_an_object.interface;
  return kLiteRtStatusOk;
}

TEST(LinkedGenerations, OfAnInterfaceWithoutASymbolIsToldByWhatElseThereIs) {
  const auto error_of = [](const Symbols& more) {
    Symbols symbols = {
        {"LiteRtDispatchGetApi", reinterpret_cast<NpukitStaticFunction>(GiveNamelessInterface)}};
    symbols.insert(symbols.end(), more.begin(), more.end());
    const Registered registered(kNpukitStaticPluginDispatch, "Nameless", symbols);
    const auto library = DispatchLibrary::Load("linked:Nameless");
    return library ? std::string() : library.Error().Message();
  };
  const std::string told = "linked:Nameless: LiteRtDispatchGetApi says version 0.0.0";
  EXPECT_THAT(error_of({}), HasSubstr(told));
  within_an_object.interface.invocation_context_set_scheduling_info =
      [](LiteRtDispatchInvocationContext, const LiteRtSchedulingInfo*) {
        return kLiteRtStatusErrorUnsupported;
      };
  EXPECT_EQ(error_of({}),
            "linked:Nameless: LiteRtDispatchGetApi: the program has no symbol for its interface, "
            "so that it can't be told of which release of LiteRT it is");
  EXPECT_THAT(error_of({{"NpukitDispatchSetRecording", SomeFunction}}), HasSubstr(told));
}

TEST(LinkedGenerations, ATableWithoutItsFunctionIsNoDispatchLibrary) {
  const Registered registered(kNpukitStaticPluginDispatch, "Table",
                              {{"NpukitDispatchSetRecording", SomeFunction}});
  const auto library = DispatchLibrary::Load("linked:Table");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.Error().Message(), "linked:Table: does not export LiteRtDispatchGetApi");
}

}  // namespace
}  // namespace npukit
