// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run whose dispatch library is on devices: workers of this machine, behind ways that are slow, break or
// are several.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "conformance/runner/testing/device_verdicts.h"
#include "conformance/runner/testing/kit_tool.h"
#include "sdk/remote/testing/test_sshd.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;

const std::string kWorker = NPUKIT_BUILD_DIR "/bin/npukit-worker";
const std::string kSlowLink = NPUKIT_BUILD_DIR "/test_bin/npukit_test_slow_link";

std::string Quoted(const std::string& text) { return "\"" + text + "\" "; }

// A worker with a cache of its own.
std::string WorkerIn(const TempFolder& folder, const std::string& name = "cache") {
  return fmt::format("{} --cache {}/{}", kWorker, folder.path(), name);
}

std::string Device(const std::string& command) { return "--device " + Quoted("exec:" + command); }

void ExpectSame(const Json& here, const Json& there) {
  auto expected = VerdictsOf(here);
  auto found = VerdictsOf(there);
  ASSERT_EQ(expected.size(), found.size());
  for (const auto& [name, verdict] : expected) {
    if (StaysAtTheDesk(name)) {
      EXPECT_THAT(found[name], HasSubstr("skipped: ")) << name;
    } else {
      EXPECT_EQ(found[name], verdict) << name;
    }
  }
}

TEST(Device, ResultsAreThoseOfThisMachine) {
  const TempFolder folder;
  const Json here = RunJson(Healthy() + "--suite smoke", 0);
  const Json there = RunJson(Healthy() + "--suite smoke " + Device(WorkerIn(folder)), 0);
  ExpectSame(here, there);
}

// Whoever ran what.
TEST(Device, SeveralShareTheRun) {
  const TempFolder folder;
  std::string devices;
  for (const char* name : {"a", "b", "c"}) devices += Device(WorkerIn(folder, name));
  const Json here = RunJson(Healthy() + "--suite smoke", 0);
  const Json there = RunJson(Healthy() + "--suite smoke --jobs 6 " + devices, 0);
  ExpectSame(here, there);
  for (const char* name : {"a", "b", "c"}) {
    const auto cache = std::filesystem::path(folder.path()) / name;
    EXPECT_FALSE(std::filesystem::is_empty(cache)) << "nothing was sent to " << name;
  }
}

// Crashes and wrong values of the library there are what they are here.
TEST(Device, FaultsAreFound) {
  const TempFolder folder;
  const std::pair<const char*, const char*> kRows[] = {
      {"crashes_in_invoke", "dispatch.invoke"},
      {"drifts", "dispatch.reinvoke"},
      {"graph_null_crash", "dispatch.graph_bounds"}};
  for (const auto& [fault, check] : kRows) {
    const std::string plugins =
        fmt::format("--plugin-dir {}{} --suite dispatch --filter '{}$' ", kPlugins, fault, check);
    const Json here = RunJson(plugins, 1);
    const Json there = RunJson(plugins + Device(WorkerIn(folder)), 1);
    EXPECT_GT(here["summary"]["failed"], 0) << fault;
    EXPECT_EQ(here["summary"], there["summary"]) << fault;
  }
}

// A library that hangs wherever it is run: what is reported is what would have been first here, though checks that waited
// for each answer hang sooner than those that did not.
TEST(Device, TheFirstHangsAreThoseOfThisMachine) {
  const TempFolder folder;
  const std::string plugins =
      fmt::format("--plugin-dir {}hangs_in_invoke --suite dispatch --timeout 2 ", kPlugins);
  const auto first_hang = [&](const std::string& device) {
    const Json report = RunJson(plugins + device, 1);
    for (const Json& result : report["cases"]) {
      if (result["result"] == "failed") {
        EXPECT_THAT(result["detail"].get<std::string>(), HasSubstr("in invoke"));
        return result["name"].get<std::string>();
      }
    }
    return std::string();
  };
  const std::string here = first_hang("");
  EXPECT_THAT(here, HasSubstr("/dispatch.invoke"));
  EXPECT_EQ(first_hang(Device(WorkerIn(folder))), here);
}

// Those of asynchronous runs and of threads, too.
TEST(Device, FaultsOfRunsInBackgroundAreFound) {
  const TempFolder folder;
  const struct {
    const char* fault;
    const char* suite;
    const char* filter;
  } kRows[] = {{"async_without_table", "abi", "dispatch.capabilities"},
               {"events_come_early", "dispatch", "ADD_float32_3x5/dispatch.async"},
               {"input_events_ignored", "dispatch", "ADD_float32_3x5/dispatch.async"},
               {"async_error_lost", "dispatch", "ADD_float32_3x5/dispatch.async_failure"},
               {"async_error_hangs", "dispatch", "ADD_float32_3x5/dispatch.async_failure"},
               {"failed_inputs_taken", "dispatch", "ADD_float32_3x5/dispatch.async_failure"},
               {"any_event_count", "dispatch", "ADD_float32_3x5/dispatch.async_bounds"},
               {"async_locks_outputs", "dispatch", "ADD_float32_3x5/dispatch.async_locks"},
               {"async_gives_up_on_locks", "dispatch", "ADD_float32_3x5/dispatch.async_locks"},
               {"async_shares_context", "dispatch", "ADD_float32_3x5/dispatch.async_threads"},
               {"async_takes_later_buffers", "dispatch", "ADD_float32_3x5/dispatch.async_swap"},
               {"async_forgets_unregistered", "dispatch", "ADD_float32_3x5/dispatch.async_swap"},
               {"races_in_invoke", "dispatch", "ADD_float32_3x5/dispatch.threads"}};
  for (const auto& [fault, suite, filter] : kRows) {
    const std::string plugins =
        fmt::format("--plugin-dir {}{} --suite {} --timeout 10 --filter '{}$' ", kPlugins, fault,
                    suite, filter);
    const Json here = RunJson(plugins, 1);
    const Json there = RunJson(plugins + Device(WorkerIn(folder)), 1);
    EXPECT_GT(here["summary"]["failed"], 0) << fault;
    EXPECT_EQ(here["summary"], there["summary"]) << fault;
  }
}

// On a long way checks wait for it side by side. What is left over is the longest check, whose four hundred
// calls wait for each other.
TEST(Device, ALongWayDoesNotCount) {
  const TempFolder folder;
  const std::string count = folder.path() + "/count";
  const Json there = RunJson(Healthy() + "--suite smoke " +
                                 Device(fmt::format("{} --delay-ms 50 --count {} '{}'", kSlowLink,
                                                    count, WorkerIn(folder))),
                             0);
  int windows = 0;
  int messages = 0;
  std::ifstream(count) >> windows >> messages;
  EXPECT_GT(windows, 0);
  EXPECT_LT(windows, messages / 3 + 450) << messages << " messages";
  // A thousand results wait for such a way for less than three minutes.
  const size_t results = there["cases"].size();
  EXPECT_LT(windows * 0.050 / static_cast<double>(results) * 1000, 180) << results << " results";
  RecordProperty("windows", windows);
  RecordProperty("messages", messages);
  RecordProperty("results", static_cast<int>(results));
}

// The way to the first worker breaks after some messages, those to later ones hold: a result that lost
// its device runs once more.
TEST(Device, WhatWasLostRunsOnceMore) {
  const TempFolder folder;
  const std::string command = fmt::format(
      "if mkdir {0}/first 2>/dev/null; then exec {1} --end-after 100 '{2}'; else exec {2}; fi",
      folder.path(), kSlowLink, WorkerIn(folder));
  const Json there = RunJson(Healthy() + "--suite smoke --jobs 2 " + Device(command), 0);
  EXPECT_EQ(there["verdict"], "conformant");
  EXPECT_EQ(there["summary"]["failed"], 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/first"));
}

TEST(Device, ADeviceThatIsGoneIsAVerdict) {
  const TempFolder folder;
  const std::string command =
      fmt::format("mkdir {0}/first 2>/dev/null || exit 9; exec {1} --end-after 100 '{2}'",
                  folder.path(), kSlowLink, WorkerIn(folder));
  const Json there = RunJson(Healthy() + "--suite smoke --jobs 2 " + Device(command), 1);
  EXPECT_EQ(there["verdict"], "not conformant");
  std::set<std::string> causes;
  for (const Json& result : there["cases"]) {
    if (result["result"] == "failed") causes.insert(result["detail"].get<std::string>());
  }
  ASSERT_FALSE(causes.empty());
  for (const std::string& cause : causes) EXPECT_THAT(cause, HasSubstr("device")) << cause;
}

TEST(Device, OneThatDoesNotAnswerIsNamed) {
  const Outcome outcome = RunTool(Healthy() + "--suite smoke --device exec:false");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("--device exec:false: no worker answers"));
  const Outcome mixed = RunTool(Healthy() + "--suite smoke --device local: --device exec:false");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.out, HasSubstr("local: can't be one of several"));
}

// Devices that take their time for each message: eight are nearly eight times one.
TEST(Device, EightAreFaster) {
  const TempFolder folder;
  const auto seconds = [&](int count) {
    std::string devices;
    for (int i = 0; i < count; ++i) {
      devices += Device(fmt::format("{} --delay-ms 50 --one-by-one '{}'", kSlowLink,
                                    WorkerIn(folder, fmt::format("device{}", i))));
    }
    const Json report = RunJson(
        Healthy() + fmt::format("--suite core --filter numerics --shard 0/16 --jobs {} ", count) +
            devices,
        0);
    return report["seconds"].get<double>();
  };
  if (std::getenv("NPUKIT_BENCHMARKS") == nullptr)
    GTEST_SKIP() << "a measurement, which wants an idle machine: set NPUKIT_BENCHMARKS";
  seconds(8);  // sends the library
  const double one = seconds(1);
  const double eight = seconds(8);
  EXPECT_GE(one / eight, 6) << one << " s and " << eight << " s";
}

// -- Over ssh -------------------------------------------------------------------------------------

class DeviceOverSsh : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = remote::TestSshd::WhyNot(); !why.empty()) GTEST_SKIP() << why;
    sshd_ = std::make_unique<remote::TestSshd>();
  }
  std::string Options() const { return fmt::format("--device ssh:board:{}/b ", sshd_->folder()); }
  // The dispatch library in a folder of the board's own, with worker and host library beside it.
  std::string BoardFolder() const {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(sshd_->folder()) / "for_board";
    fs::create_directory(folder);
    fs::copy(kPlugins + "healthy/libLiteRtDispatch_Mimic.so", folder);
    fs::copy(kWorker, folder);
    fs::copy(NPUKIT_BUILD_DIR "/lib/libLiteRt.so", folder);
    return folder.string();
  }

  std::unique_ptr<remote::TestSshd> sshd_;
};

TEST_F(DeviceOverSsh, ResultsAreThoseOfThisMachine) {
  const Json here = RunJson(Healthy() + "--suite smoke", 0);
  const Json there =
      RunJson(Healthy() + "--suite smoke --device-dir " + BoardFolder() + " " + Options(), 0);
  ExpectSame(here, there);
}

// Each connection waits until all have begun; copying the worker is part of it.
TEST_F(DeviceOverSsh, ConnectionsAreMadeSideBySide) {
  const TempFolder folder;
  constexpr int kDevices = 3;
  const std::string ssh = std::getenv("NPUKIT_SSH");
  const std::string wrapper = folder.File(
      "ssh",
      fmt::format("#!/bin/sh\ntouch {0}/begun.$$\n"
                  "for i in $(seq 200); do [ $(ls {0} | grep -c begun) -ge {1} ] && exec {2} "
                  "\"$@\"; sleep 0.1; done\nexit 7\n",
                  folder.path(), kDevices, ssh));
  std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
  setenv("NPUKIT_SSH", wrapper.c_str(), 1);
  std::string devices;
  for (int i = 0; i < kDevices; ++i)
    devices += fmt::format("--device ssh:board:{}/b{} ", sshd_->folder(), i);
  const Json there = RunJson(
      Healthy() + "--suite smoke --filter abi --device-dir " + BoardFolder() + " " + devices, 0);
  EXPECT_EQ(there["summary"]["failed"], 0);
}

// AcmeCorp's libraries for aarch64, by a worker that qemu-user runs.
class OtherProcessor : public DeviceOverSsh {
 protected:
  void SetUp() override {
    DeviceOverSsh::SetUp();
    if (IsSkipped()) return;
    namespace fs = std::filesystem;
    for (const char* file :
         {"bin/npukit-worker", "lib/libLiteRt.so", "lib/libLiteRtDispatch_AcmeCorp.so",
          "lib/libLiteRtCompilerPlugin_AcmeCorp.so"}) {
      if (!fs::exists(kBuild / file))
        GTEST_SKIP() << (kBuild / file).string() << " is not there: ./dev build aarch64";
    }
    // Nobody builds it along with this one.
    if (fs::last_write_time(kBuild / "bin/npukit-worker") < fs::last_write_time(kWorker))
      GTEST_SKIP() << kBuild.string() << " is older than this build: ./dev build aarch64";
    if (!fs::exists(kPluginsHere + "/libLiteRtCompilerPlugin_AcmeCorp.so"))
      GTEST_SKIP() << "AcmeCorp's plugin is not built";
    if (remote::TestSshd::Shell("command -v qemu-aarch64") != 0)
      GTEST_SKIP() << "there is no qemu-aarch64";
  }
  // What stays at the desk is compiled or compared here.
  static std::string Asked() {
    return fmt::format("--plugin-dir {} --suite smoke --timeout 300 ", kPluginsHere);
  }
  std::string OnDevice() const {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(sshd_->folder()) / "for_board";
    fs::create_directory(folder);
    for (const char* file :
         {"libLiteRtDispatch_AcmeCorp.so", "libLiteRtCompilerPlugin_AcmeCorp.so", "libLiteRt.so"}) {
      fs::copy(kBuild / "lib" / file, folder);
    }
    // The kernel at hand can't start another processor's programs by itself.
    std::ofstream(folder / "npukit-worker")
        << "#!/bin/sh\nexec qemu-aarch64 -E LD_LIBRARY_PATH=" << kBuild.string() << "/lib "
        << (kBuild / "bin/npukit-worker").string() << " \"$@\"\n";
    fs::permissions(folder / "npukit-worker", fs::perms::owner_all);
    return "--device-dir " + folder.string() + " " + Options();
  }

  const std::filesystem::path kBuild = std::filesystem::path(NPUKIT_SOURCE_DIR) / "build-aarch64";
  static inline const std::string kPluginsHere = NPUKIT_BUILD_DIR "/lib";
};

// Compiled here, run there.
TEST_F(OtherProcessor, ResultsAreTheSame) {
  ExpectSame(RunJson(Asked(), 0), RunJson(Asked() + OnDevice(), 0));
}

// Both there; the two compilers give the same bytes.
TEST_F(OtherProcessor, CompilesTheSame) {
  Json there = RunJson(Asked() + "--compile-on-device " + OnDevice(), 0);
  Json others = Json::array();
  size_t agreed = 0;
  for (const Json& result : there["cases"]) {
    if (result["name"].get<std::string>().find("device.compilers_agree") == std::string::npos) {
      others.push_back(result);
    } else if (result["result"] == "passed") {
      ++agreed;
      EXPECT_EQ(result["detail"], "") << result["name"];
    }
  }
  EXPECT_GT(agreed, 0U);
  there["cases"] = std::move(others);
  ExpectSame(RunJson(Asked(), 0), there);
}

}  // namespace
}  // namespace npukit::conformance
