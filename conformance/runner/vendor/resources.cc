// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/resources.h"

#include <fmt/format.h>
#include <malloc.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "conformance/observation/evidence.h"
#include "litert/cc/litert_macros.h"
#include "npukit/internal/sanitizers.h"
#include "sdk/remote/desk/dispatch/remote_library.h"

namespace npukit::conformance {
namespace {

constexpr int kWarmUpCycles = 4;
constexpr int kWindows = 12;
// malloc's smallest chunk is 32 bytes: a leak in each cycle is at least that.
constexpr uint64_t kSmallestLeakBytes = 24;

size_t CountEntries(const char* folder) {
  std::error_code error;
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    (void)entry;
    ++count;
  }
  return count;
}

// The thread sanitizer maps memory for each thread, and keeps it.
#ifdef NPUKIT_INTERNAL_THREAD_SANITIZER
constexpr bool kMappingsAreOurs = false;
#else
constexpr bool kMappingsAreOurs = true;
#endif

size_t CountLines(const char* path) {
  std::ifstream stream(path);
  std::string line;
  size_t count = 0;
  while (std::getline(stream, line)) ++count;
  return count;
}

std::string Grown(const char* what, uint64_t before, uint64_t after, uint64_t least, int count) {
  if (after < before + least) return {};
  return fmt::format("{}: {} more after {} cycles", what, after - before, count);
}

}  // namespace

Resources MeasureResources() {
  // What waits for its way to a device is no leak.
  (void)remote::SettleRemoteLibrary();
  const struct mallinfo2 heap = mallinfo2();
  Resources resources;
  resources.heap_bytes = heap.uordblks + heap.hblkhd;
  resources.file_descriptors = CountEntries("/proc/self/fd");
  resources.threads = CountEntries("/proc/self/task");
  if constexpr (kMappingsAreOurs) resources.mappings = CountLines("/proc/self/maps");
  return resources;
}

namespace {

litert::Expected<std::string> FindLeakNow(int count,
                                          const std::function<litert::Expected<void>()>& cycle) {
  const auto cycles = static_cast<uint64_t>(count);
  for (int i = 0; i < kWarmUpCycles; ++i) LITERT_RETURN_IF_ERROR(cycle());
  // malloc's own caches fill up for a while: only what grows in every window is lost.
  std::string leak;
  for (int window = 0; window < kWindows; ++window) {
    const Resources before = MeasureResources();
    for (int i = 0; i < count; ++i) LITERT_RETURN_IF_ERROR(cycle());
    const Resources after = MeasureResources();
    leak = Grown("heap bytes", before.heap_bytes, after.heap_bytes, cycles * kSmallestLeakBytes,
                 count);
    if (leak.empty())
      leak =
          Grown("file descriptors", before.file_descriptors, after.file_descriptors, cycles, count);
    if (leak.empty()) leak = Grown("threads", before.threads, after.threads, cycles, count);
    if (leak.empty())
      leak = Grown("memory mappings", before.mappings, after.mappings, cycles, count);
    if (leak.empty()) return leak;
  }
  return leak;
}

}  // namespace

int MostLeakCycles(int count) { return kWarmUpCycles + kWindows * count; }

litert::Expected<std::string> FindLeak(int count,
                                       const std::function<litert::Expected<void>()>& cycle) {
  return Witness::Get().Observe<std::string>("leak", [&] { return FindLeakNow(count, cycle); });
}

}  // namespace npukit::conformance
