// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run allocates nothing. This program replaces malloc and its kin (and with them operator new) to
// count.

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "sdk/host/model/model_builder.h"
#include "sdk/host/runtime/random_inputs.h"
#include "sdk/host/runtime/session.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NPUKIT_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NPUKIT_HAS_SANITIZER 1
#endif
#endif

namespace {
std::atomic<bool> g_counting{false};
std::atomic<long> g_allocations{0};
void Count() {
  if (g_counting.load(std::memory_order_relaxed))
    g_allocations.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

#if !defined(NPUKIT_HAS_SANITIZER) && defined(__GLIBC__)
#define NPUKIT_COUNTS_MALLOC 1
extern "C" {
void* __libc_malloc(size_t);            // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(size_t, size_t);    // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void*, size_t);    // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(size_t, size_t);  // NOLINT(bugprone-reserved-identifier)

void* malloc(size_t size) {
  Count();
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  Count();
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  Count();
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  Count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  Count();
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
}
#endif

namespace npukit {
namespace {

// Allocations during one run, after a first that may warm things up: nothing is allowed to be lazy,
// so the first counts too.
long AllocationsOfARun(SignatureRunner& runner) {
  g_allocations = 0;
  g_counting = true;
  const bool ok = runner.Run().HasValue();
  g_counting = false;
  EXPECT_TRUE(ok);
  return g_allocations;
}

TEST(Allocation, TheCounterCounts) {
#ifndef NPUKIT_COUNTS_MALLOC
  GTEST_SKIP() << "malloc cannot be replaced in this build";
#endif
  g_allocations = 0;
  g_counting = true;
  auto* volatile p = new int(1);
  g_counting = false;
  delete p;
  EXPECT_GE(g_allocations, 1);
}

TEST(Allocation, NoneInARunOfABuiltModel) {
#ifndef NPUKIT_COUNTS_MALLOC
  GTEST_SKIP() << "malloc cannot be replaced in this build";
#endif
  for (int threads : {1, 2}) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {1, 16, 16, 8});
    Tensor* w = b.Constant<float>("w", {8, 3, 3, 8}, std::vector<float>(8 * 9 * 8, 0.01f));
    Tensor* bias = b.Constant<float>("bias", {8}, std::vector<float>(8, 0.5f));
    Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {1, 16, 16, 8});
    Tensor* z = b.Value("z", kLiteRtElementTypeFloat32, {1, 16, 16, 8});
    Conv2DOptions conv;
    conv.stride_w = conv.stride_h = 1;
    b.AddOp(kLiteRtOpCodeTflConv2d, conv, {x, w, bias}, {y});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {y, x}, {z});
    b.Output(z);
    auto session = Session::Create(b.BuildUnchecked(), {.threads = threads});
    ASSERT_TRUE(session) << session.Error();
    SignatureRunner& runner = (*session)->default_runner();
    EXPECT_EQ(AllocationsOfARun(runner), 0) << threads << " threads, first run";
    runner.EnableStepTimes(true);
    EXPECT_EQ(AllocationsOfARun(runner), 0) << threads << " threads, second run";
  }
}

TEST(Allocation, NoneInARunOfRealModels) {
#ifndef NPUKIT_COUNTS_MALLOC
  GTEST_SKIP() << "malloc cannot be replaced in this build";
#endif
  const std::filesystem::path folder = std::filesystem::path(NPUKIT_SHARED_DIR) / "models";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << folder << " is absent: real models are not run";
  size_t run = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".tflite") continue;
    auto session = Session::Open(file.path().string(), {});
    if (!session) continue;  // golden_model_test says which run
    SignatureRunner& runner = (*session)->default_runner();
    FillRandomInputs(runner, 1);
    EXPECT_EQ(AllocationsOfARun(runner), 0) << file.path();
    ++run;
  }
  EXPECT_GT(run, 0u);
}

}  // namespace
}  // namespace npukit
