// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every model of the shared corpus (FAMILY/NAME.tflite with NAME.in<k>.bin and NAME.out<k>.bin)
// through the kernels: integers byte for byte as TFLite's reference kernels gave them, floats
// within the oracle's bound, both TFLite's and ours.

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

#include "sdk/host/kernels/testing/graph_executor.h"
#include "sdk/host/model/reading/model_reader.h"
#include "tests/support/shared_dir.h"

namespace npukit::kernels {
namespace {

namespace fs = std::filesystem;

fs::path CorpusDir() { return fs::path(SharedDir()) / "ops"; }

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

// Holds an output against TFLite's.
std::string CompareGolden(const OracleTensor* oracle, LiteRtElementType type,
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
      if (difference <= oracle->bounds[i] || value->values[i] == oracle->values[i]) continue;
      return fmt::format("{} at {} is {}, the oracle has {} +- {}",
                         value == &mine ? "ours" : "TFLite's", i, value->values[i],
                         oracle->values[i], oracle->bounds[i]);
    }
  }
  return "";
}

Verdict Judge(const fs::path& path) {
  Verdict verdict;
  auto model = LoadModel(path.string());
  if (!model) {
    verdict.failure = model.Error().Message();
    return verdict;
  }
  const Subgraph& subgraph = (*model)->main_subgraph();
  verdict.missing = testing::MissingOperators(subgraph);
  if (!verdict.missing.empty()) return verdict;

  std::vector<std::vector<uint8_t>> inputs;
  for (size_t i = 0; i < subgraph.inputs.size(); ++i)
    inputs.push_back(ReadBytes(Sibling(path, "in", i)));
  testing::GraphExecutor executor(subgraph);
  if (auto done = executor.Run(inputs); !done) {
    verdict.failure = done.Error().Message();
    return verdict;
  }
  auto propagated = executor.PropagatedOutputs();
  verdict.propagated = propagated.HasValue();
  if (!propagated && propagated.Error().Status() != kLiteRtStatusErrorUnsupported) {
    verdict.failure = "oracle: " + propagated.Error().Message();
    return verdict;
  }
  for (size_t i = 0; i < subgraph.outputs.size(); ++i) {
    const Tensor& output = *subgraph.outputs[i];
    const std::string difference =
        CompareGolden(propagated ? &(*propagated)[i] : nullptr, output.element_type,
                      executor.ValueOf(output), ReadBytes(Sibling(path, "out", i)));
    if (!difference.empty()) verdict.failure = fmt::format("output {} {}", i, difference);
  }
  if (auto checked = executor.CheckEachOp(); verdict.failure.empty() && !checked) {
    verdict.failure = "oracle: " + checked.Error().Message();
  }
  return verdict;
}

// NPUKIT_CORPUS_FILTER=text restricts the run to paths that contain it.
TEST(OpsCorpus, EveryModelGivesWhatTfliteGives) {
  if (!fs::exists(CorpusDir())) {
    GTEST_SKIP() << "no corpus at " << CorpusDir()
                 << "; set NPUKIT_SHARED_DIR to compare with TFLite's outputs";
  }
  const char* filter = std::getenv("NPUKIT_CORPUS_FILTER");
  std::map<std::string, int> missing;
  int passed = 0;
  int failed = 0;
  int propagated = 0;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(CorpusDir())) {
    if (entry.path().extension() == ".tflite") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    if (filter != nullptr && path.string().find(filter) == std::string::npos) continue;
    const Verdict verdict = Judge(path);
    for (const std::string& name : verdict.missing) ++missing[name];
    if (!verdict.missing.empty()) continue;
    verdict.failure.empty() ? ++passed : ++failed;
    propagated += verdict.propagated;
    EXPECT_EQ(verdict.failure, "") << path.stem();
  }
  std::cout << "corpus: " << passed << " passed, " << failed << " failed of " << paths.size()
            << "; " << propagated << " with bounds over the whole graph\n";
  for (const auto& [name, count] : missing)
    ADD_FAILURE() << "no kernel for " << name << " (" << count << " models)";
  EXPECT_GT(passed, 0);
}

}  // namespace
}  // namespace npukit::kernels
