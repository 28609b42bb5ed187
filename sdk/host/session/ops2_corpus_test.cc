// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Models of the second shared corpus (NPUKIT_SHARED_DIR/ops2) as a session runs it: signatures,
// resized inputs, several runs of one state. Those of families that are about kernels alone are held
// against TFLite beside the kernels. Integers must be TFLite's, floats near them. What does
// not pass stands in ops2_known_failures.txt with its reason, and a model that passes must not stand
// there. NPUKIT_UPDATE_GOLDENS=1 takes out those that pass and adds the others with what went wrong;
// NPUKIT_CORPUS_FILTER=text looks at names that contain it alone.

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "sdk/host/runtime/testing/goldens.h"
#include "sdk/host/session/session.h"
#include "sdk/host/session/testing/corpus.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

fs::path CorpusDir() { return kShared / "ops2"; }

constexpr char kKnownFailures[] = NPUKIT_TEST_SOURCE_DIR "/ops2_known_failures.txt";

constexpr std::string_view kFamilies[] = {"bool",  "control",  "dynamic", "empty",   "float16",
                                          "int64", "language", "rank6",   "special", "stablehlo"};

std::vector<Json> Cases() {
  std::vector<Json> cases = testing::CorpusCases(CorpusDir());
  std::erase_if(cases, [](const Json& entry) {
    return std::ranges::find(kFamilies, entry["family"].get<std::string>()) == std::end(kFamilies);
  });
  return cases;
}

// "FAMILY/NAME reason" a line; # begins a comment.
std::map<std::string, std::string> KnownFailures() {
  std::map<std::string, std::string> known;
  std::ifstream file(kKnownFailures);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.find(' ');
    known[line.substr(0, space)] = space == std::string::npos ? "" : line.substr(space + 1);
  }
  return known;
}

std::string Header() {
  std::string header;
  std::ifstream file(kKnownFailures);
  for (std::string line; std::getline(file, line) && (line.empty() || line[0] == '#');)
    header += line + "\n";
  return header;
}

litert::Expected<ResizeRequest> ReadResize(const std::string& text) {
  const size_t equals = text.rfind('=');
  ResizeRequest request{.tensor = text.substr(0, equals), .shape = {}};
  std::istringstream dims(text.substr(equals + 1));
  for (std::string dim; std::getline(dims, dim, ',');) request.shape.push_back(std::stoi(dim));
  return request;
}

// What went wrong; empty if all outputs are TFLite's.
std::string Judge(const Json& entry) {
  const fs::path folder = CorpusDir() / entry["family"].get<std::string>();
  SessionOptions options;
  if (entry.contains("resize") && !entry["resize"].is_null()) {
    const Json& wanted = entry["resize"];
    for (const Json& text : wanted.is_array() ? wanted : Json::array({wanted})) {
      auto resize = ReadResize(text.get<std::string>());
      options.resizes.push_back(*resize);
    }
  }
  auto session =
      Session::Open((folder / (entry["name"].get<std::string>() + ".tflite")).string(), options);
  if (!session) {
    const std::string& message = session.Error().Message();
    return message.substr(message.find(".tflite: ") + 9);
  }
  std::string key;
  if (entry.contains("signature") && entry["signature"].is_string()) key = entry["signature"];
  auto found = (*session)->Runner(key);
  if (!found) return found.Error().Message();
  SignatureRunner& runner = **found;
  if (runner.inputs().size() != entry["inputs"].size()) return "has other inputs";
  if (runner.outputs().size() != entry["outputs"].size()) return "has other outputs";
  for (size_t i = 0; i < runner.inputs().size(); ++i) {
    const auto bytes = ReadFile(folder / entry["inputs"][i]["file"].get<std::string>());
    if (auto set = runner.SetInput(i, bytes); !set) return set.Error().Message();
  }
  std::vector<std::vector<uint8_t>> outputs(runner.outputs().size());
  const int repeat =
      entry.contains("repeat") && entry["repeat"].is_number() ? entry["repeat"].get<int>() : 1;
  for (int r = 0; r < repeat; ++r) {
    if (auto run = runner.Run(); !run) return run.Error().Message();
    for (size_t i = 0; i < outputs.size(); ++i) {
      const auto bytes = runner.output(i);
      outputs[i].insert(outputs[i].end(), bytes.begin(), bytes.end());
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Json& expected = entry["outputs"][i];
    if (expected.contains("shape") && expected["shape"].is_array()) {
      const auto shape = expected["shape"].get<std::vector<int32_t>>();
      if (shape != runner.outputs()[i].shape) {
        return fmt::format("output {} has shape [{}], TFLite [{}]", i,
                           fmt::join(runner.outputs()[i].shape, ","), fmt::join(shape, ","));
      }
    }
    const std::string difference = testing::CompareOutput(
        runner.outputs()[i], outputs[i], ReadFile(folder / expected["file"].get<std::string>()),
        testing::Slack(entry, i));
    if (!difference.empty()) return fmt::format("output {} {}", i, difference);
  }
  return "";
}

TEST(Ops2Corpus, EveryModelGivesWhatTfliteGives) {
  if (!fs::exists(CorpusDir())) {
    GTEST_SKIP() << "no corpus at " << CorpusDir()
                 << "; set NPUKIT_SHARED_DIR to compare with TFLite's outputs";
  }
  const char* filter = std::getenv("NPUKIT_CORPUS_FILTER");
  const bool updates = std::getenv("NPUKIT_UPDATE_GOLDENS") != nullptr;
  const std::map<std::string, std::string> known = KnownFailures();
  std::map<std::string, std::string> failures;
  std::map<std::string, std::pair<int, int>> families;  // passed, all
  for (const Json& entry : Cases()) {
    const auto family = entry["family"].get<std::string>();
    const std::string name = family + "/" + entry["name"].get<std::string>();
    if (filter != nullptr && name.find(filter) == std::string::npos) continue;
    const std::string wrong = Judge(entry);
    families[family].first += wrong.empty();
    ++families[family].second;
    if (!wrong.empty()) failures[name] = known.contains(name) ? known.at(name) : wrong;
    if (updates) continue;
    if (wrong.empty()) {
      EXPECT_FALSE(known.contains(name))
          << name << " passes: take it out of ops2_known_failures.txt (NPUKIT_UPDATE_GOLDENS=1)";
    } else {
      EXPECT_TRUE(known.contains(name)) << name << ": " << wrong;
    }
  }
  for (const auto& [family, counts] : families)
    std::cout << fmt::format("{:12} {} of {}\n", family, counts.first, counts.second);
  if (!updates || filter != nullptr) return;
  const std::string header = Header();
  std::ofstream file(kKnownFailures);
  file << header;
  for (const auto& [name, reason] : failures) file << name << " " << reason << "\n";
}

}  // namespace
}  // namespace npukit
