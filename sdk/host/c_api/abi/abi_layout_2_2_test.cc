// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Holds the public C headers, as NPUKIT_ABI_2_2 selects them, against abi_facts_2_2.def.

#include <gtest/gtest.h>

#include <cstddef>

#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/internal/litert_custom_tensor_buffer_handlers_def.h"
#include "litert/c/internal/litert_runtime_context.h"
#include "litert/cc/litert_element_type.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/model/graph/tensor.h"

#define NPUKIT_ABI_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), "size of " #type);
#define NPUKIT_ABI_OFFSET(type, field, bytes) \
  static_assert(offsetof(type, field) == (bytes), "offset of " #field " in " #type);
#define NPUKIT_ABI_VALUE(constant, value) \
  static_assert((constant) == (value), "value of " #constant);
#include "sdk/host/c_api/abi/testing/abi_facts_2_2.def"

namespace {

TEST(AbiLayout22Test, ListIsComplete) {
  int sizes = 0;
  int offsets = 0;
  int values = 0;
#define NPUKIT_ABI_SIZE(type, bytes) ++sizes;
#define NPUKIT_ABI_OFFSET(type, field, bytes) ++offsets;
#define NPUKIT_ABI_VALUE(constant, value) ++values;
#include "sdk/host/c_api/abi/testing/abi_facts_2_2.def"
  EXPECT_EQ(sizes, 11);
  EXPECT_EQ(offsets, 273);
  EXPECT_EQ(values, 10);
}

// The element types of v2.2.0 alone, which the host knows by constants of its own.
TEST(AbiLayout22Test, ElementTypes) {
  static_assert(npukit::kElementTypeUInt4 == kLiteRtElementTypeUInt4);
  static_assert(npukit::kElementTypeFloat8E4M3FN == kLiteRtElementTypeFloat8E4M3FN);
  static_assert(npukit::kElementTypeFloat8E5M2 == kLiteRtElementTypeFloat8E5M2);
  EXPECT_EQ(litert::GetByteWidth(litert::ElementType::UInt4)->NumBytes(5), 3u);
  EXPECT_EQ(litert::GetByteWidth(litert::ElementType::Float8E4M3FN)->NumBytes(5), 5u);
  EXPECT_EQ(litert::GetByteWidth(litert::ElementType::Float8E5M2)->NumBytes(5), 5u);
}

// What the macros of litert_abi_header.h say of a table.
TEST(AbiLayout22Test, HeaderMacros) {
  LiteRtCompilerContext context = {};
  context.abi_header = {sizeof(context), 1, 2, 0};
  EXPECT_TRUE(LITERT_ABI_IS_COMPATIBLE(&context, 1, 2));
  EXPECT_FALSE(LITERT_ABI_IS_COMPATIBLE(&context, 1, 3));
  EXPECT_FALSE(LITERT_ABI_IS_COMPATIBLE(&context, 2, 0));
  EXPECT_FALSE(LITERT_ABI_HAS_API(&context, 1, push_op));  // null
  context.push_op = [](LiteRtOpList, LiteRtOp, LiteRtParamIndex) { return kLiteRtStatusOk; };
  EXPECT_TRUE(LITERT_ABI_HAS_API(&context, 1, push_op));
  context.abi_header.struct_size = offsetof(LiteRtCompilerContext, push_op);
  EXPECT_FALSE(LITERT_ABI_HAS_API(&context, 1, push_op));  // past the table's end
}

}  // namespace
