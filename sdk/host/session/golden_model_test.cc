// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whole models on the CPU against what TFLite's reference kernels computed
// (NPUKIT_SHARED_DIR/goldens). Integers must be equal byte for byte. A float output, and TFLite's,
// must lie within the running error bound around the oracle's value.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <sstream>

#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/runtime/diagnostics/numeric_gap.h"
#include "sdk/host/runtime/testing/goldens.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

// One line a model and seed, printed at the end.
struct Line {
  std::string what;
  std::string verdict;
};
std::vector<Line>& Lines() {
  static std::vector<Line> lines;
  return lines;
}

class Summary : public ::testing::Environment {
 public:
  void TearDown() override {
    for (const Line& line : Lines())
      std::printf("%-48s %s\n", line.what.c_str(), line.verdict.c_str());
  }
};

std::string CaseName(const Json& entry) {
  std::string name =
      fmt::format("{}_s{}", entry["model"].get<std::string>(), entry.value("seed", 0));
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

// New shapes for inputs whose golden has another shape than the model.
std::vector<ResizeRequest> Resizes(const Model& model, const Json& entry) {
  std::vector<ResizeRequest> resizes;
  const auto& inputs = model.main_subgraph().inputs;
  for (size_t i = 0; i < inputs.size() && i < entry["inputs"].size(); ++i) {
    auto shape = entry["inputs"][i]["shape"].get<std::vector<int32_t>>();
    if (shape != inputs[i]->shape) resizes.push_back({inputs[i]->name, shape});
  }
  return resizes;
}

// Runs the oracle over all CPU steps, with bounds that add up along the graph. An error if an
// operator cannot bound.
litert::Expected<std::map<const Tensor*, kernels::OracleTensor>> RunOracleGraph(
    const SignatureRunner& runner) {
  std::map<const Tensor*, kernels::OracleTensor> values;
  for (const PortInfo& input : runner.inputs()) {
    values[input.tensor] = kernels::OracleTensor::FromBytes(input.element_type, input.shape,
                                                            runner.TensorBytes(*input.tensor));
  }
  for (const StepInfo& step : runner.steps()) {
    std::vector<const kernels::OracleTensor*> inputs;
    for (const kernels::Operand* operand : step.node->inputs) {
      const auto known = operand == nullptr ? values.end() : values.find(operand->tensor);
      inputs.push_back(known == values.end() ? nullptr : &known->second);
    }
    auto outputs =
        kernels::RunOracle(*step.node, std::span<const kernels::OracleTensor* const>(inputs));
    if (!outputs) return litert::Unexpected(outputs.Error());
    for (size_t i = 0; i < outputs->size(); ++i)
      values[step.outputs[i].tensor] = std::move((*outputs)[i]);
  }
  return values;
}

class GoldenModel : public ::testing::Test {
 public:
  explicit GoldenModel(Json entry)
      : entry_(std::move(entry)), name_(entry_["model"].get<std::string>()) {}

  void TestBody() override {
    const std::string path = (kShared / "models" / (name_ + ".tflite")).string();
    auto model = LoadModel(path);
    ASSERT_TRUE(model) << model.Error();
    const std::vector<ResizeRequest> resizes =
        entry_.contains("inputs") ? Resizes(**model, entry_) : std::vector<ResizeRequest>{};
    auto session = Session::Create(std::move(*model), {.resizes = resizes});
    if (entry_.value("tflite", "") == "refused") {
      ASSERT_FALSE(session) << "a model compiled for a vendor's NPU cannot run without its library";
      EXPECT_THAT(session.Error().Message(), ::testing::HasSubstr("--plugin-dir"));
      return;
    }
    Line& line = Lines().emplace_back(Line{.what = CaseName(entry_), .verdict = "does not run"});
    ASSERT_TRUE(session) << session.Error();  // names all operators that are missing
    line.verdict = "differs";
    Check((*session)->default_runner());
    if (!HasFailure()) Lines().back().verdict = verdict_;
  }

 private:
  void Check(SignatureRunner& runner) {
    ASSERT_EQ(runner.inputs().size(), entry_["inputs"].size());
    for (size_t i = 0; i < runner.inputs().size(); ++i) {
      auto set = runner.SetInput(i, ReadGolden(entry_["inputs"][i]));
      ASSERT_TRUE(set) << set.Error();
    }
    auto run = runner.Run();
    ASSERT_TRUE(run) << run.Error();
    ASSERT_EQ(runner.outputs().size(), entry_["outputs"].size());
    const MemoryReport memory = runner.memory();
    EXPECT_LE(static_cast<double>(memory.arena_bytes),
              1.3 * static_cast<double>(memory.ideal_arena_bytes));
    RecordProperty("arena_bytes", fmt::format("{}", memory.arena_bytes));
    RecordProperty("ideal_arena_bytes", fmt::format("{}", memory.ideal_arena_bytes));

    std::vector<size_t> floats;
    for (size_t i = 0; i < runner.outputs().size(); ++i) {
      const PortInfo& port = runner.outputs()[i];
      const std::vector<uint8_t> golden = ReadGolden(entry_["outputs"][i]);
      ASSERT_EQ(golden.size(), port.size_bytes) << port.name;
      if (port.element_type == kLiteRtElementTypeFloat32) {
        floats.push_back(i);
        continue;
      }
      const auto gap = MeasureGap(*port.tensor, port.shape, golden, runner.output(i));
      ASSERT_TRUE(gap.has_value()) << port.name;
      EXPECT_TRUE(gap->is_exact())
          << port.name << ": " << gap->differing_elems << " of " << gap->elems
          << " elements differ, by up to " << gap->max_steps.value_or(0) << " steps";
    }
    if (floats.size() < runner.outputs().size()) verdict_ = "equal byte for byte";
    if (!floats.empty()) CheckFloats(runner, floats);
  }

  void CheckFloats(SignatureRunner& runner, const std::vector<size_t>& outputs) {
    auto oracle = RunOracleGraph(runner);
    if (!oracle) GTEST_SKIP() << "no bound for its floats: " << oracle.Error().Message();
    for (size_t i : outputs) {
      const PortInfo& port = runner.outputs()[i];
      const std::vector<uint8_t> golden = ReadGolden(entry_["outputs"][i]);
      const kernels::OracleTensor& expected = oracle->at(port.tensor);
      double largest = 0, largest_bound = 0, largest_value = 0;
      auto check = [&](const char* whose, std::span<const uint8_t> actual) {
        const auto* values = reinterpret_cast<const float*>(actual.data());
        for (size_t e = 0; e < expected.values.size(); ++e) {
          const double bound = expected.bounds.empty() ? 0 : expected.bounds[e];
          const double difference = std::abs(static_cast<double>(values[e]) - expected.values[e]);
          largest = std::max(largest, difference);
          largest_bound = std::max(largest_bound, bound);
          largest_value = std::max(largest_value, std::abs(expected.values[e]));
          ASSERT_LE(difference, bound) << whose << " " << port.name << " element " << e << ": "
                                       << values[e] << ", oracle " << expected.values[e];
        }
      };
      check("ours", runner.output(i));
      check("TFLite's", golden);
      verdict_ = fmt::format(
          "within the bound: |value| <= {:.2g}, bound <= {:.2g}{}, differences <= {:.2g}",
          largest_value, largest_bound,
          largest_bound < largest_value ? "" : " (worst cases of all layers add up: no news)",
          largest);
    }
  }

  const Json entry_;
  const std::string name_;
  std::string verdict_;
};

// Op by op, with what the op's inputs really were, the bound is that of one operation: far below
// the values, so that it can fail. Ours for every model with floats; TFLite's own where the goldens
// hold all its tensors.
struct OpByOp {
  double largest_use = 0;    // of an element's bound
  double largest_share = 0;  // of an op's largest bound in its largest value
  size_t ops = 0;
};

// Float activations with 8-bit weights: an implementation may round the activations to 8 bits, as
// TFLite does, and the bound allows it.
bool IsHybrid(const kernels::Node& node) {
  const kernels::Operand* weights = node.input(1);
  return weights != nullptr && weights->type() == kLiteRtElementTypeInt8 &&
         node.outputs[0]->type() == kLiteRtElementTypeFloat32;
}

using BytesOfTensor = std::function<std::vector<uint8_t>(const Tensor&)>;

void CheckOpByOp(SignatureRunner& runner, const BytesOfTensor& bytes_of, OpByOp& seen) {
  for (const StepInfo& step : runner.steps()) {
    if (step.outputs.empty() || step.outputs[0].element_type != kLiteRtElementTypeFloat32) continue;
    std::vector<std::vector<uint8_t>> values;
    for (const kernels::Operand* operand : step.node->inputs) {
      const bool computed = operand != nullptr && !operand->has_constant();
      values.push_back(computed ? bytes_of(*operand->tensor) : std::vector<uint8_t>());
    }
    const std::vector<std::span<const uint8_t>> inputs(values.begin(), values.end());
    auto oracle = kernels::RunOracle(*step.node, std::span<const std::span<const uint8_t>>(inputs));
    ASSERT_TRUE(oracle) << oracle.Error();
    const kernels::OracleTensor& expected = oracle->front();
    auto comparison =
        kernels::CompareWithOracle(*step.node, expected, bytes_of(*step.outputs[0].tensor));
    ASSERT_TRUE(comparison) << comparison.Error();
    EXPECT_TRUE(comparison->ok()) << step.op << " '" << step.name
                                  << "': " << comparison->differing_elems << " outside the bound";
    double bound = 0;
    double value = 0;
    for (size_t e = 0; e < expected.values.size(); ++e) {
      bound = std::max(bound, expected.bounds[e]);
      value = std::max(value, std::abs(expected.values[e]));
    }
    EXPECT_LE(bound, (IsHybrid(*step.node) ? 0.25 : 1e-3) * value)
        << step.op << " '" << step.name << "': the bound says nothing";
    seen.largest_use = std::max(seen.largest_use, comparison->max_bound_use);
    if (value > 0) seen.largest_share = std::max(seen.largest_share, bound / value);
    ++seen.ops;
  }
}

TEST(GoldenModels, FloatsLieWithinTheBoundOfEachOp) {
  if (Manifest().empty()) GTEST_SKIP() << kShared << " is absent";
  for (const Json& entry : Manifest()) {
    if (entry.value("seed", 0) != 1 || !entry.contains("inputs")) continue;
    const auto name = entry["model"].get<std::string>();
    SCOPED_TRACE(name);
    auto model = LoadModel((kShared / "models" / (name + ".tflite")).string());
    ASSERT_TRUE(model) << model.Error();
    const auto resizes = Resizes(**model, entry);
    auto session =
        Session::Create(std::move(*model), {.keep_intermediates = true, .resizes = resizes});
    ASSERT_TRUE(session) << session.Error();
    SignatureRunner& runner = (*session)->default_runner();
    for (size_t i = 0; i < runner.inputs().size(); ++i) {
      ASSERT_TRUE(runner.SetInput(i, ReadGolden(entry["inputs"][i])));
    }
    ASSERT_TRUE(runner.Run());
    const auto note = [&](const char* whose, const OpByOp& seen) {
      if (seen.ops == 0) return;
      Lines().push_back(
          {name, fmt::format("{} within the bounds of {} single ops: bound <= {:.2g} of the value, "
                             "at most {:.2g} of it used",
                             whose, seen.ops, seen.largest_share, seen.largest_use)});
    };
    OpByOp ours;
    CheckOpByOp(
        runner,
        [&](const Tensor& tensor) {
          const auto bytes = runner.TensorBytes(tensor);
          return std::vector<uint8_t>(bytes.begin(), bytes.end());
        },
        ours);
    note("ours", ours);
    const std::filesystem::path tensors = kShared / "goldens" / name / "s1.tensors";
    if (!std::filesystem::exists(tensors)) continue;
    OpByOp theirs;
    CheckOpByOp(
        runner,
        [&](const Tensor& tensor) {
          return ReadFile(tensors / fmt::format("{}.bin", tensor.index));
        },
        theirs);
    note("TFLite's", theirs);
  }
}

TEST(GoldenModels, AreThere) {
  if (!std::filesystem::exists(kShared / "goldens" / "manifest.json")) {
    GTEST_SKIP() << "no golden outputs: " << kShared
                 << " is absent, whole models are not compared with TFLite";
  }
  EXPECT_GT(Manifest().size(), 0u);
}

const bool kRegistered = [] {
  ::testing::AddGlobalTestEnvironment(new Summary);
  for (const Json& entry : Manifest()) {
    testing::RegisterTest("GoldenModel", CaseName(entry).c_str(), nullptr, nullptr, __FILE__,
                          __LINE__, [entry]() -> testing::Test* { return new GoldenModel(entry); });
  }
  return true;
}();

}  // namespace
}  // namespace npukit
