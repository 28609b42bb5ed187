// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/reading/flatbuffer_walk.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "sdk/host/model/file/tflite_schema_generated.h"

namespace npukit {
namespace {

// A table at 8, its vtable of two bytes at 12: the table's size would stand behind the end, where there is a large number.
TEST(FlatBufferEnd, AVtableWithoutTheTablesSizeIsNotReadBeyond) {
  alignas(4)
      const uint8_t bytes[] = {8, 0, 0, 0, 0, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff, 2, 0, 0xff, 0x7f};
  EXPECT_EQ(FlatBufferEndBytes(bytes, schema::ModelTypeTable()), 14u);
}

}  // namespace
}  // namespace npukit
