// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a model costs while it is loaded, planned and run: at most the model and 1.3 times the ideal
// arena. The system's own count of resident memory is asked, so that nothing is forgotten.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sdk/host/runtime/session.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NPUKIT_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NPUKIT_HAS_SANITIZER 1
#endif
#endif

namespace npukit {
namespace {

namespace fs = std::filesystem;

// Beside tensors and weights: graph, plan, tables, packed weights' padding, pages begun.
constexpr uint64_t kBookkeepingBytes = uint64_t{1} << 20;

// "VmHWM: 123 kB" of /proc/self/status, in bytes; 0 if there is none.
uint64_t StatusBytes(const std::string& key) {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(key + ":", 0) == 0) return std::stoull(line.substr(key.size() + 1)) << 10;
  }
  return 0;
}

struct Cost {
  uint64_t resident_bytes = 0;  // at the peak, above what the process had before
  uint64_t arena_bytes = 0;
  uint64_t ideal_arena_bytes = 0;
  uint64_t packed_bytes = 0;
  bool measured = false;
};

bool ResetPeak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

Cost Measure(const std::string& path) {
  Cost cost;
  if (!ResetPeak()) return cost;
  const uint64_t before = StatusBytes("VmHWM");
  auto session = Session::Open(path, {});
  if (!session) return cost;
  SignatureRunner& runner = (*session)->default_runner();
  if (!runner.Run()) return cost;
  const MemoryReport report = runner.memory();
  cost = {.resident_bytes = StatusBytes("VmHWM") - before,
          .arena_bytes = report.arena_bytes,
          .ideal_arena_bytes = report.ideal_arena_bytes,
          .packed_bytes = report.packed_bytes,
          .measured = before != 0};
  return cost;
}

// In a process of its own, which has read the library's code already: it is not the model's.
Cost MeasureApart(const std::string& path) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 << 10);  // what is large goes back to the system when it is freed
#endif
    (void)Measure(path);
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    const Cost cost = Measure(path);
    const bool sent = write(ends[1], &cost, sizeof(cost)) == sizeof(cost);
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  Cost cost;
  const bool received = read(ends[0], &cost, sizeof(cost)) == sizeof(cost);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return received ? cost : Cost{};
}

TEST(PeakMemory, TheModelAndTheArena) {
#ifdef NPUKIT_HAS_SANITIZER
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  const fs::path folder = fs::path(NPUKIT_SHARED_DIR) / "models";
  if (!fs::exists(folder)) GTEST_SKIP() << folder << " is absent: real models are not measured";
  size_t measured = 0;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".tflite") continue;
    const Cost cost = MeasureApart(file.path().string());
    if (!cost.measured) continue;  // golden_model_test says which run
    ++measured;
    const uint64_t model_bytes = fs::file_size(file.path());
    const uint64_t allowed = model_bytes + cost.ideal_arena_bytes * 13 / 10 + kBookkeepingBytes;
    EXPECT_LE(cost.arena_bytes * 10, cost.ideal_arena_bytes * 13) << file.path();
    EXPECT_LE(cost.resident_bytes, allowed) << file.path();
    std::printf("%-44s model %8ju  arena %8ju (ideal %8ju)  packed %8ju  peak %8ju\n",
                file.path().stem().c_str(), uintmax_t{model_bytes}, uintmax_t{cost.arena_bytes},
                uintmax_t{cost.ideal_arena_bytes}, uintmax_t{cost.packed_bytes},
                uintmax_t{cost.resident_bytes});
  }
  if (measured == 0) GTEST_SKIP() << "the system does not tell a process's peak memory";
}

}  // namespace
}  // namespace npukit
