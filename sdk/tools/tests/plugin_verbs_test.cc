// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// info, explain and apply as users run them: fields, exit codes, messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;

const std::string kPlugins = NPUKIT_BUILD_DIR "/test_plugins";

// MUL, SUB, ADD in a file.
std::string ModelPath() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {4});
  Tensor* a = b.Value("a", type, {4});
  Tensor* s = b.Value("s", type, {4});
  Tensor* t = b.Value("t", type, {4});
  b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {a});
  b.AddOp(kLiteRtOpCodeTflSub, {a, x}, {s});
  b.AddOp(kLiteRtOpCodeTflAdd, {s, a}, {t});
  b.Output(t);
  auto model = b.Build();
  const std::string path = ::testing::TempDir() + "npukit_verbs.tflite";
  EXPECT_TRUE(model && SaveModel(**model, path));
  return path;
}

// ADD a = x + x, and a composite of an operator package's operator, whose decomposition is NEG.
std::string PackagedModelPath() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {4});
  Tensor* a = b.Value("a", type, {4});
  Tensor* c = b.Value("c", type, {4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {a});
  b.Output(c);
  const int32_t body = b.BeginSubgraph("body");
  Tensor* inner = b.Input("inner", type, {4});
  Tensor* negative = b.Value("negative", type, {4});
  b.AddOp(kLiteRtOpCodeTflNeg, {inner}, {negative});
  b.Output(negative);
  b.SelectSubgraph(0);
  b.AddComposite("test.identity", body, {a}, {c});
  auto model = b.Build();
  const std::string path = TestFolder() + "packaged.tflite";
  EXPECT_TRUE(model && SaveModel(**model, path));
  return path;
}

const std::string kPackages = kPlugins + "/op_packages/";

// -- doctor -------------------------------------------------------------------

// What files do not tell their libraries do, each in a process of its own: the one that was stripped
// of its table's size is asked, one that ends the process is survived.
TEST(Doctor, LoadsLibrariesThatTheirFilesDoNotTell) {
  const std::string folder = TestFolder() + "doctor_load";
  std::filesystem::create_directories(folder);
  const auto copy = [&](const std::string& from, const std::string& to) {
    std::filesystem::copy_file(from, folder + "/" + to,
                               std::filesystem::copy_options::overwrite_existing);
  };
  copy(kPlugins + "/selects_all/libLiteRtCompilerPlugin_selects_all.so",
       "libLiteRtCompilerPlugin_selects_all.so");
  copy(NPUKIT_TEST_DISPATCH_DIR "/215/libLiteRtDispatch_TestDevice.so", "libLiteRtDispatch_X.so");
  const auto entry = [&](const Json& report, const std::string& name) {
    for (const Json& file : report["files"]) {
      if (file["path"] == folder + "/" + name) return file;
    }
    return Json();
  };
  const Json unloaded = RunVerb("doctor --json " + folder).json();
  EXPECT_FALSE(entry(unloaded, "libLiteRtCompilerPlugin_selects_all.so").contains("soc_models"));
  const VerbResult result = RunVerb("doctor --load --json " + folder);
  ASSERT_NE(result.out, "") << result.error;
  const Json loaded = result.json();
  EXPECT_EQ(entry(loaded, "libLiteRtCompilerPlugin_selects_all.so")["soc_models"],
            Json({"t1", "t2"}));
  const Json dispatch = entry(loaded, "libLiteRtDispatch_X.so");
  EXPECT_EQ(dispatch["generations"]["dispatch"],
            Json({"v2.1.5 to v2.1.6", "main of 23 July to 3 August 2026"}));
  EXPECT_THAT(dispatch["evidence"].dump(), HasSubstr("when loaded"));
}

// -- info ---------------------------------------------------------------------

TEST(Info, ListsAPlugin) {
  const VerbResult result = RunVerb("info --plugin-dir " + kPlugins + "/selects_all --json");
  EXPECT_EQ(result.exit_code, 0) << result.error;
  const Json json = result.json();
  ASSERT_EQ(json["plugins"].size(), 1u) << result.out;
  EXPECT_EQ(json["plugins"][0]["path"],
            kPlugins + "/selects_all/libLiteRtCompilerPlugin_selects_all.so");
  EXPECT_EQ(json["plugins"][0]["manufacturer"], "selects_all");
  EXPECT_EQ(json["plugins"][0]["abi"], "2.1");
  EXPECT_EQ(json["plugins"][0]["socs"], Json({"t1", "t2"}));
  EXPECT_EQ(json["dispatch"], Json::array());
  EXPECT_THAT(RunVerb("info --plugin-dir " + kPlugins + "/selects_all").out,
              HasSubstr("manufacturer   selects_all"));
}

TEST(Info, SaysWhyALibraryCannotBeUsed) {
  const VerbResult result = RunVerb("info --plugin-dir " + kPlugins + "/silent --json");
  EXPECT_EQ(result.exit_code, 3);
  const Json plugin = result.json()["plugins"][0];
  EXPECT_THAT(plugin["error"].get<std::string>(), HasSubstr("can't be told"));
}

TEST(Info, NamesTheGeneration) {
  const VerbResult older = RunVerb("info --plugin-dir " + kPlugins + "/selects_all --json");
  EXPECT_EQ(older.json()["plugins"][0]["generation"], "LiteRT 2.1.2 to 2.1.4");
  const VerbResult newer = RunVerb("info --plugin-dir " + kPlugins + "/abi_2_2_0 --json");
  ASSERT_EQ(newer.exit_code, 0) << newer.error;
  const Json plugin = newer.json()["plugins"][0];
  EXPECT_EQ(plugin["abi"], "2.2");
  EXPECT_EQ(plugin["generation"], "LiteRT 2.2.0");
  EXPECT_EQ(plugin["sdk_version"], "4.2");
  EXPECT_THAT(RunVerb("info --plugin-dir " + kPlugins + "/abi_2_2_0").out,
              HasSubstr("abi            2.2 (LiteRT 2.2.0)"));
}

TEST(Info, NamesWhatADispatchLibraryBrings) {
  const std::string folder = NPUKIT_TEST_DISPATCH_DIR "/220_scratchpads";
  const VerbResult result = RunVerb("info --plugin-dir " + folder + " --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(result.json()["dispatch"][0]["capabilities"],
            Json({"graphs", "scratchpads", "metrics"}));
  EXPECT_THAT(RunVerb("info --plugin-dir " + folder).out,
              HasSubstr("capabilities   graphs scratchpads metrics"));
}

TEST(Info, EmptyAndMissingFoldersAreErrors) {
  const std::string empty = ::testing::TempDir() + "npukit_no_plugins";
  std::filesystem::create_directories(empty);
  const VerbResult nothing = RunVerb("info --plugin-dir " + empty + " --json");
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_EQ(nothing.json()["plugins"], Json::array());
  EXPECT_EQ(RunVerb("info --plugin-dir /nowhere").exit_code, 3);
  EXPECT_EQ(RunVerb("info").exit_code, 2);
  EXPECT_EQ(RunVerb("info --help").exit_code, 0);
}

// -- explain ------------------------------------------------------------------

TEST(Explain, GivesTargetPartitionAndReasonPerOp) {
  const VerbResult result =
      RunVerb("explain " + ModelPath() + " --plugin-dir " + kPlugins + "/explains --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const Json json = result.json();
  EXPECT_EQ(json["plugin"], "explains");
  EXPECT_EQ(json["placement"], Json({{"npu_ops", 2}, {"cpu_ops", 1}, {"partitions", 2}}));
  ASSERT_EQ(json["ops"].size(), 3u);
  EXPECT_EQ(json["ops"][1], Json({{"index", 1},
                                  {"op", "SUB"},
                                  {"name", "s"},
                                  {"target", "npu"},
                                  {"partition", 1},
                                  {"reason", ""},
                                  {"subgraph", 0},
                                  {"plugin", "explains"}}));
  EXPECT_EQ(json["ops"][2]["target"], "cpu");
  EXPECT_EQ(json["ops"][2]["partition"], nullptr);
  EXPECT_EQ(json["ops"][2]["reason"], "no more than multiplication is understood");
}

TEST(Explain, TextHasTheReasonBesideTheOp) {
  const VerbResult result =
      RunVerb("explain " + ModelPath() + " --plugin-dir " + kPlugins + "/explains");
  EXPECT_THAT(result.out, HasSubstr("2 of 3 ops on the NPU, partitions: 2\n"
                                    "subgraph 0\n"
                                    "    0  MUL  a  npu, partition 0\n"
                                    "    1  SUB  s  npu, partition 1\n"
                                    "    2  ADD  t  cpu: no more than"));
}

TEST(Explain, AnOperatorPackageKeepsItsCompositesWhole) {
  const std::string command =
      "explain " + PackagedModelPath() + " --plugin-dir " + kPlugins + "/takes_add --json";
  const VerbResult without = RunVerb(command);
  ASSERT_EQ(without.exit_code, 0) << without.error;
  EXPECT_EQ(without.json()["ops"][1]["op"], "NEG");
  const VerbResult with = RunVerb(command + " --op-package-dir " + kPackages + "counts");
  ASSERT_EQ(with.exit_code, 0) << with.error;
  EXPECT_EQ(with.json()["ops"][1]["op"], "STABLEHLO_COMPOSITE");
  EXPECT_EQ(with.json()["ops"][1]["target"], "cpu");
}

TEST(Explain, ExitCodesTellWhatWasWrong) {
  const std::string model = ModelPath();
  const std::string plugin = " --plugin-dir " + kPlugins + "/selects_all";
  EXPECT_EQ(RunVerb("explain /nowhere.tflite" + plugin).exit_code, 3);
  EXPECT_EQ(RunVerb("explain " + model + " --plugin-dir /nowhere").exit_code, 3);
  EXPECT_EQ(RunVerb("explain " + model).exit_code, 2);
  const VerbResult soc = RunVerb("explain " + model + plugin + " --soc t9");
  EXPECT_EQ(soc.exit_code, 2);
  EXPECT_THAT(soc.error, HasSubstr("no SoC model \"t9\": expected one of t1, t2"));
  EXPECT_EQ(RunVerb("explain " + model + " --plugin-dir " + kPlugins + "/selects_twice").exit_code,
            1);
}

// -- apply --------------------------------------------------------------------

TEST(Apply, WritesACompiledModel) {
  const std::string output = ::testing::TempDir() + "npukit_verbs_out.tflite";
  const VerbResult result = RunVerb("apply " + ModelPath() + " -o " + output + " --plugin-dir " +
                                    kPlugins + "/example_like --soc t2 --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const Json json = result.json();
  EXPECT_EQ(json["output"], output);
  EXPECT_EQ(json["placement"], Json({{"npu_ops", 2}, {"cpu_ops", 1}, {"partitions", 2}}));
  EXPECT_EQ(json["plugins"][0]["partitions"][1]["entry_point"], "entry_1");
  EXPECT_EQ(json["plugins"][0]["modules"].size(), 1u);
  const auto model = LoadModel(output);
  ASSERT_TRUE(model) << model.Error().Message();
  EXPECT_EQ(GetBuildStamp(**model), (BuildStamp{"example_like", "t2"}));
  EXPECT_TRUE((*model)->main_subgraph().op(0).is_dispatch());
}

TEST(Apply, PluginsFollowEachOtherInTheGivenOrder) {
  const std::string folder = ::testing::TempDir() + "npukit_two_plugins";
  std::filesystem::create_directories(folder);
  for (const std::string name : {"selects_all", "example_like"}) {
    const std::string file = "libLiteRtCompilerPlugin_" + name + ".so";
    std::filesystem::copy_file(kPlugins + "/" + name + "/" + file, folder + "/" + file,
                               std::filesystem::copy_options::overwrite_existing);
  }
  const std::string output = ::testing::TempDir() + "npukit_verbs_two.tflite";
  const std::string command =
      "apply " + ModelPath() + " -o " + output + " --plugin-dir " + folder + " --json";
  const VerbResult both = RunVerb(command + " --plugin example_like --plugin SELECTS_ALL");
  ASSERT_EQ(both.exit_code, 0) << both.error;
  const Json json = both.json();
  EXPECT_EQ(json["placement"], Json({{"npu_ops", 3}, {"cpu_ops", 0}, {"partitions", 3}}));
  EXPECT_EQ(json["plugins"][0]["placement"]["npu_ops"], 2);
  EXPECT_EQ(json["plugins"][1]["partitions"].size(), 1u);

  // Without names: the first by path that takes something.
  EXPECT_EQ(RunVerb(command).json()["plugins"][0]["plugin"], "example_like");
  const VerbResult unknown = RunVerb(command + " --plugin nobody");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("no plugin named \"nobody\"; there is: example_like"));
}

// A folder of the test's own with these plugins, which are asked in the order of their names.
std::string FolderOf(const std::string& name, const std::vector<std::string>& plugins) {
  const std::string folder = TestFolder() + name;
  std::filesystem::create_directories(folder);
  for (const std::string& plugin : plugins) {
    const std::string file = "libLiteRtCompilerPlugin_" + plugin + ".so";
    std::filesystem::copy_file(kPlugins + "/" + plugin + "/" + file, folder + "/" + file,
                               std::filesystem::copy_options::overwrite_existing);
  }
  return folder;
}

TEST(FirstPlugin, IsThatWhichTakesSomething) {
  const std::string output = TestFolder() + "out.tflite";
  const std::string apply = "apply " + ModelPath() + " -o " + output + " --json --plugin-dir ";
  const std::string explain = "explain " + ModelPath() + " --json --plugin-dir ";
  const std::string compiles = FolderOf("compiles", {"fails_in_compile", "selects_all"});
  const VerbResult applied = RunVerb(apply + compiles);
  ASSERT_EQ(applied.exit_code, 0) << applied.error;
  EXPECT_EQ(applied.json()["plugins"][0]["plugin"], "selects_all");
  const std::string selects = FolderOf("selects", {"fails_in_partition", "selects_all"});
  for (const std::string& command : {apply, explain})
    EXPECT_EQ(RunVerb(command + selects).exit_code, 0) << command;
  EXPECT_EQ(RunVerb(explain + selects).json()["plugin"], "selects_all");
  // Where none does, what went wrong says more than that another took nothing.
  const std::string nothing = FolderOf("nothing", {"fails_in_partition", "selects_nothing"});
  for (const std::string& command : {apply, explain}) {
    const VerbResult failed = RunVerb(command + nothing);
    EXPECT_EQ(failed.exit_code, 1) << command;
    EXPECT_THAT(failed.error, HasSubstr("fails_in_partition")) << command;
  }
}

TEST(Apply, APlacementFileMovesOpsAndNamesItsErrors) {
  const std::string place = ::testing::TempDir() + "npukit_place.yaml";
  const std::string output = ::testing::TempDir() + "npukit_verbs_placed.tflite";
  const std::string command = "apply " + ModelPath() + " -o " + output + " --plugin-dir " +
                              kPlugins + "/selects_all --placement " + place + " --json";
  std::ofstream(place) << "place:\n  - {type: SUB, on: cpu}\n  - {name: a*, on: selects_all}\n";
  const VerbResult placed = RunVerb(command);
  ASSERT_EQ(placed.exit_code, 0) << placed.error;
  EXPECT_EQ(placed.json()["placement"], Json({{"npu_ops", 2}, {"cpu_ops", 1}, {"partitions", 2}}));
  EXPECT_EQ(placed.json()["ops"][1]["reason"], "placed on the CPU by " + place + ":2:5");
  std::ofstream(place) << "place:\n  - {typ: SUB, on: cpu}\n";
  const VerbResult wrong = RunVerb(command);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.error, HasSubstr(place + ":2:6: unknown key 'typ'"));
}

TEST(Apply, CompileSpecsAndSplittingFromTheCommandLine) {
  const std::string output = ::testing::TempDir() + "npukit_verbs_spec.tflite";
  const std::string command = "apply " + ModelPath() + " -o " + output + " --plugin-dir ";
  const VerbResult specs = RunVerb(command + kPlugins + "/takes_specs --spec k=v --json");
  ASSERT_EQ(specs.exit_code, 0) << specs.error;
  EXPECT_EQ(specs.json()["plugins"][0]["partitions"][0]["specs"], Json::array({"k"}));
  EXPECT_THAT(RunVerb(command + kPlugins + "/takes_specs --spec x=v").error,
              HasSubstr("--spec 'x=v': no plugin knows the compile spec 'x'"));
  EXPECT_THAT(RunVerb(command + kPlugins + "/takes_specs --dump-dir d").error,
              HasSubstr("--dump-dir: no plugin knows the compile spec 'dump_dir'"));
  const VerbResult split =
      RunVerb(command + kPlugins + "/fails_on_sub --on-compile-failure split --json");
  ASSERT_EQ(split.exit_code, 0) << split.error;
  EXPECT_EQ(split.json()["failures"][0]["culprits"], Json::array({"op 1 SUB (s)"}));
  EXPECT_THAT(split.error, HasSubstr("left on the CPU: op 1 SUB (s)"));
}

// With nothing left that compiles, the NPU does not run: that is told as without splitting.
TEST(Apply, SplittingDoesNotHideThatNothingCompiled) {
  const VerbResult ran =
      RunVerb("run " + ModelPath() + " --jit --on-compile-failure split --plugin-dir " + kPlugins +
              "/fails_in_compile");
  EXPECT_EQ(ran.exit_code, 1) << ran.error;
  EXPECT_THAT(ran.error, HasSubstr("nothing that was selected could be compiled"));
}

// What the compiled model has beside the dispatch op.
std::string OpLeftBy(const std::string& options) {
  const std::string output = TestFolder() + "out.tflite";
  const VerbResult result = RunVerb("apply " + PackagedModelPath() + " -o " + output +
                                    " --plugin-dir " + kPlugins + "/takes_add" + options);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  const auto model = LoadModel(output);
  if (!model || (*model)->main_subgraph().ops().size() != 2) return "";
  EXPECT_TRUE((*model)->main_subgraph().op(0).is_dispatch());
  return OpName((*model)->main_subgraph().op(1));
}

TEST(Apply, AnOperatorPackageKeepsItsCompositesWhole) {
  EXPECT_EQ(OpLeftBy(""), "NEG");
  EXPECT_EQ(OpLeftBy(" --op-package-dir " + kPackages + "counts"), "STABLEHLO_COMPOSITE");
}

TEST(Apply, AnOperatorPackageThatCannotBeUsedIsNamedAndNotFatal) {
  const std::string folders =
      " --op-package-dir " + kPackages + "too_many --op-package-dir " + kPackages + "counts";
  EXPECT_EQ(OpLeftBy(folders), "STABLEHLO_COMPOSITE");
  for (const std::string& verb :
       {"explain " + ModelPath(), "apply " + ModelPath() + " -o " + TestFolder() + "x.tflite"}) {
    const VerbResult result = RunVerb(verb + " --plugin-dir " + kPlugins + "/takes_add" + folders);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.error, ::testing::AllOf(HasSubstr("libop_package_too_many.so"),
                                               HasSubstr("has 100000 operators")));
    EXPECT_EQ(RunVerb(verb + " --plugin-dir " + kPlugins + "/takes_add --op-package-dir").exit_code,
              2);
  }
}

TEST(Apply, KeepsSoManyPartitions) {
  const std::string arguments = ModelPath() + " --plugin-dir " + kPlugins + "/explains";
  const VerbResult explained = RunVerb("explain " + arguments + " --max-partitions 1 --json");
  ASSERT_EQ(explained.exit_code, 0) << explained.error;
  EXPECT_EQ(explained.json()["placement"]["partitions"], 1);
  EXPECT_EQ(RunVerb("explain " + arguments + " --max-partitions 0").exit_code, 2);
}

TEST(Apply, NothingSelectedWritesTheModelAndSaysSo) {
  const std::string output = ::testing::TempDir() + "npukit_verbs_none.tflite";
  const VerbResult result = RunVerb("apply " + ModelPath() + " -o " + output + " --plugin-dir " +
                                    kPlugins + "/selects_nothing");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, HasSubstr("nothing was selected"));
  EXPECT_TRUE(LoadModel(output));
}

TEST(Apply, AFailureWritesNothing) {
  const std::string output = ::testing::TempDir() + "npukit_verbs_failed.tflite";
  const VerbResult result = RunVerb("apply " + ModelPath() + " -o " + output + " --plugin-dir " +
                                    kPlugins + "/fails_in_compile");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.error, HasSubstr("partition 0: op 0 MUL (a)"));
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace npukit
