// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SoCs that are described by a file: the compile spec "soc_file" and the tools' --soc-file.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/metrics.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "reference_plugin/tests/npu_and_cpu.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string TempFile(const std::string& name) { return testing::TempDir() + "npukit_soc_" + name; }

std::string WriteSoc(const std::string& name, const std::string& text) {
  const std::string path = TempFile(name + ".yaml");
  std::ofstream(path) << text;
  return path;
}

std::string Small() {
  return WriteSoc("small",
                  "base: acme_a1\nname: small\narray: {rows: 16, cols: 24}\n"
                  "scratchpad: {bytes: 100000}\n");
}

CompileSpecRequest SocFile(const std::string& path) {
  return {.spec = {.key = NPUKIT_SPEC_SOC_FILE, .bytes = {path.begin(), path.end()}},
          .where = "test"};
}

// The SoC's name and the cycles, as the dispatch library reports them.
struct Measured {
  std::string soc;
  double cycles = 0;
  bool operator==(const Measured&) const = default;
};

litert::Expected<Measured> Measure(const SessionOptions& options) {
  LITERT_ASSIGN_OR_RETURN(auto session, Session::Create(Sample("gated_classifier_int8"), options));
  EXPECT_EQ(session->placement().fallback_reason, "");
  EXPECT_EQ(session->placement().cpu_ops, 0u);
  SignatureRunner& runner = session->default_runner();
  FillRandomInputs(runner, 1);
  LITERT_RETURN_IF_ERROR(runner.StartMetrics(0));
  LITERT_RETURN_IF_ERROR(runner.Run());
  LITERT_ASSIGN_OR_RETURN(const auto metrics, runner.StopMetrics());
  Measured sum;
  for (const DispatchMetrics& metric : metrics) {
    sum.soc = metric.Text(NPUKIT_METRIC_SOC).value_or("");
    sum.cycles += metric.Number(NPUKIT_METRIC_CYCLES).value_or(0);
  }
  return sum;
}

TEST(SocFile, TheCompilerPlansForIt) {
  SessionOptions options{.plugin_dir = kPluginDir, .jit = true};
  const auto standard = Measure(options);
  ASSERT_TRUE(standard) << standard.Error().Message();
  // The default chip by another name takes the same time; a faster DRAM alone less.
  options.placement.specs = {SocFile(WriteSoc("twin", "base: acme_a1\nname: twin\n"))};
  const auto twin = Measure(options);
  ASSERT_TRUE(twin) << twin.Error().Message();
  EXPECT_EQ(twin->soc, "twin");
  EXPECT_EQ(twin->cycles, standard->cycles);
  options.placement.specs = {
      SocFile(WriteSoc("fast", "base: acme_a1\nname: fast\ndram: {bytes_per_cycle: 64}\n"))};
  const auto fast = Measure(options);
  ASSERT_TRUE(fast) << fast.Error().Message();
  EXPECT_LT(fast->cycles, standard->cycles);
  options.placement.specs = {SocFile(Small())};
  const auto small = Measure(options);
  ASSERT_TRUE(small) << small.Error().Message();
  EXPECT_EQ(small->soc, "small");
  EXPECT_GT(small->cycles, standard->cycles);
}

// A network with what plans differ in: weights, windows, rows and sums of two values.
void BuildMixed(ModelBuilder& b) {
  const auto type = kLiteRtElementTypeInt8;
  std::mt19937 random(3);
  const auto weights = [&](const char* name, const std::vector<int32_t>& shape) {
    size_t count = 1;
    for (int32_t dim : shape) count *= static_cast<size_t>(dim);
    std::vector<int8_t> values(count);
    for (int8_t& value : values)
      value = static_cast<int8_t>(static_cast<int>(random() % 255) - 127);
    return b.Constant<int8_t>(name, shape, values, PerTensor(0.01f));
  };
  Tensor* x = b.Input("x", type, {1, 14, 15, 8}, PerTensor(0.05f, 3));
  Tensor* a = b.Value("a", type, {1, 14, 15, 40}, PerTensor(0.1f, -5));
  Conv2DOptions conv;
  conv.stride_h = conv.stride_w = 1;
  b.AddOp(kLiteRtOpCodeTflConv2d, conv, {x, weights("w1", {40, 3, 3, 8}), nullptr}, {a}, 3);
  Tensor* d = b.Value("d", type, {1, 14, 15, 40}, PerTensor(0.1f, 1));
  DepthwiseConv2DOptions depthwise;
  depthwise.stride_h = depthwise.stride_w = depthwise.depth_multiplier = 1;
  b.AddOp(kLiteRtOpCodeTflDepthwiseConv2d, depthwise, {a, weights("w2", {1, 3, 3, 40}), nullptr},
          {d}, 3);
  Tensor* sum = b.Value("sum", type, {1, 14, 15, 40}, PerTensor(0.2f, 0));
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {a, d}, {sum});
  b.Output(sum);
}

// A convolution of int8 over [1, h, w, c], with its border.
auto ConvOf(const std::vector<int32_t>& x_shape, const std::vector<int32_t>& w_shape) {
  return [=](ModelBuilder& b) {
    const auto type = kLiteRtElementTypeInt8;
    Tensor* x = b.Input("x", type, x_shape, PerTensor(0.05f, 3));
    size_t count = 1;
    for (const int32_t extent : w_shape) count *= static_cast<size_t>(extent);
    std::vector<int8_t> weights(count);
    std::mt19937 random(4);
    for (int8_t& weight : weights) weight = static_cast<int8_t>(random() % 255);
    Tensor* w = b.Constant<int8_t>("w", w_shape, weights, PerTensor(0.001f));
    std::vector<int32_t> y_shape = x_shape;
    y_shape[3] = w_shape[0];
    Tensor* y = b.Value("y", type, y_shape, PerTensor(0.1f, -5));
    Conv2DOptions conv;
    conv.stride_h = conv.stride_w = 1;
    b.AddOp(kLiteRtOpCodeTflConv2d, conv, {x, w, nullptr}, {y}, 3);
    b.Output(y);
  };
}

TEST(SocFile, SlicesOfChannelsSuitAnyArray) {
  for (const int rows : {29, 7, 50}) {
    const std::string soc =
        WriteSoc("sliced", fmt::format("base: acme_a0\nname: sliced\narray: {{rows: {}}}\n"
                                       "dram: {{burst_bytes: 128}}\n",
                                       rows));
    // Channels and weights that a small scratchpad takes in slices.
    ExpectNpuEqualsCpu({"deep", ConvOf({1, 33, 33, 480}, {160, 1, 1, 480})}, soc);
  }
}

// Of sums of 360 and 300 products in another order.
constexpr double kSumError = 1e-3;
constexpr double kSumErrorOfOne = 1e-5;

void BuildRealProducts(ModelBuilder& b) {
  const auto type = kLiteRtElementTypeFloat32;
  std::mt19937 random(5);
  const auto weights = [&](const char* name, const std::vector<int32_t>& shape, size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
    return b.Constant<float>(name, shape, values);
  };
  Tensor* x = b.Input("x", type, {1, 7, 9, 40});
  Tensor* a = b.Value("a", type, {1, 7, 9, 300});
  Conv2DOptions conv;
  conv.stride_h = conv.stride_w = 1;
  b.AddOp(kLiteRtOpCodeTflConv2d, conv,
          {x, weights("w1", {300, 3, 3, 40}, size_t{300} * 9 * 40), nullptr}, {a}, 3);
  Tensor* y = b.Value("y", type, {1, 7, 9, 70});
  FullyConnectedOptions product;
  product.keep_num_dims = true;
  b.AddOp(kLiteRtOpCodeTflFullyConnected, product,
          {a, weights("w2", {70, 300}, size_t{70} * 300), nullptr}, {y}, 4);
  b.Output(y);
}

// A chip of any geometry: powers of two, as chips have them, and others.
std::string RandomSoc(std::mt19937& random) {
  const auto within = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const auto extent = [&] { return within(0, 1) == 0 ? within(1, 70) : 8 << within(0, 4); };
  const auto flag = [&] { return within(0, 1) == 0 ? "false" : "true"; };
  std::string soc = "base: acme_a1\nname: random\n";
  soc += fmt::format(
      "array: {{rows: {}, cols: {}, weight_rows_per_cycle: {}, row_groups: {}, col_groups: {}, "
      "double_buffered_weights: {}, overlap: {}}}\n",
      extent(), extent(), within(1, 8), 1 << within(0, 4), 1 << within(0, 4), flag(), flag());
  soc += fmt::format("accumulators: {{rows: {}, read_rows_per_cycle: {}}}\n", within(64, 3000),
                     within(1, 4));
  soc += fmt::format("scratchpad: {{bytes: {}, banks: {}, word_bytes: {}}}\n",
                     within(40000, 300000), within(1, 32), 4 << within(0, 4));
  soc += fmt::format("vector: {{lanes: {}, lanes_16: {}, lanes_32: {}, depthwise_taps: {}}}\n",
                     within(1, 100), within(1, 64), within(1, 32), within(1, 10));
  soc += fmt::format("dram: {{bytes_per_cycle: {}, latency_cycles: {}, burst_bytes: {}}}\n",
                     within(1, 64), within(0, 300), 1 << within(0, 7));
  return soc;
}

TEST(SocFile, RandomChipsComputeWhatTheCpuDoes) {
  std::mt19937 random(7);
  for (int i = 0; i < 24; ++i) {
    const std::string text = RandomSoc(random);
    SCOPED_TRACE(text);
    const std::string soc = WriteSoc("random", text);
    ExpectNpuEqualsCpu({"mixed", BuildMixed}, soc);
    ExpectNpuEqualsCpu({"deep", ConvOf({1, 17, 19, 150}, {90, 3, 3, 150})}, soc);
    ExpectNpuEqualsCpu({"real", BuildRealProducts, kSumError, kSumErrorOfOne}, soc);
  }
}

// Weights then fill a part of its columns.
TEST(SocFile, AnArrayMayBeLargeBesideItsScratchpad) {
  for (const char* array : {"rows: 64, cols: 256", "rows: 128, cols: 128", "rows: 200, cols: 67"}) {
    const std::string soc =
        WriteSoc("wide", fmt::format("base: acme_a0\nname: wide\narray: {{{}}}\n"
                                     "scratchpad: {{bytes: 199171}}\n",
                                     array));
    ExpectNpuEqualsCpu({"mixed", BuildMixed}, soc);
    ExpectNpuEqualsCpu({"real", BuildRealProducts, kSumError, kSumErrorOfOne}, soc);
  }
}

void BuildProduct(ModelBuilder& b) {
  const auto type = kLiteRtElementTypeInt8;
  Tensor* x = b.Input("x", type, {1, 64}, PerTensor(0.05f, 3));
  Tensor* w =
      b.Constant<int8_t>("w", {8, 64}, std::vector<int8_t>(size_t{8} * 64, 5), PerTensor(0.01f));
  Tensor* y = b.Value("y", type, {1, 8}, PerTensor(0.1f, -5));
  b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, w, nullptr}, {y}, 4);
  b.Output(y);
}

TEST(SocFile, WhatDoesNotFitIsDeclined) {
  const auto chip = [](const std::string& bytes) {
    return WriteSoc("tiny", "base: acme_a0\nname: tiny\nscratchpad: {bytes: " + bytes + "}\n");
  };
  // A pixel's window of 16 channels is 144 bytes.
  const OpCase window{"window", ConvOf({1, 5, 5, 16}, {8, 3, 3, 16})};
  ExpectDeclined(window, chip("1024"));
  ExpectNpuEqualsCpu(window, chip("65536"));
  ExpectNpuEqualsCpu({"product", BuildProduct}, chip("1024"));
}

// What a device says to a module that was compiled for `compiled_for` when it is the chip of
// `device`; file names, or SoC models.
std::string LoadOn(const std::string& compiled_for, const std::string& device) {
  const bool from_file = compiled_for.ends_with(".yaml");
  auto plugin = LoadedPlugin::Load(kPluginDir + "/libLiteRtCompilerPlugin_AcmeCorp.so");
  EXPECT_TRUE(plugin) << plugin.Error().Message();
  ApplyOptions options{.soc_model = from_file ? "" : compiled_for};
  if (from_file) options.placement.specs = {SocFile(compiled_for)};
  const LoadedPlugin* const plugins[] = {&*plugin};
  auto applied = ApplyPlugins(*Sample("autoencoder_int8"), plugins, options);
  EXPECT_TRUE(applied) << applied.Error().Message();
  SessionOptions session{.plugin_dir = kPluginDir};
  session.placement.specs = {SocFile(device)};
  const auto opened = Session::Create(std::move(applied->model), session);
  return opened ? "" : opened.Error().Message();
}

TEST(SocFile, AnotherChipRefusesTheModule) {
  const std::string twin = WriteSoc("twin", "base: acme_a1\nname: twin\n");
  const std::string refused = "kLiteRtStatusErrorIncompatibleByteCodeVersion";
  EXPECT_EQ(LoadOn("acme_a1", twin), "");  // the same sizes: the same programs
  EXPECT_EQ(LoadOn(Small(), Small()), "");
  EXPECT_THAT(LoadOn("acme_a1", Small()), HasSubstr(refused));
  EXPECT_THAT(LoadOn("acme_a0", twin), HasSubstr(refused));
  EXPECT_THAT(LoadOn(Small(), twin), HasSubstr(refused));
  for (const char* size : {"array: {rows: 17, cols: 24}", "array: {rows: 16, cols: 25}",
                           "accumulators: {rows: 2046}", "scratchpad: {bytes: 200000}"}) {
    const std::string other =
        WriteSoc("other", "base: " + TempFile("small.yaml") + "\nname: small\n" + size + "\n");
    EXPECT_THAT(LoadOn(Small(), other), HasSubstr(refused)) << size;
  }
}

TEST(SocFile, PartitionsOfOneModuleHaveOneChip) {
  SessionOptions options{.plugin_dir = kPluginDir, .jit = true, .one_op_per_partition = true};
  options.placement.specs = {SocFile(Small())};
  options.placement.specs.push_back(SocFile(WriteSoc("twin", "base: acme_a1\nname: twin\n")));
  options.placement.specs.back().partition = 1;
  const auto session = Session::Create(Sample("autoencoder_int8"), options);
  ASSERT_TRUE(session) << session.Error().Message();
  EXPECT_THAT((*session)->placement().fallback_reason,
              HasSubstr("kLiteRtStatusErrorInvalidArgument"));
}

struct Called {
  int exit_code = -1;
  std::string error;
};

Called Call(const std::string& command) {
  const std::string error = TempFile("stderr");
  const int status =
      std::system((NPUKIT_BUILD_DIR "/bin/npukit-" + command + " >/dev/null 2>" + error).c_str());
  std::ifstream text(error);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          std::string(std::istreambuf_iterator<char>(text), {})};
}

TEST(SocFileOption, EveryVerbHasIt) {
  const std::string model = TempFile("model.tflite");
  ASSERT_TRUE(SaveModel(*Sample("autoencoder_int8"), model));
  const std::string plugin = " --plugin-dir " + kPluginDir + " --soc-file " + Small();
  for (const std::string& verb :
       {"explain " + model, "apply " + model + " -o " + model + ".out", "run " + model + " --jit",
        "bench " + model + " --jit --runs 1", "diff " + model, "run " + model + ".out"}) {
    const Called called = Call(verb + plugin);
    EXPECT_EQ(called.exit_code, 0) << verb << ": " << called.error;
  }
  // The compiled model remembers its file; another one is refused.
  EXPECT_EQ(Call("run " + model + ".out --plugin-dir " + kPluginDir).exit_code, 0);
  const std::string twin = WriteSoc("twin", "base: acme_a1\nname: twin\n");
  const Called refused =
      Call("run " + model + ".out --plugin-dir " + kPluginDir + " --soc-file " + twin);
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.error, AllOf(HasSubstr("compiled for small, this is twin"),
                                   HasSubstr("kLiteRtStatusErrorIncompatibleByteCodeVersion")));
}

// Cycles that the conformance kit records of a chip, case by case.
std::vector<std::string> CyclesOf(const std::string& options) {
  const std::string recorded = TempFile("cycles.json");
  std::filesystem::remove(recorded);
  const Called called =
      Call("conform --suite smoke --plugin-dir " + kPluginDir + " --filter numerics.oracle" +
           " --record-baseline " + recorded + options);
  EXPECT_EQ(called.exit_code, 0) << options << called.error;
  std::ifstream stream(recorded);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  const std::regex number("\"cycles\":([0-9]+)");
  return {std::sregex_token_iterator(text.begin(), text.end(), number, 1), {}};
}

TEST(SocFileOption, ConformJudgesTheChip) {
  const std::vector<std::string> standard = CyclesOf("");
  EXPECT_THAT(standard, Not(IsEmpty()));
  EXPECT_EQ(CyclesOf(" --soc-file " + WriteSoc("twin", "base: acme_a1\nname: twin\n")), standard);
  // Neither the plugin's own baseline, which is another chip's, nor anything else fails.
  const std::vector<std::string> small = CyclesOf(" --soc-file " + Small());
  EXPECT_EQ(small.size(), standard.size());
  EXPECT_NE(small, standard);
  EXPECT_EQ(CyclesOf(" --spec soc_file=" + Small()), small);
}

TEST(SocFileOption, AHostileFileIsWrongUsageAndSaysWhere) {
  const std::string model = TempFile("model.tflite");
  ASSERT_TRUE(SaveModel(*Sample("autoencoder_int8"), model));
  struct Case {
    std::string text, says;
  };
  for (const Case& c :
       {Case{"base: acme_a1\nname: x\narray: {rows: 0}\n",
             "hostile.yaml:3:15: array.rows: 0 is not in 1 .. 256"},
        Case{"base: acme_a1\nname: x\narray: {rowz: 8}\n", "hostile.yaml:3:9: "},
        Case{"base: acme_a1\nname: x\n? [a, b]\n: 3\n", "hostile.yaml:3:3: "},
        Case{"base: acme_a9\nname: x\n", "hostile.yaml:1:7: unknown SoC model"},
        Case{"", "hostile.yaml:1:1: "}, Case{"a: *b\n", "hostile.yaml:1:4: "},
        Case{"name: [\n", "hostile.yaml:2:1: "}, Case{std::string(100000, '['), "hostile.yaml:"}}) {
    const std::string file = WriteSoc("hostile", c.text);
    for (const std::string& verb :
         {"explain " + model, "apply " + model + " -o " + model + ".out", "run " + model + " --jit",
          "bench " + model + " --jit", "diff " + model, std::string("conform --suite smoke")}) {
      const Called called = Call(verb + " --plugin-dir " + kPluginDir + " --soc-file " + file);
      EXPECT_EQ(called.exit_code, 2) << verb << ": " << called.error;
      EXPECT_THAT(called.error, HasSubstr(c.says)) << verb;
    }
  }
  EXPECT_EQ(Call("run " + model + " --soc-file " + TempFile("none")).exit_code, 2);
  EXPECT_EQ(Call("run " + model + " --soc acme_a0 --soc-file " + Small()).exit_code, 2);
}

}  // namespace
}  // namespace npukit
