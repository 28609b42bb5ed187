// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Exact cycles of whole models on acme_a1 against cycles_golden.txt, and against the bounds that
// the compiler is to keep. A change that makes a model faster or slower shows here; with
// NPUKIT_UPDATE_GOLDENS set, the file takes what was measured.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/metrics.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/sample_models.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

const std::string kGoldenFile = NPUKIT_SOURCE_DIR "/reference_plugin/tests/cycles_golden.txt";
constexpr char kSoc[] = "acme_a1";

struct Cycles {
  int64_t cycles = 0;
  int64_t roofline_cycles = 0;
  bool operator==(const Cycles&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Cycles& cycles) {
  return out << cycles.cycles << " cycles (roofline " << cycles.roofline_cycles << ")";
}

bool Updating() { return std::getenv("NPUKIT_UPDATE_GOLDENS") != nullptr; }

// The golden file: comments, then "MODEL CYCLES ROOFLINE_CYCLES" in order of the names.
struct Golden {
  std::string comments;
  std::map<std::string, Cycles> models;
};

Golden ReadGolden() {
  Golden golden;
  std::ifstream file(kGoldenFile);
  EXPECT_TRUE(file) << "cannot read " << kGoldenFile;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) {
      golden.comments += line + "\n";
      continue;
    }
    std::istringstream fields(line);
    std::string name;
    Cycles cycles;
    std::string rest;
    EXPECT_TRUE(fields >> name >> cycles.cycles >> cycles.roofline_cycles && !(fields >> rest))
        << kGoldenFile << ": '" << line << "' is no line of a model and two numbers";
    EXPECT_TRUE(golden.models.emplace(name, cycles).second) << name << " occurs twice";
  }
  return golden;
}

void WriteGolden(const Golden& golden) {
  std::ofstream file(kGoldenFile);
  file << golden.comments;
  for (const auto& [name, cycles] : golden.models)
    file << name << " " << cycles.cycles << " " << cycles.roofline_cycles << "\n";
  EXPECT_TRUE(file.flush()) << "cannot write " << kGoldenFile;
}

// Of one inference, all partitions together, as `npukit bench --jit` counts them.
litert::Expected<Cycles> MeasureModel(std::unique_ptr<Model> model, SessionPlacement& placement) {
  LITERT_ASSIGN_OR_RETURN(
      auto session,
      Session::Create(std::move(model), {.plugin_dir = kPluginDir, .jit = true, .soc = kSoc}));
  placement = session->placement();
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner());
  FillRandomInputs(*runner, 7);
  LITERT_RETURN_IF_ERROR(runner->StartMetrics(NPUKIT_METRICS_DETAIL_PER_OP));
  LITERT_RETURN_IF_ERROR(runner->Run());
  LITERT_ASSIGN_OR_RETURN(const auto metrics, runner->StopMetrics());
  Cycles sum;
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (runner->steps()[i].target != Target::kNpu) continue;
    const auto cycles = metrics[i].Number(NPUKIT_METRIC_CYCLES);
    const auto roofline = metrics[i].Number(NPUKIT_METRIC_ROOFLINE_CYCLES);
    if (!cycles || !roofline)
      return litert::Unexpected(litert::Status::kErrorRuntimeFailure, "no cycles were reported");
    sum.cycles += static_cast<int64_t>(*cycles);
    sum.roofline_cycles += static_cast<int64_t>(*roofline);
  }
  LITERT_RETURN_IF_ERROR(session->Close());
  return sum;
}

// Zero after a failure, which is reported.
Cycles ExpectGoldenCycles(const std::string& name, std::unique_ptr<Model> model) {
  SessionPlacement placement;
  const auto measured = MeasureModel(std::move(model), placement);
  if (!measured) {
    ADD_FAILURE() << name << ": " << measured.Error().Message();
    return {};
  }
  EXPECT_EQ(placement.fallback_reason, "");
  EXPECT_EQ(placement.partitions, 1u);
  EXPECT_EQ(placement.cpu_ops, 0u);
  Golden golden = ReadGolden();
  if (Updating()) {
    golden.models[name] = *measured;
    WriteGolden(golden);
  } else if (!golden.models.contains(name)) {
    ADD_FAILURE() << name << " is not in " << kGoldenFile;
  } else {
    EXPECT_EQ(*measured, golden.models[name])
        << name << ": if this is meant, update " << kGoldenFile << " (docs/performance.md)";
  }
  return *measured;
}

// The models of the shared folder, with the largest cycles / roofline_cycles that each may have.
struct Bound {
  const char* model;
  double cycles_per_roofline;
};
constexpr Bound kBounds[] = {{"ad01_int8", 1.15},
                             {"kws_ref_int8", 1.6},
                             {"resnet8_int8", 1.6},
                             {"tf2_mobilenet_v2_1.0_224_ptq", 1.5},
                             {"vww_96_int8", 1.6}};

class AcmeSampleCycles : public testing::TestWithParam<SampleModel> {};

TEST_P(AcmeSampleCycles, EqualTheGoldenFile) {
  const Cycles cycles = ExpectGoldenCycles(std::string(GetParam().name), Sample(GetParam().name));
  EXPECT_GT(cycles.roofline_cycles, 0);
  EXPECT_GE(cycles.cycles, cycles.roofline_cycles);
}

INSTANTIATE_TEST_SUITE_P(Samples, AcmeSampleCycles,
                         testing::ValuesIn(SampleModels().begin(), SampleModels().end()),
                         [](const auto& info) { return std::string(info.param.name); });

class AcmeModelCycles : public testing::TestWithParam<Bound> {};

TEST_P(AcmeModelCycles, EqualTheGoldenFileAndKeepTheBound) {
  const std::string name = GetParam().model;
  const std::string path = SharedDir() + "/models/" + name + ".tflite";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "not tested: there is no " << path;
  auto model = LoadModel(path);
  ASSERT_TRUE(model) << model.Error().Message();
  const Cycles cycles = ExpectGoldenCycles(name, std::move(*model));
  ASSERT_GT(cycles.roofline_cycles, 0);
  EXPECT_GE(cycles.cycles, cycles.roofline_cycles);
  EXPECT_LE(static_cast<double>(cycles.cycles),
            GetParam().cycles_per_roofline * static_cast<double>(cycles.roofline_cycles));
}

INSTANTIATE_TEST_SUITE_P(Models, AcmeModelCycles, testing::ValuesIn(kBounds), [](const auto& info) {
  std::string name = info.param.model;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
});

// Four elementwise ops over 512 KiB, of which the scratchpad keeps a quarter for one value: through
// the DRAM they took three times the roofline.
TEST(AcmeChainCycles, ValuesBetweenElementwiseOpsStayInTheScratchpad) {
  constexpr auto kType = kLiteRtElementTypeInt8;
  const std::vector<int32_t> shape = {1, 128, 128, 32};
  ModelBuilder b;
  Tensor* x = b.Input("x", kType, shape, PerTensor(0.05f, -3));
  Tensor* z = b.Input("z", kType, shape, PerTensor(0.03f, 4));
  Tensor* c = b.Constant<int8_t>("c", {32}, std::vector<int8_t>(32, 77), PerTensor(0.01f, 3));
  Tensor* sum = b.Value("sum", kType, shape, PerTensor(0.08f, 1));
  Tensor* positive = b.Value("positive", kType, shape, PerTensor(0.05f, -100));
  Tensor* scaled = b.Value("scaled", kType, shape, PerTensor(0.06f, 2));
  Tensor* y = b.Value("y", kType, shape, PerTensor(0.1f, 5));
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, z}, {sum}, 2);
  b.AddOp(kLiteRtOpCodeTflRelu, {sum}, {positive}, 2);
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {positive, c}, {scaled}, 2);
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, scaled}, {y}, 2);
  b.Output(y);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error().Message();
  SessionPlacement placement;
  const auto cycles = MeasureModel(std::move(*model), placement);
  ASSERT_TRUE(cycles) << cycles.Error().Message();
  EXPECT_EQ(placement.cpu_ops, 0u);
  EXPECT_LE(static_cast<double>(cycles->cycles),
            1.5 * static_cast<double>(cycles->roofline_cycles));
}

// Also where the models are absent: a line that nothing checks is a mistake.
TEST(AcmeCyclesGolden, HasEveryModelAndNoOther) {
  std::set<std::string> expected;
  for (const SampleModel& sample : SampleModels()) expected.insert(std::string(sample.name));
  for (const Bound& bound : kBounds) expected.insert(bound.model);
  Golden golden = ReadGolden();
  if (Updating()) {  // the other tests add what is missing
    std::erase_if(golden.models, [&](const auto& line) { return !expected.contains(line.first); });
    return WriteGolden(golden);
  }
  for (const auto& [name, cycles] : golden.models)
    EXPECT_TRUE(expected.contains(name)) << name << " " << cycles;
  for (const std::string& name : expected) EXPECT_TRUE(golden.models.contains(name)) << name;
}

}  // namespace
}  // namespace npukit
