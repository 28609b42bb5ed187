// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is constant in the models of the shared corpora (NPUKIT_SHARED_DIR/ops, ops2) may be computed
// as well: each constant is made an input of the graph, and the outputs must still be TFLite's. So
// every operand that decides a shape is one that only a run shows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/session/session.h"
#include "sdk/host/session/testing/corpus.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

// Makes the constants of these types inputs of the main subgraph, behind its own; gives their values.
std::vector<std::vector<uint8_t>> FreeConstants(Model& model, bool all_types) {
  Subgraph& graph = model.main_subgraph();
  std::vector<std::vector<uint8_t>> values;
  for (const auto& tensor : graph.tensors()) {
    const bool is_integer = tensor->element_type == kLiteRtElementTypeInt32 ||
                            tensor->element_type == kLiteRtElementTypeInt64;
    if (!tensor->is_constant() || tensor->sparsity || tensor->users.empty() ||
        graph.IsOutput(*tensor) || !(is_integer || all_types))
      continue;
    const auto bytes = tensor->weights.bytes();
    values.emplace_back(bytes.begin(), bytes.end());
    tensor->weights.buffer_id = BufferStore::kEmpty;
    graph.inputs.push_back(tensor.get());
  }
  return values;
}

// Operators that need what they read as weights beforehand, in a form of their own.
bool NeedsConstants(const std::string& message) {
  return message.find("must be constant") != std::string::npos;
}

struct Count {
  int passed = 0;
  int as_before = 0;  // nothing to free, or wrong with constants too
  int refused = 0;
};

// What went wrong; empty if all outputs are TFLite's.
std::string Judge(const fs::path& folder, const Json& entry, bool frees, bool all_types,
                  Count& count) {
  auto model = LoadModel((folder / (entry["name"].get<std::string>() + ".tflite")).string());
  if (!model) return model.Error().Message();
  std::vector<std::vector<uint8_t>> freed;
  if (frees) freed = FreeConstants(**model, all_types);
  if (frees && freed.empty()) {
    ++count.as_before;
    return "";
  }
  (*model)->signatures.clear();
  auto session = Session::Create(std::move(*model), {});
  if (!session) {
    if (!NeedsConstants(session.Error().Message())) return session.Error().Message();
    ++count.refused;
    return "";
  }
  SignatureRunner& runner = (*session)->default_runner();
  const size_t own = entry["inputs"].size();
  for (size_t i = 0; i < runner.inputs().size(); ++i) {
    const auto bytes =
        i < own ? ReadFile(folder / entry["inputs"][i]["file"].get<std::string>()) : freed[i - own];
    if (auto set = runner.SetInput(i, bytes); !set) return set.Error().Message();
  }
  for (int run = 0; run < 2; ++run) {  // the second uses plans again
    if (auto ran = runner.Run(); !ran) return ran.Error().Message();
    for (size_t i = 0; i < runner.outputs().size(); ++i) {
      const std::string difference =
          testing::CompareOutput(runner.outputs()[i], runner.output(i),
                                 ReadFile(folder / entry["outputs"][i]["file"].get<std::string>()),
                                 testing::Slack(entry, i));
      if (!difference.empty()) return fmt::format("output {} {}", i, difference);
    }
  }
  count.passed += frees;
  return "";
}

// NPUKIT_CORPUS_FILTER=text looks at names that contain it alone.
void CheckCorpora(bool all_types) {
  const char* filter = std::getenv("NPUKIT_CORPUS_FILTER");
  Count count;
  for (const char* corpus : {"ops", "ops2"}) {
    for (const Json& entry : testing::CorpusCases(kShared / corpus)) {
      const auto name = entry["family"].get<std::string>() + "/" + entry["name"].get<std::string>();
      if (filter != nullptr && name.find(filter) == std::string::npos) continue;
      if (entry.contains("repeat") || entry.contains("signature")) continue;
      const fs::path folder = kShared / corpus / entry["family"].get<std::string>();
      const std::string wrong = Judge(folder, entry, /*frees=*/true, all_types, count);
      if (wrong.empty()) continue;
      // Not for the corpus tests to say twice.
      if (!Judge(folder, entry, /*frees=*/false, all_types, count).empty()) {
        ++count.as_before;
        continue;
      }
      ADD_FAILURE() << corpus << "/" << name << ": " << wrong;
    }
  }
  std::cout << fmt::format("{} as TFLite, {} refused, {} with nothing to see\n", count.passed,
                           count.refused, count.as_before);
}

TEST(ComputedOperands, IntegersGiveWhatConstantsGive) {
  if (!fs::exists(kShared / "ops")) GTEST_SKIP() << "no corpus in " << kShared;
  CheckCorpora(/*all_types=*/false);
}

TEST(ComputedOperands, AllTypesGiveWhatConstantsGive) {
  if (!fs::exists(kShared / "ops")) GTEST_SKIP() << "no corpus in " << kShared;
  CheckCorpora(/*all_types=*/true);
}

}  // namespace
}  // namespace npukit
