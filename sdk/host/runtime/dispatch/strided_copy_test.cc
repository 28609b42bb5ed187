// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/strided_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace npukit {
namespace {

using ::testing::ElementsAre;

TEST(CopyStrided, PadsRowsAndLeavesThePaddingAlone) {
  std::vector<uint8_t> dense = {1, 2, 3, 4, 5, 6};
  std::vector<uint8_t> strided(7, 99);
  const std::vector<int32_t> dims = {2, 3};
  const std::vector<uint32_t> strides = {4, 1};
  CopyStrided(StridedDirection::kFromDense, dims, strides, 1, dense, strided);
  EXPECT_THAT(strided, ElementsAre(1, 2, 3, 99, 4, 5, 6));
  std::vector<uint8_t> back(6, 0);
  CopyStrided(StridedDirection::kToDense, dims, strides, 1, back, strided);
  EXPECT_EQ(back, dense);
}

TEST(CopyStrided, Transposes) {
  std::vector<uint8_t> dense = {1, 2, 3, 4, 5, 6};
  std::vector<uint8_t> strided(6, 0);
  CopyStrided(StridedDirection::kFromDense, std::vector<int32_t>{2, 3}, std::vector<uint32_t>{1, 2},
              1, dense, strided);
  EXPECT_THAT(strided, ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(CopyStrided, MovesWholeElements) {
  std::vector<uint8_t> dense = {1, 2, 3, 4, 5, 6};
  std::vector<uint8_t> strided(10, 0);
  CopyStrided(StridedDirection::kFromDense, std::vector<int32_t>{3}, std::vector<uint32_t>{2}, 2,
              dense, strided);
  EXPECT_THAT(strided, ElementsAre(1, 2, 0, 0, 3, 4, 0, 0, 5, 6));
}

TEST(CopyStrided, ScalarsAndEmptyTensors) {
  std::vector<uint8_t> dense = {7};
  std::vector<uint8_t> strided = {0};
  CopyStrided(StridedDirection::kFromDense, {}, {}, 1, dense, strided);
  EXPECT_EQ(strided[0], 7);
  CopyStrided(StridedDirection::kFromDense, std::vector<int32_t>{0, 3}, std::vector<uint32_t>{3, 1},
              4, {}, {});
}

}  // namespace
}  // namespace npukit
