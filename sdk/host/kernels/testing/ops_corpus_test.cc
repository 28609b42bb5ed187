// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every model of the shared corpora (FAMILY/NAME.tflite with NAME.in<k>.bin and NAME.out<k>.bin)
// through the kernels: integers byte for byte as TFLite's reference kernels gave them, floats
// within the oracle's bound, both TFLite's and ours. Models with state run as often as the manifest
// says.

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sdk/host/kernels/testing/graph_executor.h"
#include "sdk/host/model/graph/find_signature.h"
#include "sdk/host/model/reading/model_reader.h"
#include "tests/support/shared_dir.h"

namespace npukit::kernels {
namespace {

namespace fs = std::filesystem;

// What the manifest says of a model beside its tensors.
struct Entry {
  int repeat = 1;  // runs with the same inputs, states kept; an output file holds all of them
  std::string signature;
};

std::map<std::string, Entry> ReadManifest(const fs::path& corpus) {
  std::map<std::string, Entry> entries;
  std::ifstream file(corpus / "manifest.jsonl");
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    entries[json.at("name")] = {.repeat = json.value("repeat", 1),
                                .signature = json.value("signature", "")};
  }
  return entries;
}

// Names of known_failures.txt; the reason follows on the line.
std::set<std::string> KnownFailures() {
  std::set<std::string> names;
  std::ifstream file(std::string(NPUKIT_SOURCE_DIR) +
                     "/sdk/host/kernels/testing/known_failures.txt");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(' ')));
  }
  return names;
}

std::vector<uint8_t> ReadBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

fs::path Sibling(const fs::path& model, const std::string& kind, size_t index) {
  fs::path path = model;
  path.replace_extension(fmt::format("{}{}.bin", kind, index));
  return path;
}

struct Verdict {
  std::set<std::string> missing;  // operators without a kernel
  std::string failure;            // empty: passed
  bool propagated = false;        // TFLite's floats were held against whole-graph bounds
};

// Holds an output against TFLite's. `drift`: how far TFLite's state may have come from ours.
std::string CompareGolden(const OracleTensor* oracle, LiteRtElementType type, double drift,
                          const std::vector<uint8_t>& ours, const std::vector<uint8_t>& golden) {
  if (ours.size() != golden.size()) {
    return fmt::format("has {} bytes, TFLite {}", ours.size(), golden.size());
  }
  if (type != kLiteRtElementTypeFloat32) {
    const auto [mine, theirs] = std::mismatch(ours.begin(), ours.end(), golden.begin());
    if (mine == ours.end()) return "";
    return fmt::format("differs from byte {}: {}, TFLite {}", mine - ours.begin(), *mine, *theirs);
  }
  if (oracle == nullptr) return "";
  const OracleTensor theirs = OracleTensor::FromBytes(type, oracle->shape, golden);
  const OracleTensor mine = OracleTensor::FromBytes(type, oracle->shape, ours);
  for (int64_t i = 0; i < oracle->elems(); ++i) {
    for (const OracleTensor* value : {&theirs, &mine}) {
      const double difference = std::abs(value->values[i] - oracle->values[i]);
      if (difference <= oracle->bounds[i] + drift || value->values[i] == oracle->values[i])
        continue;
      if (std::isnan(value->values[i]) && std::isnan(oracle->values[i])) continue;
      return fmt::format("{} at {} is {}, the oracle has {} +- {}",
                         value == &mine ? "ours" : "TFLite's", i, value->values[i],
                         oracle->values[i], oracle->bounds[i]);
    }
  }
  return "";
}

const Subgraph* SubgraphOf(const Model& model, const std::string& signature) {
  const npukit::Signature* found = FindSignature(model, signature);
  return found == nullptr ? &model.main_subgraph() : found->subgraph;
}

// One run's outputs: the run's part of what the files hold.
std::string CompareRun(const testing::GraphExecutor& executor, const Subgraph& subgraph,
                       const fs::path& path, int run, int runs, Verdict& verdict,
                       std::vector<double>& drifts) {
  auto propagated = executor.PropagatedOutputs();
  verdict.propagated = propagated.HasValue();
  if (!propagated && propagated.Error().Status() != kLiteRtStatusErrorUnsupported)
    return "oracle: " + propagated.Error().Message();
  for (size_t i = 0; i < subgraph.outputs.size(); ++i) {
    const Tensor& output = *subgraph.outputs[i];
    std::vector<uint8_t> golden = ReadBytes(Sibling(path, "out", i));
    const size_t bytes = golden.size() / static_cast<size_t>(runs);
    golden.erase(golden.begin(), golden.begin() + static_cast<int64_t>(run * bytes));
    golden.resize(bytes);
    const OracleTensor* oracle = propagated ? &(*propagated)[i] : nullptr;
    const std::string difference =
        CompareGolden(oracle, output.element_type, drifts[i], executor.ValueOf(output), golden);
    if (!difference.empty()) return fmt::format("run {}: output {} {}", run, i, difference);
    if (oracle == nullptr) continue;
    for (double bound : oracle->bounds) drifts[i] = std::max(drifts[i], bound);
  }
  return "";
}

Verdict Judge(const fs::path& path, const Entry& entry) {
  Verdict verdict;
  auto model = LoadModel(path.string());
  if (!model) {
    verdict.failure = model.Error().Message();
    return verdict;
  }
  const Subgraph& subgraph = *SubgraphOf(**model, entry.signature);
  verdict.missing = testing::MissingOperators(subgraph);
  if (!verdict.missing.empty()) return verdict;

  std::vector<std::vector<uint8_t>> inputs;
  for (size_t i = 0; i < subgraph.inputs.size(); ++i)
    inputs.push_back(ReadBytes(Sibling(path, "in", i)));
  testing::GraphExecutor executor(subgraph);
  std::vector<double> drifts(subgraph.outputs.size(), 0.0);
  for (int run = 0; run < entry.repeat && verdict.failure.empty(); ++run) {
    const auto done = run == 0 ? executor.Run(inputs) : executor.Rerun();
    if (!done) {
      verdict.failure = done.Error().Message();
      return verdict;
    }
    verdict.failure = CompareRun(executor, subgraph, path, run, entry.repeat, verdict, drifts);
    if (auto checked = executor.CheckEachOp(); verdict.failure.empty() && !checked)
      verdict.failure = "oracle: " + checked.Error().Message();
  }
  return verdict;
}

// NPUKIT_CORPUS_FILTER=text restricts the run to paths that contain it.
class OpsCorpus : public ::testing::TestWithParam<const char*> {};

TEST_P(OpsCorpus, EveryModelGivesWhatTfliteGives) {
  const fs::path corpus = fs::path(SharedDir()) / GetParam();
  if (!fs::exists(corpus)) {
    GTEST_SKIP() << "no corpus at " << corpus
                 << "; set NPUKIT_SHARED_DIR to compare with TFLite's outputs";
  }
  const char* filter = std::getenv("NPUKIT_CORPUS_FILTER");
  std::map<std::string, Entry> manifest = ReadManifest(corpus);
  const std::set<std::string> known_failures = KnownFailures();
  int passed = 0;
  int failed = 0;
  int propagated = 0;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
    if (entry.path().extension() == ".tflite") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    if (filter != nullptr && path.string().find(filter) == std::string::npos) continue;
    Verdict verdict = Judge(path, manifest[path.stem()]);
    for (const std::string& name : verdict.missing) verdict.failure = "no kernel for " + name;
    verdict.failure.empty() ? ++passed : ++failed;
    propagated += verdict.propagated;
    if (known_failures.contains(path.stem())) {
      EXPECT_NE(verdict.failure, "") << path.stem() << " passes: take it out of known_failures.txt";
    } else {
      EXPECT_EQ(verdict.failure, "") << path.stem();
    }
  }
  std::cout << "corpus: " << passed << " passed, " << failed << " failed of " << paths.size()
            << "; " << propagated << " with bounds over the whole graph\n";
  EXPECT_GT(passed, 0);
}

INSTANTIATE_TEST_SUITE_P(Shared, OpsCorpus, ::testing::Values("ops", "ops2"));

}  // namespace
}  // namespace npukit::kernels
