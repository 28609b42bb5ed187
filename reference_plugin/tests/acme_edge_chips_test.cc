// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Chips of a microcontroller's size, whose scratchpad holds no layer whole: results, and the table
// of docs/performance.md that sets their cycles beside published ones.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "reference_plugin/tests/model_cycles.h"
#include "reference_plugin/tests/npu_and_cpu.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/samples/sample_models.h"
#include "simulator/hw/hardware.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

class AcmeEdgeChips : public OnSoc {};

TEST_P(AcmeEdgeChips, EqualTheCpu) { ExpectNpuEqualsCpu(); }

std::vector<OpCase> Samples() {
  std::vector<OpCase> cases;
  for (const SampleModel& sample : SampleModels()) {
    const std::string name(sample.name);
    // Language models have ops that stay on the CPU.
    if (!name.starts_with("toy_")) cases.push_back({name, nullptr});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Samples, AcmeEdgeChips,
                         testing::Combine(testing::ValuesIn(Samples()),
                                          testing::Values("acme_edge128", "acme_edge256")),
                         OnSoc::Name);

// What others publish of MobileNet v2 1.0 of 224 x 224 pixels, int8.
struct Published {
  const char* chip;  // ours of that size
  const char* npu;
  const char* how;
  int64_t cycles;
};
constexpr std::array kPublished = {
    Published{"acme_edge128", "Arm Ethos-U85-128", "measured", 4738932},
    Published{"acme_edge256", "Arm Ethos-U55-256", "Vela's estimate, 'Sram_Only'", 3159461}};

std::string DocsTable(const Model& model) {
  std::string text =
      "| chip | MACs a cycle | memory, bytes a cycle | cycles | utilisation | beside | its cycles "
      "| ours / its |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Published& other : kPublished) {
    const auto cycles = TimeModel(model, other.chip);
    const auto hardware = acme::BuiltinHardware(other.chip);
    if (!cycles || !hardware) {
      ADD_FAILURE() << other.chip << " can't be timed";
      return "";
    }
    const auto peak = hardware->PeakMacsPerCycle();
    text += fmt::format(
        "| {} | {} | {} | {} | {:.1f}% | {}, {} | {} | {:.2f} |\n", other.chip, peak,
        hardware->dram_bytes_per_cycle, cycles->cycles,
        100.0 * static_cast<double>(cycles->macs) / static_cast<double>(cycles->cycles * peak),
        other.npu, other.how, other.cycles,
        static_cast<double>(cycles->cycles) / static_cast<double>(other.cycles));
  }
  return text;
}

TEST(AcmeEdgeChips, StandBesideOthersAsTheDocumentationSays) {
  const std::string path = SharedDir() + "/models/tf2_mobilenet_v2_1.0_224_ptq.tflite";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "not tested: " << path << " is not there";
  const auto model = LoadModel(path);
  ASSERT_TRUE(model) << model.Error().Message();
  const std::string docs_file = NPUKIT_SOURCE_DIR "/docs/performance.md";
  std::ifstream file(docs_file);
  const std::string docs{std::istreambuf_iterator<char>(file), {}};
  constexpr char kBegin[] = "<!-- made by acme_edge_chips_test: begin -->\n";
  const size_t begin = docs.find(kBegin);
  const size_t end = docs.find("<!-- made by acme_edge_chips_test: end -->\n");
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const size_t first = begin + sizeof kBegin - 1;
  const std::string table = DocsTable(**model);
  if (std::getenv("NPUKIT_UPDATE_GOLDENS") != nullptr) {
    std::ofstream(docs_file) << docs.substr(0, first) << table << docs.substr(end);
    return;
  }
  EXPECT_EQ(docs.substr(first, end - first), table)
      << "if this is meant, `./dev figures` writes it anew";
}

}  // namespace
}  // namespace npukit
