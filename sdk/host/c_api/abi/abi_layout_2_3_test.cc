// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Holds the public C headers, as NPUKIT_ABI_2_3 selects them, against abi_facts_2_3.def.

#include <gtest/gtest.h>

#include <cstddef>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/internal/litert_runtime_context.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "litert/vendors/c/litert_dispatch_api.h"

#define NPUKIT_ABI_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), "size of " #type);
#define NPUKIT_ABI_OFFSET(type, field, bytes) \
  static_assert(offsetof(type, field) == (bytes), "offset of " #field " in " #type);
#define NPUKIT_ABI_VALUE(constant, value) \
  static_assert((constant) == (value), "value of " #constant);
#include "sdk/host/c_api/abi/testing/abi_facts_2_3.def"

namespace {

TEST(AbiLayout23Test, ListIsComplete) {
  int sizes = 0;
  int offsets = 0;
  int values = 0;
#define NPUKIT_ABI_SIZE(type, bytes) ++sizes;
#define NPUKIT_ABI_OFFSET(type, field, bytes) ++offsets;
#define NPUKIT_ABI_VALUE(constant, value) ++values;
#include "sdk/host/c_api/abi/testing/abi_facts_2_3.def"
  EXPECT_EQ(sizes, 8);
  EXPECT_EQ(offsets, 94);
  EXPECT_EQ(values, 17);
}

// A member that lies only in part within a table is not there.
TEST(AbiLayout23Test, HalfAMemberIsNone) {
  LiteRtDispatchInterface_V1 table = {};
  table.abi_header = {offsetof(LiteRtDispatchInterface_V1, get_hooks) + 4, 1, 0, 0};
  table.get_hooks = [](LiteRtDispatchDeviceContext, LiteRtHook*, void**) {
    return kLiteRtStatusOk;
  };
  EXPECT_FALSE(LITERT_ABI_HAS_API(&table, 1, get_hooks));
  table.abi_header.struct_size += 4;
  EXPECT_TRUE(LITERT_ABI_HAS_API(&table, 1, get_hooks));
}

}  // namespace
