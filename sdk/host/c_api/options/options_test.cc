// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// litert_options.h, litert_opaque_options.h and the compiler options that
// travel in them.

#include "litert/c/litert_options.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "litert/c/litert_opaque_options.h"
#include "litert/c/options/litert_compiler_options.h"
#include "litert/c/options/litert_samsung_options.h"
#include "sdk/host/c_api/options/options.h"

namespace {

// A payload that counts how many of its kind there are.
struct Payload {
  explicit Payload(int value) : value(value) { ++alive; }
  ~Payload() { --alive; }
  int value;
  static int alive;
};
int Payload::alive = 0;

LiteRtOpaqueOptions Item(const char* identifier, int value) {
  LiteRtOpaqueOptions item = nullptr;
  EXPECT_EQ(LiteRtCreateOpaqueOptions(
                identifier, new Payload(value),
                [](void* data) { delete static_cast<Payload*>(data); }, &item),
            kLiteRtStatusOk);
  return item;
}

int ValueOf(LiteRtOpaqueOptions item) {
  void* data = nullptr;
  EXPECT_EQ(LiteRtGetOpaqueOptionsData(item, &data), kLiteRtStatusOk);
  return static_cast<Payload*>(data)->value;
}

TEST(OptionsTest, HardwareAccelerators) {
  LiteRtOptions options = nullptr;
  ASSERT_EQ(LiteRtCreateOptions(&options), kLiteRtStatusOk);
  LiteRtHwAcceleratorSet set = -1;
  ASSERT_EQ(LiteRtGetOptionsHardwareAccelerators(options, &set), kLiteRtStatusOk);
  EXPECT_EQ(set, kLiteRtHwAcceleratorNone);
  ASSERT_EQ(LiteRtSetOptionsHardwareAccelerators(options,
                                                 kLiteRtHwAcceleratorCpu | kLiteRtHwAcceleratorNpu),
            kLiteRtStatusOk);
  EXPECT_EQ(LiteRtSetOptionsHardwareAccelerators(options, 1 << 5),
            kLiteRtStatusErrorInvalidArgument);
  ASSERT_EQ(LiteRtGetOptionsHardwareAccelerators(options, &set), kLiteRtStatusOk);
  EXPECT_EQ(set, kLiteRtHwAcceleratorCpu | kLiteRtHwAcceleratorNpu);
  LiteRtDestroyOptions(options);
}

TEST(OptionsTest, CustomOpsAndExternalTensorsAreCopied) {
  LiteRtOptions options = nullptr;
  ASSERT_EQ(LiteRtCreateOptions(&options), kLiteRtStatusOk);
  std::string name = "MyOp";
  LiteRtCustomOpKernel kernel = {};
  int user_data = 0;
  ASSERT_EQ(LiteRtAddCustomOpKernelOption(options, name.c_str(), 2, &kernel, &user_data),
            kLiteRtStatusOk);
  ASSERT_EQ(LiteRtAddExternalTensorBinding(options, "serving", name.c_str(), &user_data, 4),
            kLiteRtStatusOk);
  EXPECT_EQ(LiteRtAddExternalTensorBinding(options, "serving", name.c_str(), &user_data, -4),
            kLiteRtStatusErrorInvalidArgument);
  name = "gone";
  ASSERT_EQ(options->custom_ops.size(), 1u);
  EXPECT_EQ(options->custom_ops[0].name, "MyOp");
  EXPECT_EQ(options->custom_ops[0].version, 2);
  EXPECT_EQ(options->custom_ops[0].user_data, &user_data);
  ASSERT_EQ(options->external_tensors.size(), 1u);
  EXPECT_EQ(options->external_tensors[0].tensor, "MyOp");
  LiteRtDestroyOptions(options);
}

TEST(OptionsTest, OwnsItsOpaqueOptions) {
  LiteRtOptions options = nullptr;
  ASSERT_EQ(LiteRtCreateOptions(&options), kLiteRtStatusOk);
  LiteRtOpaqueOptions head = Item("none", 0);
  LiteRtDestroyOpaqueOptions(head);
  ASSERT_EQ(LiteRtGetOpaqueOptions(options, &head), kLiteRtStatusOk);
  EXPECT_EQ(head, nullptr);
  ASSERT_EQ(LiteRtAddOpaqueOptions(options, Item("a", 1)), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtAddOpaqueOptions(options, Item("b", 2)), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetOpaqueOptions(options, &head), kLiteRtStatusOk);
  EXPECT_EQ(ValueOf(head), 1);
  EXPECT_EQ(Payload::alive, 2);
  LiteRtDestroyOptions(options);
  EXPECT_EQ(Payload::alive, 0);
}

TEST(OpaqueOptionsTest, ListOperations) {
  LiteRtOpaqueOptions list = nullptr;
  EXPECT_EQ(LiteRtPopOpaqueOptions(&list), kLiteRtStatusErrorInvalidArgument);
  LiteRtOpaqueOptions first = Item("a", 1);
  ASSERT_EQ(LiteRtAppendOpaqueOptions(&list, first), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtAppendOpaqueOptions(&list, Item("b", 2)), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtAppendOpaqueOptions(&list, Item("a", 3)), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtAppendOpaqueOptions(&list, first),
            kLiteRtStatusErrorInvalidArgument);  // would be a ring

  void* data = nullptr;
  ASSERT_EQ(LiteRtFindOpaqueOptionsData(list, "a", &data), kLiteRtStatusOk);
  EXPECT_EQ(static_cast<Payload*>(data)->value, 1);  // the first of two
  EXPECT_EQ(LiteRtFindOpaqueOptionsData(list, "c", &data), kLiteRtStatusErrorNotFound);

  LiteRtOpaqueOptions item = list;
  ASSERT_EQ(LiteRtGetNextOpaqueOptions(&item), kLiteRtStatusOk);
  const char* identifier = nullptr;
  ASSERT_EQ(LiteRtGetOpaqueOptionsIdentifier(item, &identifier), kLiteRtStatusOk);
  EXPECT_STREQ(identifier, "b");
  ASSERT_EQ(LiteRtGetNextOpaqueOptions(&item), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetNextOpaqueOptions(&item), kLiteRtStatusOk);
  EXPECT_EQ(item, nullptr);

  ASSERT_EQ(LiteRtPopOpaqueOptions(&list), kLiteRtStatusOk);
  EXPECT_EQ(Payload::alive, 2);
  LiteRtDestroyOpaqueOptions(list);
  EXPECT_EQ(Payload::alive, 0);
}

TEST(OpaqueOptionsTest, PopOfTheOnlyItemLeavesNone) {
  LiteRtOpaqueOptions list = Item("a", 1);
  ASSERT_EQ(LiteRtPopOpaqueOptions(&list), kLiteRtStatusOk);
  EXPECT_EQ(list, nullptr);
  EXPECT_EQ(Payload::alive, 0);
}

TEST(OpaqueOptionsTest, Hash) {
  LiteRtOpaqueOptions item = Item("a", 5);
  uint64_t hash = 0;
  EXPECT_EQ(LiteRtGetOpaqueOptionsHash(item, &hash), kLiteRtStatusErrorUnsupported);
  ASSERT_EQ(LiteRtSetOpaqueOptionsHash(item,
                                       [](const void* data) -> uint64_t {
                                         return uint64_t{10} *
                                                static_cast<const Payload*>(data)->value;
                                       }),
            kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetOpaqueOptionsHash(item, &hash), kLiteRtStatusOk);
  EXPECT_EQ(hash, 50u);
  LiteRtDestroyOpaqueOptions(item);
}

TEST(CompilerOptionsTest, TravelAsToml) {
  LrtCompilerOptions* options = nullptr;
  ASSERT_EQ(LrtCreateCompilerOptions(&options), kLiteRtStatusOk);
  LiteRtCompilerOptionsPartitionStrategy strategy = {};
  EXPECT_EQ(LrtGetCompilerOptionsPartitionStrategy(options, &strategy), kLiteRtStatusErrorNotFound);
  ASSERT_EQ(LrtSetCompilerOptionsPartitionStrategy(
                options, kLiteRtCompilerOptionsPartitionStrategyWeaklyConnected),
            kLiteRtStatusOk);
  ASSERT_EQ(LrtSetCompilerOptionsDummyOption(options, true), kLiteRtStatusOk);
  ASSERT_EQ(LrtGetCompilerOptionsPartitionStrategy(options, &strategy), kLiteRtStatusOk);
  EXPECT_EQ(strategy, kLiteRtCompilerOptionsPartitionStrategyWeaklyConnected);
  bool dummy = false;
  ASSERT_EQ(LrtGetCompilerOptionsDummyOption(options, &dummy), kLiteRtStatusOk);
  EXPECT_TRUE(dummy);
  size_t most = 0;
  EXPECT_EQ(LrtGetCompilerOptionsMaxPartitions(options, &most), kLiteRtStatusErrorNotFound);
  ASSERT_EQ(LrtSetCompilerOptionsMaxPartitions(options, 7), kLiteRtStatusOk);
  ASSERT_EQ(LrtGetCompilerOptionsMaxPartitions(options, &most), kLiteRtStatusOk);
  EXPECT_EQ(most, 7u);
  EXPECT_EQ(LrtSetCompilerOptionsMaxPartitions(nullptr, 7), kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(LrtGetCompilerOptionsMaxPartitions(options, nullptr),
            kLiteRtStatusErrorInvalidArgument);

  const char* identifier = nullptr;
  void* payload = nullptr;
  void (*deleter)(void*) = nullptr;
  ASSERT_EQ(LrtGetOpaqueCompilerOptionsData(options, &identifier, &payload, &deleter),
            kLiteRtStatusOk);
  EXPECT_STREQ(identifier, "compiler_options_string");
  EXPECT_STREQ(static_cast<const char*>(payload),
               "dummy_option = true\nmax_partitions = 7\npartition_strategy = 1\n");
  LiteRtOpaqueOptions item = nullptr;
  ASSERT_EQ(LiteRtCreateOpaqueOptions(identifier, payload, deleter, &item), kLiteRtStatusOk);
  LiteRtDestroyOpaqueOptions(item);
  LrtDestroyCompilerOptions(options);
  LrtDestroyCompilerOptions(nullptr);
  EXPECT_EQ(LrtCreateCompilerOptions(nullptr), kLiteRtStatusErrorInvalidArgument);
}

TEST(SamsungOptionsTest, AreFoundByTheirIdentifier) {
  LiteRtOpaqueOptions options = nullptr;
  ASSERT_EQ(LiteRtSamsungOptionsCreate(&options), kLiteRtStatusOk);
  LiteRtSamsungOptions data = nullptr;
  ASSERT_EQ(LiteRtSamsungOptionsGet(options, &data), kLiteRtStatusOk);
  EXPECT_NE(data, nullptr);
  LiteRtDestroyOpaqueOptions(options);
  LiteRtOpaqueOptions other = Item("other", 1);
  EXPECT_EQ(LiteRtSamsungOptionsGet(other, &data), kLiteRtStatusErrorInvalidArgument);
  LiteRtDestroyOpaqueOptions(other);
}

}  // namespace
