// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/placement/constant_pool.h"

#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

using Bytes = std::vector<uint8_t>;

TEST(ConstantPool, AlignsAndStoresEqualBytesOnce) {
  ConstantPool pool;
  EXPECT_EQ(pool.Add(Bytes{1, 2, 3}), (DramPlace{kConstantsBinding, 0}));
  EXPECT_EQ(pool.Add(Bytes(64, 7)), (DramPlace{kConstantsBinding, 64}));
  EXPECT_EQ(pool.Add(Bytes{9}), (DramPlace{kConstantsBinding, 128}));
  EXPECT_EQ(pool.Add(Bytes{1, 2, 3}).offset_bytes, 0);
  EXPECT_EQ(pool.Add(Bytes{1, 2}).offset_bytes, 192) << "a beginning is not the whole";
  EXPECT_EQ(pool.SizeBytes(), 194);
}

TEST(ConstantPool, GapsAreZero) {
  ConstantPool pool;
  pool.Add(Bytes{5});
  pool.Add(Bytes{6});
  const Bytes bytes = pool.Take();
  ASSERT_EQ(bytes.size(), 65u);
  EXPECT_EQ(bytes[0], 5);
  EXPECT_EQ(bytes[1], 0);
  EXPECT_EQ(bytes[64], 6);
}

// What a try that did not fit has added is forgotten.
TEST(ConstantPool, ClearForgetsWhatIsOnTop) {
  ConstantPool pool;
  pool.Add(Bytes{1});
  ConstantPool on_top = ConstantPool::OnTopOf(pool);
  EXPECT_EQ(on_top.SizeBytes(), 1);
  EXPECT_EQ(on_top.Add(Bytes{2}).offset_bytes, 64);
  EXPECT_EQ(on_top.SizeBytes(), 65);
  on_top.Clear();
  EXPECT_EQ(on_top.SizeBytes(), 1);
  EXPECT_EQ(on_top.Add(Bytes{3}).offset_bytes, 64);
  EXPECT_EQ(on_top.Add(Bytes{1}).offset_bytes, 0) << "what is below";
  EXPECT_EQ(on_top.Add(Bytes{2}).offset_bytes, 128) << "not where it was before";
  EXPECT_EQ(pool.SizeBytes(), 1);
}

TEST(ConstantPool, OneOfSeveralOnTopIsAppended) {
  ConstantPool pool;
  pool.Add(Bytes{1});
  ConstantPool first = ConstantPool::OnTopOf(pool);
  ConstantPool second = ConstantPool::OnTopOf(pool);
  first.Add(Bytes{2});
  first.Add(Bytes(100, 3));
  second.Add(Bytes{4});
  const int64_t whole = first.SizeBytes();
  pool.Append(std::move(first));
  EXPECT_EQ(pool.SizeBytes(), whole);
  EXPECT_EQ(pool.Add(Bytes{2}).offset_bytes, 64);
  EXPECT_EQ(pool.Add(Bytes(100, 3)).offset_bytes, 128);
  EXPECT_EQ(pool.Add(Bytes{4}).offset_bytes, 256) << "the other was forgotten";
  EXPECT_EQ(pool.Take()[128], 3);
}

// What is shared is not copied, and kept until it was taken or forgotten.
TEST(ConstantPool, SharesBytesWithTheirOwner) {
  ConstantPool pool;
  auto owner = std::make_shared<Bytes>(Bytes{1, 2});
  EXPECT_EQ(pool.Share(*owner, owner).offset_bytes, 0);
  EXPECT_EQ(owner.use_count(), 2);
  EXPECT_EQ(pool.Add(Bytes{1, 2}).offset_bytes, 0);
  owner->front() = 3;
  EXPECT_EQ(pool.Take(), (Bytes{3, 2}));
  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_EQ(pool.SizeBytes(), 0);
  ConstantPool on_top = ConstantPool::OnTopOf(pool);
  on_top.Share(*owner, owner);
  EXPECT_EQ(owner.use_count(), 2);
  on_top.Clear();
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(ConstantPool, RemembersWhatIsStillInUse) {
  ConstantPool pool;
  auto made = std::make_shared<const int>(7);
  ConstantPool::OnTopOf(pool).Remember("seven", made);
  EXPECT_EQ(pool.Recall("seven"), made) << "what is on top remembers for all";
  EXPECT_EQ(pool.Recall("eight"), nullptr);
  made.reset();
  EXPECT_EQ(pool.Recall("seven"), nullptr);
}

TEST(ConstantPool, NothingOnTopChangesNothing) {
  ConstantPool pool;
  pool.Add(Bytes{1});
  ConstantPool on_top = ConstantPool::OnTopOf(pool);
  on_top.Add(Bytes{1});
  pool.Append(std::move(on_top));
  EXPECT_EQ(pool.SizeBytes(), 1);
}

}  // namespace
}  // namespace acme::compiler
