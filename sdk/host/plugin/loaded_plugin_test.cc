// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/loaded_plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sdk/host/library/plugin_name.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/plugin/plugin_choice.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string PathOf(const std::string& name) {
  return NPUKIT_BUILD_DIR "/test_plugins/" + name + "/libLiteRtCompilerPlugin_" + name + ".so";
}

// x -> MUL -> SUB.
std::unique_ptr<Model> TwoOps() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  Tensor* z = b.Value("z", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {y});
  b.AddOp(kLiteRtOpCodeTflSub, {y, x}, {z});
  b.Output(z);
  return b.BuildUnchecked();
}

TEST(CompilerPluginLoad, SaysWhoItIs) {
  const auto plugin = LoadedPlugin::Load(PathOf("selects_all"));
  ASSERT_TRUE(plugin) << plugin.Error().Message();
  EXPECT_EQ(plugin->manufacturer(), "selects_all");
  EXPECT_EQ(plugin->abi(), "2.1");
  EXPECT_THAT(plugin->soc_models(), ElementsAre("t1", "t2"));
  EXPECT_EQ(plugin->supported_hardware(), kLiteRtHwAcceleratorNpu);
  EXPECT_EQ(plugin->Describe(), "selects_all (" + PathOf("selects_all") + ")");
}

TEST(CompilerPluginLoad, RelativePathsAreFiles) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(NPUKIT_BUILD_DIR "/test_plugins/selects_all");
  const auto plugin = LoadedPlugin::Load("libLiteRtCompilerPlugin_selects_all.so");
  std::filesystem::current_path(before);
  EXPECT_TRUE(plugin) << plugin.Error().Message();
}

struct LoadFault {
  const char* plugin;
  const char* message;
};

TEST(CompilerPluginLoad, RefusesWhatCannotWork) {
  const LoadFault faults[] = {
      {"missing_function", "does not export LiteRtCompilerPluginRegisterAllTransformations"},
      {"wrong_version", "LiteRtGetCompilerPluginVersion: 0.1.1, expected 0.1.0"},
      {"no_manufacturer", "LiteRtGetCompilerPluginSocManufacturer: no name"},
      {"create_fails", "LiteRtCreateCompilerPlugin gave kLiteRtStatusErrorRuntimeFailure"},
      {"create_gives_null", "LiteRtCreateCompilerPlugin: a null pointer"},
      {"null_soc_model", "LiteRtGetCompilerPluginSupportedSocModel(0): no name"},
      {"unresolved_import", "LiteRtFunctionOfNoHost"},
      {"queried_unsupported",
       "LiteRtCompilerPluginQueryInterface(0, version 1.0.0) gave kLiteRtStatusErrorUnsupported"},
      {"queried_null", "LiteRtCompilerPluginQueryInterface(0, version 1.0.0) gave null"},
      {"queried_wrong_major", "gave a table of version 99.0"},
      {"queried_small_header", "gave a table of 4 bytes: expected at least 8, its header"},
      {"queried_no_create", "the table has no create_compiler_plugin"},
      {"silent", "it asked nothing about a subgraph"},
      {"contradicts", "exports LiteRtGetCompiledResultHandle"},
  };
  for (const LoadFault& fault : faults) {
    const auto plugin = LoadedPlugin::Load(PathOf(fault.plugin));
    ASSERT_FALSE(plugin) << fault.plugin;
    EXPECT_THAT(plugin.Error().Message(), HasSubstr(fault.message)) << fault.plugin;
    EXPECT_THAT(plugin.Error().Message(), HasSubstr(PathOf(fault.plugin)));
  }
}

TEST(CompilerPluginLoad, TellsTheReleasesApart) {
  struct Case {
    const char* plugin;
    const char* abi;
    const char* generation;
    const char* sdk_version;
  };
  const Case cases[] = {
      {"abi_2_1_0", "2.1", "LiteRT 2.1.0 to 2.1.1", ""},
      {"selects_all", "2.1", "LiteRT 2.1.2 to 2.1.4", ""},
      {"abi_2_1_5", "2.2", "LiteRT 2.1.5 to 2.1.6", "4.2"},
      {"abi_2_1_6", "2.2", "LiteRT 2.1.5 to 2.1.6", "4.2"},
      {"abi_2_2_0", "2.2", "LiteRT 2.2.0", "4.2"},
      {"queried_plain", "2.3", "LiteRT main of September 2026", "4.2"},
      {"queried_newer", "2.3", "LiteRT main of September 2026", "4.2"},
      {"queried_older", "2.3", "LiteRT main of September 2026", ""},
      {"queried_sparse", "2.3", "LiteRT main of September 2026", "4.2"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.plugin);
    const auto plugin = LoadedPlugin::Load(PathOf(c.plugin));
    ASSERT_TRUE(plugin) << plugin.Error().Message();
    EXPECT_EQ(plugin->abi(), c.abi);
    EXPECT_EQ(plugin->generation(), c.generation);
    EXPECT_EQ(plugin->sdk_version(), c.sdk_version);
    EXPECT_TRUE(plugin->CheckCompatibility(""));
  }
}

// Each release calls the host through its own table.
TEST(CompilerPluginLoad, CallsReachTheHostFromEveryRelease) {
  for (const char* name :
       {"abi_2_1_5", "abi_2_1_6", "abi_2_2_0", "queried_plain", "queried_older", "queried_newer"}) {
    SCOPED_TRACE(name);
    const auto plugin = LoadedPlugin::Load(PathOf(name));
    ASSERT_TRUE(plugin) << plugin.Error().Message();
    const auto model = TwoOps();
    const auto answer = plugin->Partition("", model->main_subgraph());
    ASSERT_TRUE(answer) << answer.Error().Message();
    EXPECT_THAT(answer->selection, ElementsAre(SelectedOp{&model->main_subgraph().op(0), 0}));
    const auto compiled = plugin->Compile("", *model);
    ASSERT_TRUE(compiled) << compiled.Error().Message();
    ASSERT_EQ(compiled->calls.size(), 1u);
    EXPECT_EQ(compiled->calls[0].entry_point, "p0");
  }
}

// What a queried table leaves out stands for nothing, or can't be done.
TEST(CompilerPluginLoad, AQueriedTableMayHaveGaps) {
  const auto plugin = LoadedPlugin::Load(PathOf("queried_sparse"));
  ASSERT_TRUE(plugin) << plugin.Error().Message();
  EXPECT_TRUE(plugin->soc_models().empty());
  EXPECT_TRUE(plugin->transformations().empty());
  const auto model = TwoOps();
  const auto compiled = plugin->Compile("", *model);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.Error().Status(), kLiteRtStatusErrorUnsupported);
}

TEST(CompilerPluginLoad, TheHostIsNoPlugin) {
  const auto plugin = LoadedPlugin::Load(NPUKIT_BUILD_DIR "/lib/libLiteRt.so");
  ASSERT_FALSE(plugin);
  EXPECT_THAT(plugin.Error().Message(), HasSubstr("no compiler plugin"));
}

TEST(CompilerPluginPartition, GivesSelectionAndReasons) {
  const auto plugin = LoadedPlugin::Load(PathOf("explains"));
  ASSERT_TRUE(plugin) << plugin.Error().Message();
  const auto model = TwoOps();
  const auto answer = plugin->Partition("", model->main_subgraph());
  ASSERT_TRUE(answer) << answer.Error().Message();
  EXPECT_THAT(answer->selection, ElementsAre(SelectedOp{&model->main_subgraph().op(0), 0},
                                             SelectedOp{&model->main_subgraph().op(1), 1}));
  ASSERT_EQ(answer->remarks.size(), 1u);
  EXPECT_EQ(answer->remarks[0].op, &model->main_subgraph().op(1));
  EXPECT_EQ(answer->remarks[0].text, "no more than multiplication is understood");
}

TEST(CompilerPluginPartition, FailureNamesTheCall) {
  const auto plugin = LoadedPlugin::Load(PathOf("fails_in_partition"));
  ASSERT_TRUE(plugin);
  const auto model = TwoOps();
  const auto answer = plugin->Partition("", model->main_subgraph());
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.Error().Message(),
              HasSubstr("LiteRtCompilerPluginPartition gave kLiteRtStatusErrorRuntimeFailure: "
                        "no licence"));
}

TEST(CompilerPluginCompatibility, ChecksTheSocModel) {
  const auto plugin = LoadedPlugin::Load(PathOf("selects_all"));
  ASSERT_TRUE(plugin);
  EXPECT_TRUE(plugin->CheckCompatibility(""));
  EXPECT_TRUE(plugin->CheckCompatibility("t2"));
  const auto unknown = plugin->CheckCompatibility("t3");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.Error().Message(), HasSubstr("no SoC model \"t3\": expected one of t1, t2"));

  const auto incompatible = LoadedPlugin::Load(PathOf("incompatible"));
  ASSERT_TRUE(incompatible);
  const auto refused = incompatible->CheckCompatibility("");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.Error().Status(), kLiteRtStatusErrorUnsupportedCompilerVersion);
}

TEST(CompilerPluginCompile, CopiesModulesCallsAndDebugHandles) {
  const auto plugin = LoadedPlugin::Load(PathOf("explains"));
  ASSERT_TRUE(plugin);
  const auto model = TwoOps();
  const auto compiled = plugin->Compile("", *model);
  ASSERT_TRUE(compiled) << compiled.Error().Message();
  ASSERT_EQ(compiled->modules.size(), 1u);
  const auto bytes = compiled->modules[0].bytes;
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "entry_0: 18 41\n");
  ASSERT_EQ(compiled->calls.size(), 1u);
  EXPECT_EQ(compiled->calls[0].entry_point, "entry_0");
  EXPECT_THAT(compiled->calls[0].debug_handles,
              ElementsAre(CompiledPartitions::DebugHandle{5, "piece", {0}}));
}

// y = x * x, z = y - x, both given.
std::unique_ptr<Model> TwoOutputs() {
  auto model = TwoOps();
  model->main_subgraph().outputs.push_back(model->main_subgraph().op(0).outputs[0]);
  return model;
}

TEST(CompilerPluginCompile, CopiesWhatIsInPlace) {
  const auto plugin = LoadedPlugin::Load(PathOf("in_place"));
  ASSERT_TRUE(plugin) << plugin.Error().Message();
  const auto compiled = plugin->Compile("", *TwoOutputs());
  ASSERT_TRUE(compiled) << compiled.Error().Message();
  EXPECT_THAT(compiled->calls[0].in_place, ElementsAre(DelegateRecord::InPlace{0, 0}));
}

TEST(CompilerPluginCompile, RefusesWhatCannotBeInPlace) {
  const LoadFault faults[] = {
      {"far_in_place", "NpukitGetInPlaceInput(0, 0): input 1000: expected less than 1"},
      {"twice_in_place", "NpukitGetInPlaceInput(0, 1): input 0 for a second output"},
  };
  for (const LoadFault& fault : faults) {
    const auto plugin = LoadedPlugin::Load(PathOf(fault.plugin));
    ASSERT_TRUE(plugin) << plugin.Error().Message();
    const auto compiled = plugin->Compile("", *TwoOutputs());
    ASSERT_FALSE(compiled) << fault.plugin;
    EXPECT_THAT(compiled.Error().Message(), HasSubstr(fault.message));
  }
}

TEST(CompilerPluginCompile, RefusesResultsThatCannotBe) {
  const LoadFault faults[] = {
      {"fails_in_compile",
       "LiteRtCompilerPluginCompile gave kLiteRtStatusErrorCompilation: op 1 of 2 has no room"},
      {"null_result", "LiteRtCompilerPluginCompile: a null result"},
      {"empty_module", "LiteRtGetCompiledResultByteCode(0): no bytes"},
      {"null_module", "LiteRtGetCompiledResultByteCode(0): a null pointer"},
      {"too_few_calls", "LiteRtGetNumCompiledResultCalls: 1 calls: expected 2"},
      {"bad_module_index", "LiteRtGetCompiledResultCallInfo(0): module 77: expected less than 1"},
      {"null_entry_point", "a null pointer for the entry point"},
      {"duplicate_entry_points",
       "LiteRtGetCompiledResultCallInfo(1): entry point \"entry\" of module 0 again: call 0 has"},
      {"bad_debug_handle", "NpukitGetDebugHandle(0, 0): op 1000: expected less than 2"},
      {"long_debug_handle", "NpukitGetDebugHandle(0, 0): 3 ops: expected at most 2"},
  };
  for (const LoadFault& fault : faults) {
    const auto plugin = LoadedPlugin::Load(PathOf(fault.plugin));
    ASSERT_TRUE(plugin) << plugin.Error().Message();
    const auto model = TwoOps();
    Subgraph& second = model->AddSubgraph();
    second.name = "second";
    const auto compiled = plugin->Compile("", *model);
    ASSERT_FALSE(compiled) << fault.plugin;
    EXPECT_THAT(compiled.Error().Message(), HasSubstr(fault.message)) << fault.plugin;
    EXPECT_THAT(compiled.Error().Message(), HasSubstr(plugin->Describe()));
  }
}

// -- Search -------------------------------------------------------------------

TEST(FindPluginFiles, LooksIntoFoldersWhereAskedAndSorts) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(::testing::TempDir()) / "npukit_search";
  fs::remove_all(root);
  fs::create_directories(root / "b" / "deeper");
  fs::create_directories(root / "a" / "libLiteRtDispatch_folder.so");
  for (const char* name :
       {"b/libLiteRtCompilerPlugin_B.so", "a/libLiteRtCompilerPlugin.so",
        "b/deeper/libLiteRtDispatch_C.so", "a/libLiteRtCompilerPlugin_A.so.1",
        "a/LiteRtCompilerPlugin.so", "a/libLiteRtDispatchX.dylib", "libLiteRt.so"}) {
    std::ofstream(root / name) << "x";
  }
  const auto here = FindPluginFiles((root / "b").string());
  ASSERT_TRUE(here) << here.Error().Message();
  EXPECT_EQ(here->compiler_plugins.size(), 1u);
  EXPECT_THAT(here->dispatch, IsEmpty());
  const auto found = FindPluginFiles(root.string() + "/**");
  ASSERT_TRUE(found) << found.Error().Message();
  EXPECT_THAT(found->compiler_plugins,
              ElementsAre((root / "a/libLiteRtCompilerPlugin.so").string(),
                          (root / "b/libLiteRtCompilerPlugin_B.so").string()));
  EXPECT_THAT(found->dispatch, ElementsAre((root / "b/deeper/libLiteRtDispatch_C.so").string()));
}

TEST(ChoosePlugins, ANameMeansTheManufacturerOrTheFile) {
  const char* const path = "/x/libLiteRtCompilerPlugin_File.so";
  for (const char* name : {"Acme", "acme", "FILE"}) EXPECT_TRUE(MeansPlugin("Acme", path, name));
  for (const char* name : {"", "Acm", "libLiteRtCompilerPlugin_File.so"})
    EXPECT_FALSE(MeansPlugin("Acme", path, name)) << name;
  EXPECT_TRUE(MeansPlugin("Acme", "linked:Other", "other"));
}

TEST(ChoosePlugins, APluginIsNamedOnce) {
  const std::string folder = NPUKIT_BUILD_DIR "/test_plugins/takes_mul";
  EXPECT_TRUE(ChoosePlugins(folder, {"TAKES_MUL"}));
  const auto twice = ChoosePlugins(folder, {"takes_mul", "TAKES_MUL"});
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.Error().Message(), HasSubstr("named twice, as \"TAKES_MUL\" again"));
}

TEST(FindPluginFiles, MissingFolderIsAnError) {
  const auto found = FindPluginFiles("/nowhere/at/all");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.Error().Message(), HasSubstr("/nowhere/at/all"));
}

}  // namespace
}  // namespace npukit
