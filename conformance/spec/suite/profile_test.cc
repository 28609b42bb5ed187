// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Profiles: what a version stands for does not change without a new version.

#include "conformance/spec/suite/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "conformance/spec/suite/frozen_profile.h"
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
    EXPECT_GT(profile->results.size(), 500u) << profile->title();
    EXPECT_THAT(ChangedResults(*profile, suites), ::testing::IsEmpty())
        << profile->title() << " asks for these with other contents. If they are meant, raise the "
        << "version in " << file << ", build, and run\n"
        << "  build/bin/npukit-conform freeze conformance/profiles";
    EXPECT_EQ(profile->digest, ProfileDigest(*profile, suites)) << profile->title();
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
)";

std::string With(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Suite SuiteOf(const std::string& text) {
  const auto value = ParseValue(text, "s.yaml");
  EXPECT_TRUE(value);
  auto suite = ReadSuite(*value);
  EXPECT_TRUE(suite) << (suite ? "" : suite.Error().Message());
  return suite ? std::move(*suite) : Suite();
}

Profile ProfileOf(const std::string& text) {
  const auto value = ParseValue(text, "p.yaml");
  EXPECT_TRUE(value);
  auto profile = ReadProfile(*value);
  EXPECT_TRUE(profile) << (profile ? "" : profile.Error().Message());
  return profile ? std::move(*profile) : Profile();
}

// Frozen with one suite; what its digest is with another.
Profile FrozenWith(const std::string& suite_text, const std::string& profile_text) {
  Profile profile = ProfileOf(profile_text);
  const auto read = ReadFrozen(FreezeProfile(profile, {SuiteOf(suite_text)}), "p.txt", profile);
  EXPECT_TRUE(read) << (read ? "" : read.Error().Message());
  return profile;
}

std::string DigestWith(const std::string& suite_text, const std::string& profile_text) {
  return ProfileDigest(FrozenWith(kSuite, profile_text), {SuiteOf(suite_text)});
}

TEST(Profiles, TheDigestSeesEveryChangeOfWhatIsAsked) {
  const Profile profile = FrozenWith(kSuite, kProfile);
  EXPECT_EQ(profile.digest, DigestWith(kSuite, kProfile));
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
                              {"[numerics.oracle]", "[partition.selection]"}};
  for (const auto& [from, to] : changes) {
    const Suite changed = SuiteOf(With(kSuite, from, to));
    EXPECT_NE(ProfileDigest(profile, {changed}), profile.digest) << from << " -> " << to;
    EXPECT_THAT(ChangedResults(profile, {changed}),
                ::testing::ElementsAre("s/add/numerics.oracle"));
  }
  const char* rules[][2] = {
      {"types: [int8]", "types: [int8, float32]"}, {"'s/add/.*'", "'s/.*'"}, {"[abi]", "[s]"}};
  for (const auto& [from, to] : rules)
    EXPECT_NE(FrozenWith(kSuite, With(kProfile, from, to)).digest, profile.digest)
        << from << " -> " << to;
}

TEST(Profiles, TheDigestSeesBlocks) {
  const std::string suite = R"(suite: s
cases:
  - name: add
    checks: [numerics.oracle]
    graph:
      inputs: {x: {type: float32, shape: [1, 64]}}
      constants:
        s: {type: float16, shape: [4, 2]}
        t: {type: float16, shape: [4, 2]}
        w: {type: int4, shape: [4, 64], quant: {scales_tensor: s, block_size: 32}}
      ops: [{op: FULLY_CONNECTED, in: [x, w, '-'], out: {y: {type: float32}}}]
      outputs: [y]
)";
  const Profile profile = FrozenWith(suite, kProfile);
  for (const auto& [from, to] :
       {std::pair("block_size: 32", "block_size: 16"),
        std::pair("scales_tensor: s", "scales_tensor: t"),
        std::pair("block_size: 32", "block_size: 32, zero_points_tensor: t")}) {
    EXPECT_NE(ProfileDigest(profile, {SuiteOf(With(suite, from, to))}), profile.digest) << to;
  }
}

// What the kit gains later belongs to the next version.
TEST(Profiles, NewChecksAndCasesLeaveAVersionAsItIs) {
  const Profile profile = FrozenWith(kSuite, With(kProfile, "'s/add/.*'", "'s/.*'"));
  const std::string more =
      With(kSuite, "[numerics.oracle]", "[partition.selection, numerics.oracle]") +
      "  - {name: third, checks: [abi.version]}\n";
  EXPECT_EQ(ProfileDigest(profile, {SuiteOf(more)}), profile.digest);
  EXPECT_FALSE(profile.MustNotFail("s/add/partition.selection"));
  EXPECT_TRUE(profile.MustPass("s/add/numerics.oracle"));
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

TEST(Profiles, DamagedListsAreRefused) {
  const std::string frozen = FreezeProfile(ProfileOf(kProfile), {SuiteOf(kSuite)});
  struct Row {
    const char* from;
    const char* to;
    const char* message;
  };
  const Row rows[] = {
      {"passes", "pass", "p.txt:3: expected claim, network, passes or sound, found 'pass'"},
      {" numerics.oracle", "", "p.txt:3: expected a case, its digest and at least one check"},
      {"numerics.oracle", "numerics.oracle numerics.oracle",
       "p.txt:3: s/add/numerics.oracle stands twice"},
      {"passes", "# passes", "p.txt:3: no results"},
      {"claim ADD int8", "claim ADD int16",
       "p.txt: claims are ADD int16, the profile's ADD int8; a change is a new version"},
      {"claim ADD int8\n", "claim ADD int8\nnetwork n\n",
       "p.txt: networks are n, the profile's none; a change is a new version"}};
  for (const Row& row : rows) {
    Profile profile = ProfileOf(kProfile);
    const auto read = ReadFrozen(With(frozen, row.from, row.to), "p.txt", profile);
    ASSERT_FALSE(read) << row.from;
    EXPECT_EQ(read.Error().Message(), row.message);
  }
}

}  // namespace
}  // namespace npukit::conformance
