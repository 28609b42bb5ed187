// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/driver/float_mode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "simulator/driver/testing/driver_fixture.h"

namespace acme {
namespace {

#if defined(__x86_64__) || defined(__aarch64__)
// Subnormals become zeros in this thread, as TFLite has it around a run. False: the thread's mode as before.
void FlushSubnormals(bool flush) {
#if defined(__x86_64__)
  constexpr unsigned kFlush = 0x8040;
  __builtin_ia32_ldmxcsr(flush ? __builtin_ia32_stmxcsr() | kFlush
                               : __builtin_ia32_stmxcsr() & ~kFlush);
#else
  constexpr uint64_t kFlush = uint64_t{1} << 24;
  uint64_t mode = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  mode = flush ? mode | kFlush : mode & ~kFlush;
  __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#endif
}

TEST_F(DriverTest, TheChipsFloatModeIsItsOwn) {
  Load(DoublingModule());
  BindBoth();
  constexpr uint32_t kSubnormal = 0x1234;
  for (const bool is_submitted : {false, true}) {
    std::ranges::fill(y_, -1.0F);
    std::memcpy(&x_[0], &kSubnormal, sizeof kSubnormal);
    volatile float tiny = std::numeric_limits<float>::min();
    FlushSubnormals(true);
    AcmeFence* fence = nullptr;
    const AcmeStatus status = is_submitted ? AcmeContextSubmit(context_, nullptr, &fence)
                                           : AcmeContextRun(context_, nullptr);
    if (fence != nullptr) AcmeFenceWait(fence, -1);
    const float flushed = tiny / 4;  // in the mode that the run left
    FlushSubnormals(false);
    if (fence != nullptr) AcmeFenceRelease(fence);
    ASSERT_EQ(status, kAcmeOk) << AcmeLastError();
    uint32_t doubled = 0;
    std::memcpy(&doubled, &y_[0], sizeof doubled);
    EXPECT_EQ(doubled, 2 * kSubnormal);
    EXPECT_EQ(flushed, 0.0F) << "the caller's mode was changed";
  }
}
#endif

}  // namespace
}  // namespace acme
