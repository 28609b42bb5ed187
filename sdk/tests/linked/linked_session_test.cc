// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Models compiled and run by the vendors that are linked into this program: Contoso (MUL) and
// Fabrikam (ADD) by npukit's macros, Plain (SUB) by a table in C.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/runtime/dispatch/client/dispatch_device.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/host/session/session.h"
#include "sdk/tests/linked/behaviour.h"
#include "sdk/tests/linked/linked_models.h"
#include "sdk/tests/linked/plain_vendor.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The files of the same sources; no other plugins lie there.
constexpr char kContosoFiles[] = NPUKIT_LINKED_FILES "/Contoso";

struct Ran {
  std::vector<uint8_t> output;
  SessionPlacement placement;
};

Ran RunOnce(std::unique_ptr<Model> model, SessionOptions options) {
  auto session = Ok(Session::Create(std::move(model), std::move(options)));
  SignatureRunner& runner = session->default_runner();
  FillRandomInputs(runner, 3);
  Ok(runner.Run());
  Ran ran{{runner.output(0).begin(), runner.output(0).end()}, session->placement()};
  Ok(session->Close());
  return ran;
}

std::vector<LoadedPlugin> Choose(const std::vector<std::string>& names,
                                 const std::string& folder = "") {
  return std::move(Ok(ChoosePlugins(folder, names)).plugins);
}

// Compiled ahead of time, written and read again.
std::unique_ptr<Model> CompileAhead(const Model& model, const std::vector<std::string>& names) {
  const std::vector<LoadedPlugin> plugins = Choose(names);
  std::vector<const LoadedPlugin*> pointers;
  for (const LoadedPlugin& plugin : plugins) pointers.push_back(&plugin);
  const ApplyResult applied = Ok(ApplyPlugins(model, pointers, {}));
  return Ok(ParseModel(SharedBytes::Take(Ok(SerializeModel(*applied.model, {})))));
}

class LinkedSessionTest : public ::testing::Test {
 protected:
  LinkedSessionTest() { TakeLinkedEvents(); }
  ~LinkedSessionTest() override { SetLinkedFault(kLinkedFaultNone); }
};

TEST_F(LinkedSessionTest, RunsJustInTimeWithoutAFolder) {
  const Ran cpu = RunOnce(MulAddModel(), {});
  EXPECT_EQ(cpu.placement.npu_ops, 0u);
  const Ran npu = RunOnce(MulAddModel(), {.jit = true});
  EXPECT_EQ(npu.placement.fallback_reason, "");
  EXPECT_EQ(npu.placement.plugin, "Contoso");  // the first by name that takes something
  EXPECT_EQ(npu.placement.npu_ops, 2u);
  EXPECT_EQ(npu.placement.dispatch, "linked:Contoso (Contoso, linked-1)");
  EXPECT_EQ(npu.output, cpu.output);
}

TEST_F(LinkedSessionTest, TwoVendorsTakePartInOneModel) {
  const Ran cpu = RunOnce(MulAddModel(), {});
  TakeLinkedEvents();
  const Ran npu = RunOnce(MulAddModel(), {.jit = true, .plugins = {"fabrikam", "Contoso"}});
  EXPECT_EQ(npu.placement.fallback_reason, "");
  EXPECT_EQ(npu.placement.cpu_ops, 0u);
  EXPECT_EQ(npu.placement.dispatch,
            "linked:Contoso (Contoso, linked-1); linked:Fabrikam (Fabrikam, linked-1)");
  EXPECT_EQ(npu.output, cpu.output);
  const auto events = TakeLinkedEvents();
  EXPECT_THAT(events, ::testing::IsSupersetOf({"Contoso: run", "Contoso: run", "Fabrikam: run"}));
}

TEST_F(LinkedSessionTest, RunsWhatWasCompiledAheadOfTimeWithoutAFolder) {
  const Ran cpu = RunOnce(MulAddModel(), {});
  auto compiled = CompileAhead(*MulAddModel(), {"Contoso", "Fabrikam"});
  const Ran npu = RunOnce(std::move(compiled), {});
  EXPECT_EQ(npu.placement.cpu_ops, 0u);
  EXPECT_EQ(npu.placement.npu_ops, 3u);
  EXPECT_EQ(npu.output, cpu.output);
}

TEST_F(LinkedSessionTest, ATableInCIsAsGoodAsAClass) {
  const auto model = [] { return MulAddModel(kLiteRtOpCodeTflSub, kLiteRtOpCodeTflSub); };
  const Ran cpu = RunOnce(model(), {});
  const Registered plugin(kNpukitStaticPluginCompiler, "Plain",
                          {kPlainPluginSymbols, kPlainPluginSymbols + kNumPlainPluginSymbols});
  const Registered dispatch(kPlainDispatch);
  const Ran jit = RunOnce(model(), {.jit = true});
  EXPECT_EQ(jit.placement.fallback_reason, "");
  EXPECT_EQ(jit.placement.plugin, "Plain");
  EXPECT_EQ(jit.placement.npu_ops, 3u);
  EXPECT_EQ(jit.placement.dispatch, "linked:Plain (Plain, in C)");
  EXPECT_EQ(jit.output, cpu.output);
  EXPECT_EQ(RunOnce(CompileAhead(*model(), {"Plain"}), {}).output, cpu.output);
}

TEST_F(LinkedSessionTest, EverythingIsGivenBackInTheReverseOrder) {
  RunOnce(MulAddModel(kLiteRtOpCodeTflMul, kLiteRtOpCodeTflMul), {.jit = true});
  auto events = TakeLinkedEvents();
  for (std::string& event : events) {
    ASSERT_THAT(event, StartsWith("Contoso: "));
    event.erase(0, std::string("Contoso: ").size());
  }
  EXPECT_THAT(events, ElementsAre("create plugin", "compile", "destroy plugin", "open", "load",
                                  "register", "register", "register", "run", "unregister",
                                  "unregister", "unregister", "unload", "close"));
}

TEST_F(LinkedSessionTest, AFailedRunLeavesNothingOpen) {
  {
    auto session = Ok(Session::Create(MulAddModel(), {.jit = true}));
    SetLinkedFault(kLinkedFaultRun);
    const auto run = session->default_runner().Run();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.Error().Message(), AllOf(HasSubstr("linked:Contoso"), HasSubstr("invoke")));
    SetLinkedFault(kLinkedFaultNone);
    EXPECT_TRUE(session->Close());
  }
  const auto events = TakeLinkedEvents();
  const auto count = [&](const std::string& event) {
    return std::count(events.begin(), events.end(), "Contoso: " + event);
  };
  EXPECT_EQ(count("open"), 1);
  EXPECT_EQ(count("close"), 1);
  EXPECT_GT(count("load"), 0);
  EXPECT_EQ(count("load"), count("unload"));
  EXPECT_GT(count("register"), 0);
  EXPECT_EQ(count("register"), count("unregister"));
  EXPECT_EQ(events.back(), "Contoso: close");
}

TEST_F(LinkedSessionTest, AFailedLoadLeavesNothingOpen) {
  SetLinkedFault(kLinkedFaultLoad);
  const Ran ran = RunOnce(MulAddModel(), {.jit = true});
  EXPECT_EQ(ran.placement.npu_ops, 0u);
  EXPECT_THAT(ran.placement.fallback_reason,
              AllOf(HasSubstr("linked:Contoso"), HasSubstr("invocation_context_create")));
  EXPECT_THAT(TakeLinkedEvents(),
              ElementsAre("Contoso: create plugin", "Contoso: compile", "Contoso: destroy plugin",
                          "Contoso: open", "Contoso: close"));
}

TEST_F(LinkedSessionTest, WhatIsNotAvailableIsNotUsedAndSaysWhy) {
  SetLinkedFault(kLinkedFaultIncompatible);
  const Ran ran = RunOnce(MulAddModel(), {.jit = true});
  EXPECT_EQ(ran.placement.npu_ops, 0u);
  for (const char* vendor : {"Contoso (linked:Contoso)", "Fabrikam (linked:Fabrikam)"}) {
    EXPECT_THAT(ran.placement.fallback_reason,
                HasSubstr(std::string(vendor) +
                          ": LiteRtCompilerPluginCheckCompilerCompatibility(default SoC)"));
  }
  EXPECT_THAT(TakeLinkedEvents(),
              ElementsAre("Contoso: create plugin", "Contoso: destroy plugin",
                          "Fabrikam: create plugin", "Fabrikam: destroy plugin"));

  SetLinkedFault(kLinkedFaultNoDevice);
  EXPECT_THAT(RunOnce(MulAddModel(), {.jit = true}).placement.fallback_reason,
              HasSubstr("linked:Contoso: device_context_create"));
}

TEST_F(LinkedSessionTest, EachVendorKeepsItsOwnState) {
  const auto contoso = Ok(DispatchLibrary::Load("linked:Contoso"));
  const auto fabrikam = Ok(DispatchLibrary::Load("linked:Fabrikam"));
  for (const auto& library : {contoso, fabrikam, contoso}) {
    Ok(Ok(DispatchDevice::Create(library->client(), library->options()))->Close());
    EXPECT_EQ(LinkedEnvironment(library->vendor_id().c_str()), library->environment());
  }
}

TEST_F(LinkedSessionTest, ADispatchLibraryThatRefusesTheHostIsAskedAgainLater) {
  // Under another name than that of a test above, which has it loaded for good.
  std::vector<NpukitStaticSymbol> symbols = {kPlainDispatch.symbols[0]};
  const Registered dispatch(kNpukitStaticPluginDispatch, "Refusing", symbols);
  SetLinkedFault(kLinkedFaultIncompatible);
  const auto refused = DispatchLibrary::Load("linked:Refusing");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.Error().Message(),
            "linked:Refusing: check_runtime_compatibility(0.1.0): gave "
            "kLiteRtStatusErrorUnsupportedRuntimeVersion");
  SetLinkedFault(kLinkedFaultNone);
  EXPECT_TRUE(DispatchLibrary::Load("linked:Refusing"));
}

TEST_F(LinkedSessionTest, WithoutADispatchLibraryOfAnyKindTheModelStaysOnTheCpu) {
  const Registered plugin(kNpukitStaticPluginCompiler, "Plain",
                          {kPlainPluginSymbols, kPlainPluginSymbols + kNumPlainPluginSymbols});
  const Ran ran = RunOnce(MulAddModel(kLiteRtOpCodeTflSub, kLiteRtOpCodeTflSub), {.jit = true});
  EXPECT_EQ(ran.placement.npu_ops, 0u);
  // Others were asked, and did not know the bytecode.
  EXPECT_THAT(ran.placement.fallback_reason,
              AllOf(HasSubstr("linked:Contoso"), HasSubstr("linked:Fabrikam")));
}

TEST_F(LinkedSessionTest, LinkedOnesStandBeforeFiles) {
  const PluginFiles found = Ok(FindPlugins(kContosoFiles));
  EXPECT_THAT(found.compiler_plugins,
              ElementsAre("linked:Contoso", "linked:Fabrikam",
                          std::string(kContosoFiles) + "/libLiteRtCompilerPlugin_Contoso.so"));
  EXPECT_THAT(
      Ok(RankDispatchLibraries(kContosoFiles, "Contoso")),
      ElementsAre("linked:Contoso", std::string(kContosoFiles) + "/libLiteRtDispatch_Contoso.so"));
  EXPECT_THAT(Ok(RankDispatchLibraries("", "Fabrikam")), ElementsAre("linked:Fabrikam"));
  EXPECT_THAT(Ok(FindPlugins("")).compiler_plugins, Each(StartsWith("linked:")));
  EXPECT_FALSE(FindPlugins("/no/such/folder"));
  EXPECT_THAT(Ok(FindPluginFiles(kContosoFiles)).dispatch, Each(HasSubstr(kContosoFiles)));

  EXPECT_EQ(Choose({"contoso"}, kContosoFiles).front().path(), "linked:Contoso");
  // Run by the linked one though there is a file.
  EXPECT_EQ(RunOnce(MulAddModel(), {.plugin_dir = kContosoFiles, .jit = true}).placement.dispatch,
            "linked:Contoso (Contoso, linked-1)");
}

TEST_F(LinkedSessionTest, AFileStandsInForALinkedOneThatFails) {
  const Ran cpu = RunOnce(MulAddModel(), {});
  SetLinkedFault(kLinkedFaultLoad);  // the files have switches of their own
  const Ran ran = RunOnce(MulAddModel(), {.plugin_dir = kContosoFiles, .jit = true});
  EXPECT_EQ(ran.placement.fallback_reason, "");
  EXPECT_EQ(ran.placement.dispatch,
            std::string(kContosoFiles) + "/libLiteRtDispatch_Contoso.so (Contoso, linked-1)");
  EXPECT_EQ(ran.output, cpu.output);
}

TEST_F(LinkedSessionTest, SaysWhatIsThereWhenANameIsNot) {
  const auto choice = ChoosePlugins("", {"Litware"});
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.Error().Message(), "no plugin named \"Litware\"; there is: Contoso Fabrikam");
  const auto absent = LoadedPlugin::Load("linked:Litware");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.Error().Message(),
            "linked:Litware: no compiler plugin of this name is linked into the program");
  const auto dispatch = DispatchLibrary::Load("linked:Litware");
  ASSERT_FALSE(dispatch);
  EXPECT_EQ(dispatch.Error().Message(),
            "linked:Litware: no dispatch library of this name is linked into the program");
}

}  // namespace
}  // namespace npukit
