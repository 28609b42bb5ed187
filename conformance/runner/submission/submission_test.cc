// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Submissions and waivers as users meet them, and archives that somebody has changed.

#include "conformance/runner/submission/submission.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>

#include "conformance/observation/observation_file.h"
#include "conformance/runner/testing/kit_tool.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;

constexpr char kOracle[] = "core/ADD_float32_3x5/numerics.oracle";

// A kit with a submission of the plugin of that name.
class Handed {
 public:
  explicit Handed(const std::string& plugin, const std::string& more = "") {
    run_ = kit_.Run("--no-minimize --observations --plugin-dir " + kPlugins + plugin +
                    " --report " + kit_.out("run") + " " + more);
    const Outcome packed = kit_.Run("package " + kit_.out("run") + " -o " + archive());
    EXPECT_EQ(packed.code, 0) << run_.out << packed.out;
  }

  const SmallKit& kit() const { return kit_; }
  const Outcome& run() const { return run_; }
  std::string archive() const { return kit_.folder().path() + "/a.tar"; }
  Outcome Verify(const std::string& more = "") const {
    return kit_.Run("verify-submission " + archive() + " " + more);
  }

  using Files = std::map<std::string, std::string>;
  // What is found once the files were changed, with a manifest and an archive that fit.
  std::string FoundAfter(const std::function<void(Files&)>& change) const {
    Submission submission;
    EXPECT_TRUE(ReadSubmission(archive(), submission));
    Files files;
    for (const auto& [name, bytes] : submission.files) files[name] = bytes;
    change(files);
    std::vector<TarEntry> entries;
    for (const auto& [name, text] : files) entries.push_back({name, text});
    Manifest manifest = submission.manifest;
    manifest.files.clear();
    const std::string path = kit_.folder().path() + "/b.tar";
    EXPECT_TRUE(WriteSubmission(path, manifest, entries));
    const Outcome outcome = kit_.Run("verify-submission " + path);
    EXPECT_NE(outcome.code, 0) << outcome.out;
    EXPECT_NE(outcome.code, -1) << outcome.out;
    return outcome.out;
  }
  std::string FoundAfterResults(const std::function<void(Json&)>& change) const {
    return FoundAfter([&](Files& files) {
      Json json = Json::parse(files[kResultsName]);
      change(json);
      files[kResultsName] = json.dump(1);
    });
  }

 private:
  SmallKit kit_;
  Outcome run_;
};

TEST(SubmissionOf, AHealthyPluginIsVerifiedWithoutIt) {
  const Handed handed("healthy");
  const Outcome verified = handed.Verify();
  EXPECT_EQ(verified.code, 0) << verified.out;
  EXPECT_THAT(verified.out, HasSubstr("Mimic: verified: conformant, conformant to sums 1.0"));
  const Json json = handed.kit().RunForJson(
      "verify-submission " + handed.archive() + " --plugin-dir " + kPlugins + "healthy", 0);
  EXPECT_EQ(json["submission"], "verified");
  EXPECT_GT(json["judged_again"], 20);
  EXPECT_EQ(json["digests"]["plugin"].get<std::string>().size(), 64u);
  // Not the plugin that was judged.
  const Outcome other = handed.Verify("--plugin-dir " + kPlugins + "few_ulps_off");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("has not the compiler plugin that was judged"));
}

TEST(SubmissionOf, AFaultyPluginStaysWhatItIs) {
  const Handed handed("few_ulps_off");
  const Outcome verified = handed.Verify();
  EXPECT_EQ(verified.code, 0) << verified.out;
  EXPECT_THAT(verified.out, HasSubstr("Mimic: verified: not conformant"));
  // Its results made good.
  const std::string found = handed.FoundAfterResults([](Json& json) {
    for (Json& result : json["cases"]) {
      if (result["result"] == "failed") result["result"] = "passed";
    }
    json["verdict"] = "conformant";
    json["summary"]["passed"] =
        json["summary"]["passed"].get<int>() + json["summary"]["failed"].get<int>();
    json["summary"]["failed"] = 0;
  });
  EXPECT_THAT(found, HasSubstr(std::string(kOracle) + ": said to be passed, but by its "
                                                      "observations failed"));
  EXPECT_THAT(found, HasSubstr("refused"));
}

TEST(SubmissionOf, AnotherIsRefused) {
  const Handed handed("healthy");
  const auto first_oracle = [](Json& json) -> Json& {
    for (Json& result : json["cases"]) {
      if (result["name"] == kOracle) return result;
    }
    return json["cases"][0];
  };
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) { json["cases"].erase(3); }),
              HasSubstr("result 3 is "));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) { json["cases"].clear(); }),
              HasSubstr("missing: "));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) {
    json["cases"].insert(json["cases"].begin(), json["cases"][0]);
  }),
              HasSubstr("result 1 is "));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) {
    json["cases"].push_back(json["cases"][0]);
    json["cases"].back()["name"] = "core/more/numerics.oracle";
  }),
              HasSubstr("surplus, or in another's place: 'core/more/numerics.oracle'"));
  EXPECT_THAT(handed.FoundAfterResults(
                  [&](Json& json) { first_oracle(json)["exercised"] = {"SOFTMAX int8"}; }),
              HasSubstr("is said to exercise other claims"));
  EXPECT_THAT(
      handed.FoundAfterResults([&](Json& json) { first_oracle(json)["result"] = "skipped"; }),
      HasSubstr("said to be skipped, but by its observations passed"));
  EXPECT_THAT(
      handed.FoundAfterResults([&](Json& json) { first_oracle(json)["result"] = "waived"; }),
      HasSubstr("no waiver names it"));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) { json["seed"] = 7; }),
              HasSubstr("by its observations failed"));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) { json["kit_version"] = "9.9.9"; }),
              HasSubstr("was made by kit 9.9.9"));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) { json["suites"] = {"../../etc"}; }),
              HasSubstr("this kit has no suite"));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) { json["digests"]["suites"] = "0"; }),
              HasSubstr("digest of the suites"));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) { json["digests"]["plugin"] = "0"; }),
              HasSubstr("digest of the plugin in the manifest"));
  EXPECT_THAT(handed.FoundAfterResults([](Json& json) { json["profiles"][0]["verdict"] = "x"; }),
              HasSubstr("is not what follows from its results"));
  EXPECT_THAT(handed.FoundAfter([](Handed::Files& files) {
    files[kClaimsName] += "expected_failures:\n  - {case: 'core/.*', reason: x}\n";
  }),
              HasSubstr("digest of the claims"));
  EXPECT_THAT(handed.FoundAfter([](Handed::Files& files) { files[kLogName] += "all is well\n"; }),
              HasSubstr("is not the log of its results"));
  EXPECT_THAT(handed.FoundAfter([](Handed::Files& files) { files["run.sh"] = "rm"; }),
              HasSubstr("run.sh is no part of a submission"));
  EXPECT_THAT(handed.FoundAfter([](Handed::Files& files) { files.erase(kObservationFile); }),
              HasSubstr("the archive has no observations.bin"));
}

// Also of what nothing else is held against, as the day and the system.
TEST(SubmissionManifest, EachByteCounts) {
  Manifest manifest;
  manifest.kit_version = "0.1.0";
  manifest.manufacturer = "Mimic";
  manifest.made = "2026-11-24";
  manifest.system = "Linux 6.1 x86_64";
  manifest.digests = {{"plugin", std::string(64, 'a')}, {"waivers", ""}};
  manifest.files = {{kClaimsName, {100, std::string(64, 'b')}}, {kLogName, {0, ""}}};
  const std::string text = ManifestText(manifest);
  const auto read = ReadManifest(text);
  ASSERT_TRUE(read) << read.Error().Message();
  EXPECT_EQ(read->system, manifest.system);
  for (size_t i = 0; i < text.size(); ++i) {
    for (const char bit : {1, 4, 32}) {
      std::string flipped = text;
      flipped[i] = static_cast<char>(flipped[i] ^ bit);
      EXPECT_FALSE(ReadManifest(flipped)) << i << ": " << flipped;
    }
    EXPECT_FALSE(ReadManifest(text.substr(0, i))) << i;
  }
  EXPECT_FALSE(ReadManifest(text + " "));
}

// The observations with one left out, or with another's in its place.
TEST(SubmissionOf, OthersObservationsAreRefused) {
  const Handed handed("healthy");
  const auto rewritten = [&](const std::function<std::string(const std::string&)>& name_of) {
    return handed.FoundAfter([&](Handed::Files& files) {
      const std::string before = files[kObservationFile];
      const auto reader = ObservationReader::Of(before);
      ASSERT_TRUE(reader);
      const std::string path = handed.kit().folder().path() + "/o.bin";
      const auto writer = ObservationWriter::Create(path);
      ASSERT_TRUE(writer);
      for (const auto& [name, record] : reader->records()) {
        const std::string under = name_of(name);
        const auto observed = reader->ObservedOf(name);
        ASSERT_TRUE(observed);
        if (!under.empty()) (*writer)->Add(under, *observed);
      }
      ASSERT_TRUE((*writer)->Finish());
      files[kObservationFile] = ReadText(path);
    });
  };
  EXPECT_THAT(rewritten([](const std::string& name) { return name == kOracle ? "" : name; }),
              HasSubstr(std::string(kOracle) + ": there are no observations of it"));
  EXPECT_THAT(rewritten([](const std::string& name) { return name == kOracle ? "x/y/z" : name; }),
              HasSubstr("observations of 'x/y/z', of which none were asked"));
  const std::string other = "core/MUL_float32_3x5/numerics.oracle";
  EXPECT_THAT(rewritten([&](const std::string& name) {
                return name == kOracle ? other : name == other ? kOracle : name;
              }),
              HasSubstr("but by its observations failed"));
}

TEST(SubmissionOf, ADamagedArchiveIsRefused) {
  const Handed handed("healthy", "--profile sums");
  const std::string whole = ReadText(handed.archive());
  const std::string path = handed.kit().folder().path() + "/damaged.tar";
  const auto verify = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return handed.kit().Run("verify-submission " + path);
  };
  EXPECT_EQ(verify(whole).code, 0);
  for (size_t i = 0; i < 24; ++i) {
    const Outcome cut = verify(whole.substr(0, whole.size() * i / 24 / 512 * 512));
    EXPECT_EQ(cut.code, 2) << i << ": " << cut.out;
    std::string flipped = whole;
    flipped[i * 7919 % (whole.size() - 1024)] ^= 4;
    EXPECT_EQ(verify(flipped).code, 2) << i;
  }
  EXPECT_EQ(verify(whole + whole).code, 2);
  std::string link = whole;
  link[156] = '2';
  EXPECT_EQ(verify(link).code, 2);
  EXPECT_EQ(handed.kit().Run("verify-submission /dev/zero").code, 2);
  const Outcome missing = handed.kit().Run("verify-submission /no/such/file");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.out, HasSubstr("/no/such/file: No such file or directory"));
  const Outcome cut = verify(whole.substr(0, 100));
  EXPECT_THAT(cut.out, HasSubstr(path + ": the archive is cut off"));
}

TEST(SubmissionOf, WhatIsNoWholeRunIsNotPacked) {
  const SmallKit kit;
  const std::string run = Healthy() + "--report " + kit.out("a") + " ";
  const auto pack = [&] { return kit.Run("package " + kit.out("a") + " -o " + kit.out("b")); };
  EXPECT_EQ(kit.Run(run + "--profile sums").code, 0);
  EXPECT_THAT(pack().out, HasSubstr("the run was without --observations"));
  EXPECT_EQ(kit.Run(run + "--observations --filter /ADD_").code, 0);
  EXPECT_THAT(pack().out, HasSubstr("the run had a --filter"));
  EXPECT_EQ(kit.Run(run + "--observations --profile sums --shard 0/2").code, 0);
  EXPECT_THAT(pack().out, HasSubstr("it is a shard"));
  EXPECT_EQ(kit.Run(Healthy() + "--observations").code, 2);
  EXPECT_EQ(kit.Run(run + "--observations --no-isolation").code, 2);
}

// A granted failure.
std::string Waivers(const std::string& cases, const std::string& until = "2999-12-31") {
  return fmt::format(
      "waivers: 1\nvendor: Mimic\ngranted:\n  - device: m1\n    cases: {}\n    reason: errata "
      "17\n    until: {}\n",
      cases, until);
}

TEST(WaiversOf, AreCountedInTheVerdictAndEnd) {
  const SmallKit kit;
  const std::string run = "--no-minimize --plugin-dir " + kPlugins + "few_ulps_off --waivers ";
  const std::string good =
      kit.folder().File("good.yaml", Waivers("['core/.*_float32.*/numerics.oracle', 'claims/.*']"));
  const Json report = kit.RunForJson(run + good + " --suite core", 0);
  EXPECT_EQ(report["verdict"], "conformant");
  EXPECT_GT(report["summary"]["waived"], 2);
  EXPECT_EQ(report["summary"]["failed"], 0);
  for (const Json& result : report["cases"]) {
    if (result["name"] == kOracle) {
      EXPECT_EQ(result["result"], "waived");
      EXPECT_THAT(result["detail"], HasSubstr("waived until 2999-12-31 (errata 17): "));
    }
  }
  const Outcome told = kit.Run(run + good + " --suite core");
  EXPECT_THAT(told.out, HasSubstr(" waived"));
  struct Case {
    std::string yaml;
    const char* message;
  };
  for (const Case& c :
       {Case{Waivers("'core/.*'", "2020-01-01"), "bad.yaml:7:12: the waiver ended on 2020-01-01"},
        Case{Waivers("'core/no_such/.*'"), "bad.yaml:5:12: the waiver matches no case"}}) {
    const Outcome refused = kit.Run(run + kit.folder().File("bad.yaml", c.yaml));
    EXPECT_EQ(refused.code, 2) << refused.out;
    EXPECT_THAT(refused.out, HasSubstr(c.message));
  }
  // One that covers what does not fail is not left standing.
  const std::string idle = kit.folder().File("idle.yaml", Waivers("'core/ADD_.*'"));
  const Outcome needless = kit.Run(Healthy() + "--waivers " + idle);
  EXPECT_EQ(needless.code, 1);
  EXPECT_THAT(needless.out, HasSubstr("idle.yaml:5:12: nothing that it covers fails"));
}

TEST(WaiversOf, ASubmissionAreThoseThatWereGranted) {
  const TempFolder folder;
  const std::string mine = folder.File("mine.yaml", Waivers("'core/.*_float32.*/numerics.oracle'"));
  const std::string other =
      folder.File("other.yaml", Waivers("'core/ADD_float32.*/numerics.oracle'"));
  const Handed handed("few_ulps_off", "--suite core --waivers " + mine);
  EXPECT_EQ(handed.run().code, 0) << handed.run().out;
  EXPECT_EQ(handed.Verify("--waivers " + mine).code, 0);
  EXPECT_THAT(handed.Verify().out, HasSubstr("--waivers FILE says which were granted"));
  EXPECT_EQ(handed.Verify("--waivers " + other).code, 1);
}

}  // namespace
}  // namespace npukit::conformance
