// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/host/runtime/state/string_tensor.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInt64 = kLiteRtElementTypeInt64;
constexpr auto kString = kLiteRtElementTypeTfString;
constexpr auto kResource = kLiteRtElementTypeTfResource;

std::vector<uint8_t> Strings(const std::vector<std::string_view>& strings) {
  const auto bytes = WriteStrings(strings);
  return *bytes;
}

std::vector<int64_t> Numbers(std::span<const uint8_t> bytes) {
  std::vector<int64_t> values(bytes.size() / sizeof(int64_t));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// A table that CALL_ONCE fills, looked up: from "one", "two" to 1, 2, or the other way.
std::unique_ptr<Model> Lookup(bool from_strings, bool fills) {
  const auto keys_type = from_strings ? kString : kInt64;
  const auto values_type = from_strings ? kInt64 : kString;
  const HashtableOptions options = {
      .table_id = 7,
      .key_dtype = from_strings ? TensorType::kString : TensorType::kInt64,
      .value_dtype = from_strings ? TensorType::kInt64 : TensorType::kString};
  ModelBuilder b;
  Tensor* keys = b.Input("keys", keys_type, {3});
  Tensor* handle = b.Value("handle", kResource, {1});
  Tensor* found = b.Value("found", values_type, {3});
  Tensor* size = b.Value("size", kInt64, {1});
  Tensor* otherwise = from_strings ? b.Constant<int64_t>("otherwise", {1}, {-1})
                                   : b.Constant("otherwise", kString, {1}, Strings({"none"}));
  if (fills) {
    const int32_t init = b.BeginSubgraph("init");
    Tensor* same = b.Value("same", kResource, {1});
    Tensor* texts = b.Constant("texts", kString, {2}, Strings({"one", "two"}));
    Tensor* numbers = b.Constant<int64_t>("numbers", {2}, {1, 2});
    b.AddOp(kLiteRtOpCodeTflHashtable, options, {}, {same});
    b.AddOp(kLiteRtOpCodeTflHashtableImport, HashtableImportOptions{},
            {same, from_strings ? texts : numbers, from_strings ? numbers : texts}, {});
    b.SelectSubgraph(0);
    b.AddOp(kLiteRtOpCodeTflCallOnce, CallOnceOptions{.init_subgraph_index = init}, {}, {});
  }
  b.AddOp(kLiteRtOpCodeTflHashtable, options, {}, {handle});
  b.AddOp(kLiteRtOpCodeTflHashtableFind, HashtableFindOptions{}, {handle, keys, otherwise},
          {found});
  b.AddOp(kLiteRtOpCodeTflHashtableSize, HashtableSizeOptions{}, {handle}, {size});
  b.Output(found);
  b.Output(size);
  return b.BuildUnchecked();
}

litert::Expected<std::unique_ptr<SignatureRunner>> Prepare(const Model& model) {
  return SignatureRunner::Create(model, model.main_subgraph(), {}, nullptr, nullptr);
}

TEST(HashTable, FindsNumbersByString) {
  const auto model = Lookup(/*from_strings=*/true, /*fills=*/true);
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE((*runner)->SetInput(0, Strings({"two", "a longer one that is not there", "one"})));
    auto run = (*runner)->Run();
    ASSERT_TRUE(run) << run.Error();
    EXPECT_THAT(Numbers((*runner)->output(0)), ElementsAre(2, -1, 1));
    EXPECT_THAT(Numbers((*runner)->output(1)), ElementsAre(2));
    ASSERT_TRUE((*runner)->SetInput(0, Strings({"", "one", "one"})));
    ASSERT_TRUE((*runner)->Run());
    EXPECT_THAT(Numbers((*runner)->output(0)), ElementsAre(-1, 1, 1));
    (*runner)->ResetState();
  }
}

TEST(HashTable, FindsStringsByNumber) {
  const auto model = Lookup(/*from_strings=*/false, /*fills=*/true);
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  const int64_t keys[3] = {2, 5, 1};
  ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(keys), sizeof(keys)}));
  auto run = (*runner)->Run();
  ASSERT_TRUE(run) << run.Error();
  const auto found = ReadStrings((*runner)->output(0), 3);
  ASSERT_TRUE(found) << found.Error();
  EXPECT_THAT(*found, ElementsAre("two", "none", "one"));
}

TEST(HashTable, ErrorsNameTheOp) {
  const auto model = Lookup(/*from_strings=*/true, /*fills=*/false);
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  auto run = (*runner)->Run();
  ASSERT_FALSE(run);
  EXPECT_THAT(run.Error().Message(),
              AllOf(HasSubstr("HASHTABLE_FIND (op 1)"), HasSubstr("nothing imported")));
  auto set = (*runner)->SetInput(0, Strings({"one"}));
  ASSERT_FALSE(set);
  EXPECT_THAT(set.Error().Message(), AllOf(HasSubstr("'keys'"), HasSubstr("3 of them, found 1")));
}

}  // namespace
}  // namespace npukit
