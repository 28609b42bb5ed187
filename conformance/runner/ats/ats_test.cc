// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Cases to models for LiteRT's accelerator test suite and back, as users run it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "conformance/runner/testing/kit_tool.h"

namespace npukit::conformance {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSuite = R"(
suite: mine
shared:
  ab: &ab {a: {type: float32, shape: [2, 3]}, b: {type: float32, shape: [2, 3]}}
  q: &q {a: {type: int8, shape: [4], quant: {scale: 0.1}}, b: {type: int8, shape: [4], quant: {scale: 0.1}}}
cases:
  - name: add/float
    checks: [partition.selection, numerics.oracle]
    data: [random, extremes]
    graph: &add {inputs: *ab, ops: [{op: ADD, in: [a, b], out: y}], outputs: [y]}
  - {name: same, checks: [numerics.oracle], graph: *add}
  - name: exact
    checks: [numerics.oracle]
    tolerance: exact
    expect: {select: any}
    graph: {inputs: *ab, ops: [{op: MUL, in: [a, b], out: y}], outputs: [y]}
  - name: int8
    checks: [numerics.oracle]
    graph: {inputs: *q, ops: [{op: ADD, in: [a, b], out: {y: {type: int8, quant: {scale: 0.2}}}}], outputs: [y]}
  - name: ranged
    checks: [numerics.oracle]
    graph:
      inputs: {a: {type: float32, shape: [2], range: [0.5, 1]}}
      ops: [{op: LOG, in: [a], out: y}]
      outputs: [y]
  - name: two_graphs
    checks: [numerics.oracle]
    graph:
      inputs: {a: {type: float32, shape: [2, 4]}, g: {type: float32, shape: [4]}}
      ops:
        - op: odml.rms_norm
          in: [a, g]
          out: y
          attributes: {epsilon: 0.001}
          decomposition:
            inputs: {x: {type: float32, shape: [2, 4]}, w: {type: float32, shape: [4]}}
            ops: [{op: MUL, in: [x, w], out: z}]
            outputs: [z]
      outputs: [y]
  - name: left_alone
    checks: [numerics.oracle]
    expect: {select: none}
    graph: {inputs: *ab, ops: [{op: SUB, in: [a, b], out: y}], outputs: [y]}
  - name: no_values
    checks: [compile.stable]
    graph: {inputs: *ab, ops: [{op: SUB, in: [a, b], out: y}], outputs: [y]}
)";

class AtsTest : public ::testing::Test {
 protected:
  // Cases that were left out, with the reason.
  static std::set<std::string> LeftOut(const Json& report) {
    std::set<std::string> all;
    for (const Json& one : report["left_out"]) {
      all.insert(one["case"].get<std::string>() + ": " + one["reason"].get<std::string>());
    }
    return all;
  }
  static std::set<std::string> Models(const Json& report) {
    return report["models"].get<std::set<std::string>>();
  }

  TempFolder folder_;
  const std::string suite_ = folder_.File("mine.yaml", kSuite);
  const std::string out_ = folder_.path() + "/ats";
};

TEST_F(AtsTest, ExportsWhatLiteRtsSuiteCanRun) {
  const Json report = RunJson("export-ats " + out_ + " --suite " + suite_, 0);
  EXPECT_EQ(Models(report), (std::set<std::string>{"mine.add.float.tflite", "mine.exact.tflite"}));
  EXPECT_EQ(LeftOut(report),
            (std::set<std::string>{
                "mine/same: another case has the same model",
                "mine/int8: it can't fill inputs of int8",
                "mine/ranged: an input must lie in a range that it does not keep to",
                "mine/two_graphs: it takes models of one subgraph",
            }));
  // It reads every file of the folder as a model, and none below it.
  for (const auto& entry : fs::directory_iterator(out_)) {
    EXPECT_TRUE(entry.is_directory() || entry.path().extension() == ".tflite") << entry.path();
  }
  const Outcome again = RunTool("export-ats " + out_ + " --suite " + suite_);
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.out, HasSubstr("already there"));
}

TEST_F(AtsTest, MakesQuantisedEndsFloat) {
  const Json report =
      RunJson("export-ats " + out_ + " --float-ends --op ADD --filter int8 --suite " + suite_, 0);
  EXPECT_EQ(Models(report), (std::set<std::string>{"mine.int8.tflite"}));
  const std::string tools = std::string(NPUKIT_BUILD_DIR) + "/bin/";
  const Outcome model = RunTool("inspect " + out_ + "/mine.int8.tflite", " 2>&1", tools + "npukit");
  EXPECT_EQ(model.code, 0) << model.out;
  EXPECT_LT(model.out.find("QUANTIZE"), model.out.find("ADD"));
  EXPECT_LT(model.out.find("ADD"), model.out.find("DEQUANTIZE")) << model.out;
  EXPECT_EQ(RunTool("run " + out_ + "/mine.int8.tflite", " 2>&1", tools + "npukit").code, 0);
}

TEST_F(AtsTest, KeepsToClaims) {
  const std::string claims = folder_.File("c.yaml",
                                          "claims: 1\nmanufacturer: C\nsocs: [c]\nops:\n"
                                          "  - {op: MUL, types: [float32]}\n");
  const Json report =
      RunJson("export-ats " + out_ + " --claims " + claims + " --suite " + suite_, 0);
  EXPECT_EQ(Models(report), (std::set<std::string>{"mine.exact.tflite"}));
  EXPECT_TRUE(LeftOut(report).contains("mine/add/float: an op is not claimed"));
}

TEST_F(AtsTest, SaysWhenNothingFits) {
  const Json report = RunJson("export-ats " + out_ + " --filter ranged --suite " + suite_, 1);
  EXPECT_EQ(Models(report), (std::set<std::string>{}));
  const Outcome no_suite = RunTool("export-ats " + out_ + "2 --suite nonsense");
  EXPECT_EQ(no_suite.code, 2);
  EXPECT_FALSE(fs::exists(out_ + "2"));
  EXPECT_EQ(RunTool("export-ats " + out_ + "2 --filter '('").code, 2);
  const Outcome no_op = RunTool("export-ats " + out_ + "2 --op ADDD");
  EXPECT_EQ(no_op.code, 2);
  EXPECT_THAT(no_op.out, HasSubstr("--op: unknown operator 'ADDD'; expected a builtin's name"));
  const Outcome no_case = RunTool("export-ats " + out_ + "2 --filter nosuchcase");
  EXPECT_EQ(no_case.code, 2);
  EXPECT_THAT(no_case.out, HasSubstr("--filter: no case's name has 'nosuchcase' in it"));
  EXPECT_FALSE(fs::exists(out_ + "2"));
}

TEST_F(AtsTest, ComesBackAsTheCasesItWas) {
  RunJson("export-ats " + out_ + " --suite " + suite_, 0);
  const std::string back = folder_.path() + "/back.yaml";
  const Json report = RunJson("import-ats " + out_ + " -o " + back, 0);
  EXPECT_EQ(report["models"], 2);
  const std::string yaml = ReadText(back);
  EXPECT_THAT(
      yaml,
      HasSubstr("  - name: mine.add.float\n    checks: [partition.selection, numerics.oracle]\n"
                "    model: 'ats/mine.add.float.tflite'\n    expect: {select: claimed}\n    data: "
                "[random, extremes]\n"));
  EXPECT_THAT(yaml, HasSubstr("tolerance: exact\n    expect: {select: any}\n"));
  const Json judged = RunJson(Healthy() + "--suite " + back, 0);
  EXPECT_EQ(judged["verdict"], "conformant");
  EXPECT_GE(judged["summary"]["passed"], 3);
}

TEST_F(AtsTest, TakesModelsOfOthers) {
  RunJson("export-ats " + out_ + " --suite " + suite_, 0);
  fs::remove_all(out_ + "/npukit");
  fs::rename(out_ + "/mine.exact.tflite", out_ + "/ats_7_inference ExtraModel.tflite");
  std::ofstream(out_ + "/broken.tflite") << "no model";
  std::ofstream(out_ + "/notes.txt") << "no model";
  const std::string back = folder_.path() + "/back.yaml";
  const Outcome outcome = RunTool("import-ats " + out_ + " -o " + back + " --name theirs");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("broken.tflite"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("notes.txt")));
  EXPECT_THAT(ReadText(back), HasSubstr("suite: theirs\n"));
  EXPECT_THAT(ReadText(back), HasSubstr("- name: ats_7_inference_ExtraModel\n"));
  EXPECT_EQ(RunJson(Healthy() + "--suite " + back, 0)["verdict"], "conformant");
  EXPECT_EQ(RunTool("import-ats " + folder_.path() + "/none -o " + back).code, 2);
}

}  // namespace
}  // namespace npukit::conformance
