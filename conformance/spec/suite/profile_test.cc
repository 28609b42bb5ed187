// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Profiles: what a version stands for can't change without a new version.

#include "conformance/spec/suite/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/spec/suite/profile_digest.h"
#include "conformance/spec/text/value_parser.h"

namespace npukit::conformance {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<fs::path> KitFiles(const char* folder) {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(fs::path(NPUKIT_SOURCE_DIR) / "conformance" / folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  return files;
}

// smoke is not part of a whole run.
std::vector<Suite> KitSuites() {
  std::vector<Suite> suites;
  for (const fs::path& file : KitFiles("suites")) {
    if (file.stem() == "smoke") continue;
    auto suite = LoadSuite(file.string());
    EXPECT_TRUE(suite) << (suite ? "" : suite.Error().Message());
    if (suite) suites.push_back(std::move(*suite));
  }
  return suites;
}

TEST(Profiles, AVersionStandsForWhatItAsked) {
  const std::vector<Suite> suites = KitSuites();
  for (const fs::path& file : KitFiles("profiles")) {
    const auto profile = LoadProfile(file.string());
    ASSERT_TRUE(profile) << profile.Error().Message();
    EXPECT_EQ(profile->recorded_digest(), ProfileDigest(*profile, suites))
        << file << ": what " << profile->title()
        << " asks was changed. Raise its version, and add the new digest to those it has:\n"
        << "digests: {..., 'NEW': " << ProfileDigest(*profile, suites) << "}";
  }
}

constexpr char kSuite[] = R"(suite: s
cases:
  - name: add
    checks: [numerics.oracle]
    graph:
      inputs: {a: {type: int8, shape: [2, 3], quant: {scale: 0.5, zero_point: 1}}}
      constants: {c: {type: int8, shape: [3], quant: {scale: 0.25}, data: [1, 2, 3]}}
      ops: [{op: ADD, in: [a, c], out: y, options: {fused_activation_function: RELU}}]
      outputs: [y]
  - name: other
    checks: [numerics.oracle]
    graph:
      inputs: {a: {type: int8, shape: [7], quant: {scale: 0.5}}}
      ops: [{op: NEG, in: a, out: y}]
      outputs: [y]
)";
constexpr char kProfile[] = R"(profile: p
version: '1.0'
description: d
claims: [{op: ADD, types: [int8]}]
passes: ['s/add/.*']
sound_suites: [abi]
digests: {'1.0': x}
)";

std::string With(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string DigestWith(const std::string& suite_text, const std::string& profile_text) {
  auto suite_value = ParseValue(suite_text, "s.yaml");
  EXPECT_TRUE(suite_value);
  auto suite = ReadSuite(*suite_value);
  EXPECT_TRUE(suite) << (suite ? "" : suite.Error().Message());
  auto profile_value = ParseValue(profile_text, "p.yaml");
  EXPECT_TRUE(profile_value);
  auto profile = ReadProfile(*profile_value);
  EXPECT_TRUE(profile) << (profile ? "" : profile.Error().Message());
  return suite && profile ? ProfileDigest(*profile, {*suite}) : "";
}

TEST(Profiles, TheDigestSeesEveryChangeOfWhatIsAsked) {
  const std::string before = DigestWith(kSuite, kProfile);
  const char* changes[][2] = {{"shape: [2, 3]", "shape: [1, 3]"},
                              {"scale: 0.5", "scale: 0.25"},
                              {"zero_point: 1", "zero_point: 2"},
                              {"type: int8, shape: [3]", "type: int8, shape: [1]"},
                              {"data: [1, 2, 3]", "data: [1, 2, 4]"},
                              {"data: [1, 2, 3]", "data: iota"},
                              {"op: ADD", "op: MUL"},
                              {"RELU", "RELU6"},
                              {"in: [a, c]", "in: [c, a]"},
                              {"name: add", "name: add/again"},
                              {"name: add\n", "name: add\n    tolerance: exact\n"},
                              {"name: add\n", "name: add\n    data: [zeros]\n"},
                              {"[numerics.oracle]", "[numerics.oracle, partition.selection]"}};
  for (const auto& [from, to] : changes)
    EXPECT_NE(DigestWith(With(kSuite, from, to), kProfile), before) << from << " -> " << to;
  const char* rules[][2] = {
      {"types: [int8]", "types: [int8, float32]"}, {"'s/add/.*'", "'s/.*'"}, {"[abi]", "[s]"}};
  for (const auto& [from, to] : rules)
    EXPECT_NE(DigestWith(kSuite, With(kProfile, from, to)), before) << from << " -> " << to;
}

TEST(Profiles, TheDigestSeesNothingElse) {
  const std::string before = DigestWith(kSuite, kProfile);
  const char* changes[][2] = {{"cases:\n", "description: new\n# comment\ncases:\n"},
                              {"{type: int8, shape: [7]", "{type: int8, shape: [8]"},
                              {"{a: {type: int8, shape: [2, 3]", "{x: {type: int8, shape: [2, 3]"}};
  for (const auto& [from, to] : changes) {
    std::string suite = With(kSuite, from, to);
    if (suite.find("{x: ") != std::string::npos) suite = With(suite, "in: [a, c]", "in: [x, c]");
    EXPECT_EQ(DigestWith(suite, kProfile), before) << from << " -> " << to;
  }
  EXPECT_EQ(DigestWith(kSuite, With(kProfile, "description: d", "description: e")), before);
}

TEST(Profiles, EveryTruncationEndsWithAnAnswer) {
  const std::string yaml = kProfile;
  for (size_t length = 0; length < yaml.size(); ++length) {
    auto value = ParseValue(yaml.substr(0, length), "p.yaml");
    std::string error = value ? "" : value.Error().Message();
    if (value) {
      const auto profile = ReadProfile(*value);
      error = profile ? "" : profile.Error().Message();
    }
    EXPECT_THAT(error, ::testing::AnyOf("", ::testing::StartsWith("p.yaml:"))) << length;
  }
}

TEST(Profiles, DigestsMustStandInTheFile) {
  const char* rows[][2] = {
      {"digests: {}", "p.yaml:7:10: version 1.0 has no digest"},
      {"digests: {'0.9': x}", "p.yaml:7:10: version 1.0 has no digest"},
      {"digests: {'0.9': x, '1.0': x}", "p.yaml:7:28: versions 0.9 and 1.0 ask the same"},
      {"digests: [x]", "p.yaml:7:10: expected a map of versions to digests"}};
  for (const auto& [line, message] : rows) {
    auto value = ParseValue(With(kProfile, "digests: {'1.0': x}", line), "p.yaml");
    ASSERT_TRUE(value);
    const auto profile = ReadProfile(*value);
    ASSERT_FALSE(profile) << line;
    EXPECT_THAT(profile.Error().Message(), HasSubstr(message));
  }
}

}  // namespace
}  // namespace npukit::conformance
