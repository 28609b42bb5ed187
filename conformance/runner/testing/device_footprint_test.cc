// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run takes of a board: one process of npukit's, the others hold a library of the vendor's each, and 64 MB.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "conformance/runner/process/worker_setup.h"
#include "conformance/runner/testing/kit_tool.h"

namespace npukit::conformance {
namespace {

// The number behind a name in a file of /proc; 0 if there is none, as of a process that has just ended.
long FieldOf(const std::string& text, const std::string& name) {
  const size_t at = text.find(name + ":");
  return at == std::string::npos ? 0 : std::atol(text.c_str() + at + name.size() + 1);
}

// Empty if there is none, or none any more: a stream would throw where a process ends between opening and reading.
std::string ReadProcFile(const std::filesystem::path& path) {
  std::string text;
  FILE* const file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return text;
  char chunk[4096];
  for (size_t got = 0; (got = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
    text.append(chunk, got);
  std::fclose(file);
  return text;
}

// Looks at the worker's processes again and again. The worker is known by the folder of its files.
class Footprint {
 public:
  explicit Footprint(std::string folder)
      : folder_(std::move(folder)), thread_([this] { Watch(); }) {}
  ~Footprint() { Stop(); }
  void Stop() {
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
  }

  // Processes that no other one of the worker's started: at a time, and what the largest took at its peak.
  size_t most_supervisors = 0;
  long peak_kb = 0;
  // And those that were started by one that was started.
  size_t most_nested = 0;
  size_t most_libraries = 0;

 private:
  void Watch() {
    while (!is_over_) {
      Look();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  void Look() {
    std::map<long, long> parents;
    std::map<long, long> peaks_kb;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
      const long pid = std::atol(entry.path().filename().c_str());
      if (pid == 0) continue;
      const std::string command = ReadProcFile(entry.path() / "cmdline");
      if (command.find("npukit-worker") == std::string::npos ||
          command.find(folder_) == std::string::npos) {
        continue;
      }
      const std::string status = ReadProcFile(entry.path() / "status");
      if (status.find("Name:\tnpukit-worker") != 0) continue;  // the shell that starts it
      parents[pid] = FieldOf(status, "PPid");
      peaks_kb[pid] = FieldOf(status, "VmHWM");
    }
    std::set<long> supervisors;
    for (const auto& [pid, parent] : parents) {
      if (parents.contains(parent)) continue;
      // A child that is about to end with its parent has another one already.
      if (peaks_kb[pid] == 0) continue;
      supervisors.insert(pid);
      peak_kb = std::max(peak_kb, peaks_kb[pid]);
    }
    size_t libraries = 0;
    size_t nested = 0;
    for (const auto& [pid, parent] : parents) {
      if (supervisors.contains(pid)) continue;
      ++(supervisors.contains(parent) ? libraries : nested);
    }
    most_supervisors = std::max(most_supervisors, supervisors.size());
    most_libraries = std::max(most_libraries, libraries);
    most_nested = std::max(most_nested, nested);
  }

  const std::string folder_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

TEST(DeviceFootprint, IsOneProcessBesideTheVendors) {
  for (const char* const compiles : {"", " --compile-on-device"}) {
    const TempFolder folder;
    Footprint footprint(folder.path());
    const Outcome outcome =
        RunTool(Healthy() + fmt::format("--suite smoke{} --device \"exec:{}/bin/npukit-worker "
                                        "--cache {}/cache\"",
                                        compiles, NPUKIT_BUILD_DIR, folder.path()));
    footprint.Stop();
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_EQ(footprint.most_supervisors, 1U) << compiles;
    EXPECT_EQ(footprint.most_nested, 0U) << compiles;
    EXPECT_GT(footprint.most_libraries, 0U) << compiles;
    EXPECT_GT(footprint.peak_kb, 0) << compiles;
    if (!HasSanitizer()) {
      EXPECT_LT(footprint.peak_kb, 64 * 1024) << compiles;
    }
    fmt::print("peak of the worker's own process: {} KB, at most {} processes of the vendor's\n",
               footprint.peak_kb, footprint.most_libraries);
  }
}

#if defined(NDEBUG)
// Both files that a board gets, as a release has them.
TEST(DeviceFootprint, IsLessThanEightMegabytes) {
  constexpr uintmax_t kMost = 8'000'000;
  const std::filesystem::path build = NPUKIT_BUILD_DIR;
  EXPECT_LT(std::filesystem::file_size(build / "bin/npukit-worker") +
                std::filesystem::file_size(build / "lib/libLiteRt.so"),
            kMost);
}
#endif

}  // namespace
}  // namespace npukit::conformance
