// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Holds the public C headers against abi_facts.def: at compile time each fact
// by itself, at run time a count, so that an emptied list does not pass.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "sdk/host/c_api/abi/testing/abi_layout_headers.h"

#define NPUKIT_ABI_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), "size of " #type);
#define NPUKIT_ABI_ALIGN(type, bytes) \
  static_assert(alignof(type) == (bytes), "alignment of " #type);
#define NPUKIT_ABI_OFFSET(type, field, bytes) \
  static_assert(offsetof(type, field) == (bytes), "offset of " #field " in " #type);
#define NPUKIT_ABI_VALUE(constant, value) \
  static_assert((constant) == (value), "value of " #constant);
#include "sdk/host/c_api/abi/testing/abi_facts.def"

extern "C" unsigned char NpukitLayoutFirstByteInC(unsigned rank, int has_strides);

namespace {

TEST(AbiLayoutTest, ListIsComplete) {
  int sizes = 0;
  int alignments = 0;
  int offsets = 0;
  int values = 0;
#define NPUKIT_ABI_SIZE(type, bytes) ++sizes;
#define NPUKIT_ABI_ALIGN(type, bytes) ++alignments;
#define NPUKIT_ABI_OFFSET(type, field, bytes) ++offsets;
#define NPUKIT_ABI_VALUE(constant, value) ++values;
#include "sdk/host/c_api/abi/testing/abi_facts.def"
  EXPECT_EQ(sizes, 56);
  EXPECT_EQ(alignments, 30);
  EXPECT_EQ(offsets, 143);
  EXPECT_EQ(values, 412);
}

// The bit-fields of LiteRtLayout have no offset to ask for: rank is the low
// seven bits of the first byte, has_strides the highest.
TEST(AbiLayoutTest, LayoutBitFields) {
  for (unsigned rank : {0u, 1u, 8u, 127u}) {
    for (int has_strides : {0, 1}) {
      LiteRtLayout layout = {};
      layout.rank = rank;
      layout.has_strides = has_strides != 0;
      unsigned char first_byte = 0;
      std::memcpy(&first_byte, &layout, 1);
      EXPECT_EQ(first_byte, rank | (has_strides ? 0x80u : 0u));
      EXPECT_EQ(NpukitLayoutFirstByteInC(rank, has_strides), first_byte);
    }
  }
}

}  // namespace
