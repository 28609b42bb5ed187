// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run whose compiler plugin is on the device, too, and the verbs that compile there.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/runner/testing/device_verdicts.h"
#include "conformance/runner/testing/kit_tool.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;

const std::string kAgreement = "device.compilers_agree";

std::string Device(const TempFolder& folder) {
  return fmt::format(" --device \"exec:{}/bin/npukit-worker --cache {}/cache\" ", NPUKIT_BUILD_DIR,
                     folder.path());
}

std::string OnDevice(const TempFolder& folder) { return " --compile-on-device" + Device(folder); }

// The results of a run here, and for each case whether the compilers agree.
TEST(DeviceCompiler, ResultsAreThoseOfThisMachine) {
  const TempFolder folder;
  const Json here = RunJson(Healthy() + "--suite smoke", 0);
  const Json there = RunJson(Healthy() + "--suite smoke" + OnDevice(folder), 0);
  auto found = VerdictsOf(there);
  for (const auto& [name, verdict] : VerdictsOf(here)) {
    if (StaysAtTheDesk(name)) {
      EXPECT_THAT(found[name], HasSubstr("skipped: ")) << name;
    } else {
      EXPECT_EQ(found[name], verdict) << name;
    }
    found.erase(name);
  }
  EXPECT_FALSE(found.empty());
  for (const auto& [name, verdict] : found) {
    EXPECT_THAT(name, HasSubstr(kAgreement));
    const bool is_claimed = name.find("with_a_dynamic_shape") == std::string::npos;
    EXPECT_EQ(verdict,
              is_claimed ? "passed: " : "skipped: no op is claimed: ADD has a dynamic shape")
        << name;
  }
}

// Faults of the compiler there are what they are here: wrong answers, crashes, exits, races, null pointers.
TEST(DeviceCompiler, FaultsAreFound) {
  const TempFolder folder;
  const std::pair<const char*, const char*> kRows[] = {
      {"crashes_in_compile", "ADD_float32_2x5/compile.calls"},
      {"exits_in_compile", "ADD_float32_2x5/compile.calls"},
      {"selects_foreign_pointer", "ADD_float32_2x5/partition.valid_ops"},
      {"counts_in_bytecode", "ADD_float32_2x5/compile.stable"},
      {"call_index_unchecked", "ADD_float32_2x5/compile.bounds"},
      {"compile_null_crash", "abi.null_arguments"},
      {"null_result_crash", "abi.null_result"},
      {"create_race", "abi.threads"}};
  for (const auto& [fault, check] : kRows) {
    const std::string plugins =
        fmt::format("--plugin-dir {}{} --suite smoke --filter '{}$' ", kPlugins, fault, check);
    const Json here = RunJson(plugins, 1);
    const Json there = RunJson(plugins + OnDevice(folder), 1);
    EXPECT_EQ(here["summary"]["failed"], 1) << fault;
    EXPECT_EQ(here["summary"], there["summary"]) << fault;
  }
}

// A sanitizer ends the process itself, each with an exit code of its own.
const char* CrashInCompile() {
  constexpr std::string_view kSanitizer = NPUKIT_SANITIZE;
  if (kSanitizer.empty()) return "crashed: SIGSEGV in LiteRtCompilerPluginCompile";
  return kSanitizer == "thread" ? "exit code 66 in LiteRtCompilerPluginCompile"
                                : "exit code 1 in LiteRtCompilerPluginCompile";
}

// What the device's plugin does otherwise than this machine's.
TEST(DeviceCompiler, DisagreementIsFound) {
  const TempFolder folder;
  const struct {
    const char* fault;
    int exit_code;
    const char* detail;
    const char* op = "MUL";
  } kRows[] = {{"misses_rank3_mul", 1, "other ops are selected: here '0:0 op 0 MUL"},
               {"drops_a_call", 1, "the calls differ"},
               {"crashes_in_compile", 1, CrashInCompile()},
               {"swaps_operands", 1, "compiled on the device, output 0 differs", "SUB"},
               {"counts_in_bytecode", 0, "the same outputs, though module 0 differs"}};
  for (const auto& [fault, exit_code, detail, op] : kRows) {
    const Json there = RunJson(
        Healthy() +
            fmt::format("--suite core --filter '{}_float32_2x3x4_NONE/{}' --device-dir {}{}", op,
                        kAgreement, kPlugins, fault) +
            OnDevice(folder),
        exit_code);
    ASSERT_EQ(there["cases"].size(), 1U) << fault;
    EXPECT_THAT(there["cases"][0]["detail"].get<std::string>(), HasSubstr(detail)) << fault;
  }
}

// A vendor whose compiler plugin rewrites graphs, with claims and, in `compiler`, a compiler plugin for the device.
struct RewritingVendor {
  explicit RewritingVendor(const std::string& compiler) {
    namespace fs = std::filesystem;
    folder.File("claims.yaml",
                "claims: 1\nmanufacturer: Rewriting\nsocs: [r1]\n"
                "ops: [{op: ABS, types: [float32]}]\n");
    const std::string built = NPUKIT_BUILD_DIR "/test_plugins/";
    const std::string name = "/libLiteRtCompilerPlugin_Rewriting.so";
    fs::create_directory(folder.path() + "/device");
    fs::copy_file(built + compiler + name, folder.path() + "/device" + name);
    fs::copy_file(desk_dir + "/libLiteRtDispatch_Rewriting.so",
                  folder.path() + "/device/libLiteRtDispatch_Rewriting.so");
  }
  std::string There() const {
    return " --device-dir " + folder.path() + "/device" + OnDevice(folder);
  }

  TempFolder folder;
  const std::string desk_dir = NPUKIT_BUILD_DIR "/test_plugins/rewriting_vendor";
};

// Transformations run on the device, whichever way its host calls patterns; what they leave is compared, too.
TEST(DeviceCompiler, TransformationsAreThoseOfThisMachine) {
  const std::pair<const char*, const char*> kRows[] = {
      {"rewriting_vendor", "passed"},
      {"rewriting_vendor_abi2_2", "passed"},
      {"rewriting_vendor_abi2_3", "passed"},
      {"rewriting_vendor_otherwise",
       "failed: the graph is rewritten otherwise on the device: subgraph 0, op 1 MAXIMUM (y): "
       "inputs is [2,0], expected [0,2]"}};
  for (const auto& [compiler, verdict] : kRows) {
    const RewritingVendor vendor(compiler);
    const bool agrees = std::string(verdict) == "passed";
    const Json report =
        RunJson(fmt::format("--plugin-dir {} --claims {}/claims.yaml --suite core --filter "
                            "'ABS_float32_7/(device|numerics)' {}",
                            vendor.desk_dir, vendor.folder.path(), vendor.There()),
                agrees ? 0 : 1);
    const auto found = VerdictsOf(report);
    EXPECT_GE(found.size(), 2U) << compiler;
    for (const auto& [name, text] : found) {
      const bool is_agreement = name.find(kAgreement) != std::string::npos;
      if (text.starts_with("skipped")) continue;
      EXPECT_THAT(text, HasSubstr(is_agreement ? verdict : "passed")) << compiler << " " << name;
    }
  }
}

// |x| + y in a file.
std::string AbsFile(const TempFolder& folder) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Input("y", kLiteRtElementTypeFloat32, {4});
  Tensor* a = b.Value("a", kLiteRtElementTypeFloat32, {4});
  Tensor* z = b.Value("z", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflAbs, {x}, {a});
  b.AddOp(kLiteRtOpCodeTflAdd, {a, y}, {z});
  b.Output(z);
  std::string path = folder.path() + "/abs.tflite";
  EXPECT_TRUE(SaveModel(*b.BuildUnchecked(), path));
  return path;
}

// Each verb gives what it gives of the same plugin here.
TEST(DeviceCompiler, VerbsRewriteThere) {
  const RewritingVendor vendor("rewriting_vendor");
  const std::string bin = NPUKIT_BUILD_DIR "/bin/npukit-";
  const std::string model = AbsFile(vendor.folder);
  std::vector<std::string> files;
  std::vector<std::string> explained;
  std::vector<std::string> profiles;
  const std::string desk = " --plugin-dir " + vendor.desk_dir;
  for (const std::string& where : {desk, desk + vendor.There()}) {
    const std::string file = vendor.folder.path() + "/out.tflite";
    const Outcome applied = RunTool(model + " -o " + file + where, " 2>&1", bin + "apply");
    EXPECT_EQ(applied.code, 0) << applied.out;
    files.push_back(ReadText(file));
    explained.push_back(RunJson(model + where, 0, bin + "explain")["ops"].dump());
    const Json ran = RunJson(model + " --jit --profile" + where, 0, bin + "run");
    profiles.push_back(ran["profile"].dump());
    const Outcome diff = RunTool(model + where, " 2>&1", bin + "diff");
    EXPECT_EQ(diff.code, 0) << diff.out;
  }
  EXPECT_NE(files[0], "");
  EXPECT_EQ(files[0], files[1]);
  EXPECT_THAT(explained[0], HasSubstr("MAXIMUM"));
  EXPECT_EQ(explained[0], explained[1]);
  EXPECT_EQ(profiles[0], profiles[1]);
}

// x + x in a file.
std::string OneAddFile(const TempFolder& folder) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {2, 5});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {2, 5});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
  b.Output(y);
  const std::string path = folder.path() + "/add.tflite";
  EXPECT_TRUE(SaveModel(*b.BuildUnchecked(), path));
  return path;
}

// The other verbs: the same file ahead of time, and at load the NPU at work.
TEST(DeviceCompiler, VerbsCompileThere) {
  const TempFolder folder;
  const std::string bin = NPUKIT_BUILD_DIR "/bin/npukit-";
  const std::string model = OneAddFile(folder);
  for (const auto& [output, where] :
       {std::pair<const char*, std::string>("here", ""),
        std::pair<const char*, std::string>("there", OnDevice(folder))}) {
    const Outcome applied =
        RunTool(model + " " + Healthy() + where + " -o " + folder.path() + "/" + output, " 2>&1",
                bin + "apply");
    EXPECT_EQ(applied.code, 0) << applied.out;
  }
  EXPECT_NE(ReadText(folder.path() + "/here"), "");
  EXPECT_EQ(ReadText(folder.path() + "/here"), ReadText(folder.path() + "/there"));
  const Json ran =
      RunJson(model + " " + Healthy() + OnDevice(folder) + " --require-npu", 0, bin + "run");
  EXPECT_EQ(ran["placement"]["npu_ops"], 1) << ran.dump();
  const Outcome info = RunTool(Healthy() + Device(folder), " 2>&1", bin + "info");
  EXPECT_EQ(info.code, 0) << info.out;
  EXPECT_THAT(info.out, HasSubstr("SoC models     m1, m2"));
  for (const std::string& wrong : {std::string(" --compile-on-device"), Device(folder)}) {
    const Outcome refused = RunTool(model + " " + Healthy() + wrong + " -o " + folder.path() + "/x",
                                    " 2>&1", bin + "apply");
    EXPECT_EQ(refused.code, 2) << refused.out;
  }
}

// The vendor's libraries and claims in a folder for the device, and nothing of the vendor's for this machine.
std::string DeviceAlone(const TempFolder& folder) {
  return " --device-dir " + kPlugins + "healthy" + OnDevice(folder);
}

// No compiler plugin here, or only another vendor's: the device's is judged, as it is beside one of this machine.
TEST(DeviceCompiler, NeedsNoPluginHere) {
  const TempFolder folder;
  const std::string others = " --plugin-dir " NPUKIT_BUILD_DIR "/test_plugins/rewriting_vendor";
  const auto beside = VerdictsOf(RunJson(Healthy() + "--suite smoke" + OnDevice(folder), 0));
  for (const std::string& here : {std::string(), " --plugin-dir " + folder.path(), others}) {
    const std::string arguments = "--suite smoke" + here + DeviceAlone(folder);
    for (const auto& [name, verdict] : VerdictsOf(RunJson(arguments, 0))) {
      if (name.find(kAgreement) == std::string::npos) {
        EXPECT_EQ(verdict, beside.at(name)) << here << " " << name;
      } else {
        EXPECT_THAT(verdict, HasSubstr("skipped: ")) << here << " " << name;
      }
    }
  }
  const Outcome named = RunTool("--suite smoke --plugin Nobody" + DeviceAlone(folder));
  EXPECT_EQ(named.code, 3);
  EXPECT_THAT(named.out, HasSubstr("no compiler plugin \"Nobody\" for the device"));
}

TEST(DeviceCompiler, ClaimsAreProposedFromThere) {
  const TempFolder folder;
  const std::string proposed = folder.path() + "/claims_";
  const Outcome here = RunTool(Healthy() + "--suite smoke --propose-claims " + proposed + "here");
  EXPECT_EQ(here.code, 0) << here.out;
  const Outcome there =
      RunTool("--suite smoke --propose-claims " + proposed + "there" + DeviceAlone(folder));
  EXPECT_EQ(there.code, 0) << there.out;
  EXPECT_THAT(ReadText(proposed + "there"), HasSubstr("manufacturer: Mimic"));
  EXPECT_EQ(ReadText(proposed + "there"), ReadText(proposed + "here"));
}

// With a compiler plugin here, too, and without.
TEST(DeviceCompiler, SubmissionsAreVerifiedWithoutThePlugin) {
  for (const std::string& here : {std::string(), Healthy()}) {
    const TempFolder folder;
    const std::string report = folder.path() + "/report";
    const Outcome run =
        RunTool(here + "--suite smoke --observations --report " + report + DeviceAlone(folder));
    EXPECT_EQ(run.code, 0) << run.out;
    const std::string archive = folder.path() + "/run.tar";
    const Outcome packed = RunTool("package " + report + " -o " + archive);
    EXPECT_EQ(packed.code, 0) << packed.out;
    const Outcome verified =
        RunTool("verify-submission " + archive + " --plugin-dir " + kPlugins + "healthy");
    EXPECT_EQ(verified.code, 0) << verified.out;
  }
}

// No verb needs --plugin-dir where the device's folder has all that is asked.
TEST(DeviceCompiler, VerbsNeedNoPluginHere) {
  const TempFolder folder;
  const std::string model = OneAddFile(folder);
  const std::string bin = NPUKIT_BUILD_DIR "/bin/npukit-";
  const std::string output = " -o " + folder.path() + "/out.tflite";
  const struct {
    const char* verb;
    std::string arguments;
    int exit_code;
  } kRows[] = {{"apply", output, 0},
               {"explain", "", 0},
               {"run", " --require-npu", 0},
               {"bench", " --require-npu --runs 2", 0},
               {"diff", " --require-npu", 0}};
  for (const auto& [verb, arguments, exit_code] : kRows) {
    const Outcome outcome = RunTool(model + arguments + DeviceAlone(folder), " 2>&1", bin + verb);
    EXPECT_EQ(outcome.code, exit_code) << verb << ": " << outcome.out;
  }
  for (const char* const verb : {"explain", "diff", "reduce"}) {
    const Outcome refused = RunTool(model, " 2>&1", bin + verb);
    EXPECT_EQ(refused.code, 2) << verb;
    EXPECT_THAT(refused.out, HasSubstr("--plugin-dir is required")) << verb;
  }
}

// A model that the device's compiler fails on becomes smaller by trials there.
TEST(DeviceCompiler, ReduceCompilesThere) {
  const TempFolder folder;
  const std::string model = OneAddFile(folder);
  const Outcome outcome = RunTool(model + " --device-dir " + kPlugins + "crashes_in_compile" +
                                      OnDevice(folder) + " -o " + folder.path() + "/small.tflite",
                                  " 2>&1", NPUKIT_BUILD_DIR "/bin/npukit-reduce");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("crashes"));
  EXPECT_THAT(outcome.out, HasSubstr(" --compile-on-device"));
}

TEST(DeviceCompiler, NeedsADevice) {
  const Outcome outcome = RunTool(Healthy() + "--suite smoke --compile-on-device");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("--compile-on-device needs --device"));
}

}  // namespace
}  // namespace npukit::conformance
