// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Exact cycles of whole models on all chips against cycles_golden.txt, and the tables of
// docs/performance.md against that file. A change that makes a model faster or slower shows here;
// with NPUKIT_UPDATE_GOLDENS set, file and tables take what was measured.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/metrics.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "reference_plugin/tests/model_cycles.h"
#include "sdk/host/model/graph/fixed_shapes.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/samples/sample_models.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"
#include "simulator/hw/hardware.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

const std::string kGoldenFile = NPUKIT_SOURCE_DIR "/reference_plugin/tests/cycles_golden.txt";
const std::string kDocsFile = NPUKIT_SOURCE_DIR "/docs/performance.md";
constexpr std::array<const char*, 3> kSocs = {"acme_a0", "acme_a1", "acme_a2"};
// Below, the way to the DRAM and back is all that counts.
constexpr int64_t kFewMacs = 100'000;

using OnSocs = std::array<ModelCycles, kSocs.size()>;
using Table = std::map<std::string, OnSocs>;

bool Updating() { return std::getenv("NPUKIT_UPDATE_GOLDENS") != nullptr; }

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << "cannot read " << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteText(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  EXPECT_TRUE(file << text << std::flush) << "cannot write " << path;
}

// A line a model: its name, multiply-accumulates on the NPU, and of each chip cycles, roofline
// cycles and their ratio.
std::string ToText(const Table& table) {
  std::string text = "# Rewritten by the command in docs/performance.md.\n# model macs";
  for (const char* soc : kSocs) text += fmt::format(" {} roofline ratio", soc);
  text += "\n";
  for (const auto& [name, socs] : table) {
    text += fmt::format("{} {}", name, socs[0].macs);
    for (const ModelCycles& on : socs)
      text += fmt::format(" {} {} {:.2f}", on.cycles, on.roofline_cycles, on.ratio());
    text += "\n";
  }
  return text;
}

Table ParseTable(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream fields(line);
    std::string name;
    int64_t macs = 0;
    double ratio = 0;
    fields >> name >> macs;
    OnSocs socs;
    for (ModelCycles& on : socs) {
      fields >> on.cycles >> on.roofline_cycles >> ratio;
      on.macs = macs;
    }
    EXPECT_TRUE(fields) << kGoldenFile << ": '" << line << "' is no line of a model";
    EXPECT_TRUE(table.emplace(name, socs).second) << name << " occurs twice";
  }
  return table;
}

bool Counts(const OnSocs& socs) { return socs[0].macs > kFewMacs; }

// Geometric mean of cycles / roofline cycles, and the largest, of models that are not tiny.
struct Summary {
  double mean = 0;
  double largest = 0;
  std::string of;
};
Summary Summarize(const Table& table, size_t soc) {
  Summary summary;
  double logs = 0;
  int count = 0;
  for (const auto& [name, socs] : table) {
    if (!Counts(socs) || socs[soc].roofline_cycles == 0) continue;
    logs += std::log(socs[soc].ratio());
    ++count;
    if (socs[soc].ratio() <= summary.largest) continue;
    summary.largest = socs[soc].ratio();
    summary.of = name;
  }
  summary.mean = count > 0 ? std::exp(logs / count) : 0;
  return summary;
}

// What each model won or lost; empty if nothing changed.
std::string Differences(const Table& before, const Table& now) {
  std::string text;
  for (const auto& [name, socs] : now) {
    const auto old = before.find(name);
    if (old == before.end()) {
      text += fmt::format("  {}: is new\n", name);
      continue;
    }
    for (size_t soc = 0; soc < kSocs.size(); ++soc) {
      const ModelCycles& was = old->second[soc];
      const ModelCycles& is = socs[soc];
      if (was == is) continue;
      const double percent = was.cycles > 0 ? 100.0 * static_cast<double>(is.cycles - was.cycles) /
                                                  static_cast<double>(was.cycles)
                                            : 0;
      text +=
          fmt::format("  {} {}: {} -> {} cycles ({:+.1f}%), roofline {} -> {}, {:.2f} -> {:.2f}\n",
                      name, kSocs[soc], was.cycles, is.cycles, percent, was.roofline_cycles,
                      is.roofline_cycles, was.ratio(), is.ratio());
    }
  }
  for (const auto& [name, socs] : before) {
    if (!now.contains(name)) text += fmt::format("  {}: is gone\n", name);
  }
  if (text.empty()) return text;
  for (size_t soc = 0; soc < kSocs.size(); ++soc) {
    text += fmt::format("  geometric mean of cycles / roofline on {}: {:.3f} -> {:.3f}\n",
                        kSocs[soc], Summarize(before, soc).mean, Summarize(now, soc).mean);
  }
  return text;
}

// All models of the shared folder that have an op for the NPU, and the project's own.
std::vector<std::string> ModelFiles() {
  std::vector<std::string> files;
  for (const char* folder : {"/models", "/models2"}) {
    for (const auto& entry : std::filesystem::directory_iterator(SharedDir() + folder)) {
      if (entry.path().extension() == ".tflite") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

using Cycles = std::map<std::string, ModelCycles>;

void Measure(const std::string& name, Model& model, const char* soc, Cycles& all) {
  FixDynamicShapes(model);
  auto cycles = TimeModel(model, soc);
  if (!cycles) {
    ADD_FAILURE() << name << " on " << soc << ": " << cycles.Error().Message();
    return;
  }
  EXPECT_GE(cycles->cycles, cycles->roofline_cycles) << name << " on " << soc;
  // Caches are in place, as `npukit generate` binds them.
  cycles->copy_cycles = 0;
  EXPECT_TRUE(all.emplace(name, *cycles).second) << name << " occurs twice";
}

Cycles MeasureAll(const char* soc) {
  Cycles all;
  for (const SampleModel& sample : SampleModels())
    Measure(std::string(sample.name), *Sample(sample.name), soc, all);
  for (const std::string& path : ModelFiles()) {
    const auto model = LoadModel(path);
    if (model) {
      Measure(std::filesystem::path(path).stem().string(), **model, soc, all);
    } else {
      ADD_FAILURE() << path << ": " << model.Error().Message();
    }
  }
  return all;
}

TEST(AcmeModelCycles, EqualTheGoldenFile) {
  if (!std::filesystem::exists(SharedDir() + "/models2"))
    GTEST_SKIP() << "not tested: there are no models in " << SharedDir();
  std::array<std::future<Cycles>, kSocs.size()> runs;
  for (size_t soc = 0; soc < kSocs.size(); ++soc)
    runs[soc] = std::async(std::launch::async, MeasureAll, kSocs[soc]);
  Table now;
  for (size_t soc = 0; soc < kSocs.size(); ++soc) {
    for (const auto& [name, cycles] : runs[soc].get()) {
      if (cycles.cycles > 0) now[name][soc] = cycles;
    }
  }
  const std::string changes = Differences(ParseTable(ReadText(kGoldenFile)), now);
  if (Updating()) {
    std::printf("%s", changes.c_str());
    return WriteText(kGoldenFile, ToText(now));
  }
  EXPECT_EQ(changes, "") << "If this is meant, update " << kGoldenFile
                         << " (docs/performance.md). What each model won or lost:\n"
                         << changes;
}

// Also where the models are absent: the file is what was written.
TEST(AcmeModelCycles, GoldenFileIsWhatItsNumbersGive) {
  const std::string text = ReadText(kGoldenFile);
  EXPECT_EQ(text, ToText(ParseTable(text)));
}

std::string Percent(double part) { return fmt::format("{:.1f}%", 100 * part); }

double Utilisation(const ModelCycles& on, const char* soc) {
  const auto hardware = acme::BuiltinHardware(soc);
  return static_cast<double>(on.macs) /
         static_cast<double>(on.cycles * hardware->PeakMacsPerCycle());
}

std::string DocsTables(const Table& table) {
  std::string text =
      "| chip | geometric mean of cycles / roofline | largest | of |\n| --- | --- | --- | --- |\n";
  for (size_t soc = 0; soc < kSocs.size(); ++soc) {
    const Summary summary = Summarize(table, soc);
    text += fmt::format("| {} | {:.2f} | {:.2f} | {} |\n", kSocs[soc], summary.mean,
                        summary.largest, summary.of);
  }
  text += "\n| model | million MACs |";
  for (const char* soc : kSocs) text += fmt::format(" {}: cycles | ratio | utilisation |", soc);
  text += "\n| --- | --- |";
  for (size_t i = 0; i < kSocs.size(); ++i) text += " --- | --- | --- |";
  text += "\n";
  for (const auto& [name, socs] : table) {
    if (!Counts(socs)) continue;
    text += fmt::format("| {} | {:.1f} |", name, static_cast<double>(socs[0].macs) / 1e6);
    for (size_t soc = 0; soc < kSocs.size(); ++soc) {
      text += fmt::format(" {} | {:.2f} | {} |", socs[soc].cycles, socs[soc].ratio(),
                          Percent(Utilisation(socs[soc], kSocs[soc])));
    }
    text += "\n";
  }
  return text;
}

TEST(AcmeModelCycles, DocumentationHasTheTables) {
  constexpr char kBegin[] = "<!-- made from cycles_golden.txt: begin -->\n";
  constexpr char kEnd[] = "<!-- made from cycles_golden.txt: end -->\n";
  const std::string docs = ReadText(kDocsFile);
  const size_t begin = docs.find(kBegin);
  const size_t end = docs.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const size_t first = begin + sizeof(kBegin) - 1;
  const std::string tables = DocsTables(ParseTable(ReadText(kGoldenFile)));
  if (Updating()) return WriteText(kDocsFile, docs.substr(0, first) + tables + docs.substr(end));
  EXPECT_EQ(docs.substr(first, end - first), tables)
      << kDocsFile << " says otherwise than " << kGoldenFile;
}

// Of one inference, all partitions together, as `npukit bench --jit` counts them.
litert::Expected<ModelCycles> RunModel(std::unique_ptr<Model> model, const std::string& soc,
                                       SessionPlacement& placement) {
  LITERT_ASSIGN_OR_RETURN(
      auto session,
      Session::Create(std::move(model), {.plugin_dir = kPluginDir, .jit = true, .soc = soc}));
  placement = session->placement();
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner());
  FillRandomInputs(*runner, 7);
  LITERT_RETURN_IF_ERROR(runner->StartMetrics(NPUKIT_METRICS_DETAIL_PER_OP));
  LITERT_RETURN_IF_ERROR(runner->Run());
  LITERT_ASSIGN_OR_RETURN(const auto metrics, runner->StopMetrics());
  ModelCycles sum;
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (runner->steps()[i].target != Target::kNpu) continue;
    const auto cycles = metrics[i].Number(NPUKIT_METRIC_CYCLES);
    const auto roofline = metrics[i].Number(NPUKIT_METRIC_ROOFLINE_CYCLES);
    const auto macs = metrics[i].Number(NPUKIT_METRIC_MACS);
    if (!cycles || !roofline || !macs)
      return litert::Unexpected(litert::Status::kErrorRuntimeFailure, "no cycles were reported");
    sum.cycles += static_cast<int64_t>(*cycles);
    sum.roofline_cycles += static_cast<int64_t>(*roofline);
    sum.macs += static_cast<int64_t>(*macs);
  }
  LITERT_RETURN_IF_ERROR(session->Close());
  return sum;
}

class AcmeSampleCycles : public testing::TestWithParam<SampleModel> {};

TEST_P(AcmeSampleCycles, AreTheSameWhenValuesAreComputed) {
  for (const char* soc : kSocs) {
    SessionPlacement placement;
    const auto run = RunModel(Sample(GetParam().name), soc, placement);
    ASSERT_TRUE(run) << run.Error().Message();
    EXPECT_EQ(placement.fallback_reason, "");
    // Language models have ops that stay on the CPU.
    if (!GetParam().name.starts_with("toy_")) {
      EXPECT_EQ(placement.partitions, 1u);
      EXPECT_EQ(placement.cpu_ops, 0u);
    }
    // Inputs that are not set are zeros: the first position.
    const auto timed = TimeModel(*Sample(GetParam().name), soc, TimedPrograms::kOfFirstPositions);
    ASSERT_TRUE(timed) << timed.Error().Message();
    EXPECT_EQ(run->cycles, timed->cycles + timed->copy_cycles) << soc;
    EXPECT_EQ(run->roofline_cycles, timed->roofline_cycles) << soc;
    EXPECT_EQ(run->macs, timed->macs) << soc;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, AcmeSampleCycles, testing::ValuesIn(SampleModels()),
                         [](const auto& info) { return std::string(info.param.name); });

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
  const auto cycles = RunModel(std::move(*model), "acme_a1", placement);
  ASSERT_TRUE(cycles) << cycles.Error().Message();
  EXPECT_EQ(placement.cpu_ops, 0u);
  EXPECT_LE(cycles->ratio(), 1.5);
}

}  // namespace
}  // namespace npukit
