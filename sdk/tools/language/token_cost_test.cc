// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/token_cost.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sdk/host/model/samples/language_model.h"

namespace npukit::tools {
namespace {

// Of a run that reaches the end of the context, unless `position` is given.
TokenBytes BytesOf(const LanguageModelShape& shape, const std::string& signature,
                   int32_t position = INT32_MAX / 2) {
  const auto model = BuildLanguageModel(shape);
  EXPECT_TRUE(model) << model.Error().Message();
  const auto bytes = model ? CountTokenBytes(**model, signature, position) : std::nullopt;
  EXPECT_TRUE(bytes) << signature;
  return bytes.value_or(TokenBytes());
}

TEST(CountTokenBytes, OfCachesIsAllThatIsAttendedToAndTheRowsThatAreWritten) {
  LanguageModelShape shape = *FindLanguageModel("toy_llama_int8");
  const auto row_bytes = uint64_t{2} * static_cast<uint64_t>(shape.layers) *
                         static_cast<uint64_t>(shape.kv_heads) *
                         static_cast<uint64_t>(shape.head_dim);
  const auto context = static_cast<uint64_t>(shape.context);
  const TokenBytes decode = BytesOf(shape, "decode");
  EXPECT_EQ(decode.tokens, 1);
  EXPECT_EQ(decode.cache, row_bytes * (context + 1));
  EXPECT_EQ(BytesOf(shape, "decode", 0).cache, row_bytes * 2);
  EXPECT_EQ(BytesOf(shape, "decode", 9).cache, row_bytes * 11);
  const TokenBytes prefill = BytesOf(shape, "prefill_8");
  EXPECT_EQ(prefill.tokens, 8);
  // Without logits of the prompt the last layer attends to nothing.
  const auto layers = static_cast<uint64_t>(shape.layers);
  EXPECT_EQ(prefill.cache, row_bytes * 8 + row_bytes * context * (layers - 1) / layers);
  shape.prefill_logits = true;
  EXPECT_EQ(BytesOf(shape, "prefill_8").cache, row_bytes * (context + 8));
}

// The table is the head, too, which reads all of it; as embedding it gives rows.
TEST(CountTokenBytes, OfWeightsIsEachOnce) {
  LanguageModelShape shape = *FindLanguageModel("toy_llama_float");
  const TokenBytes small = BytesOf(shape, "decode");
  shape.vocabulary *= 2;
  const TokenBytes large = BytesOf(shape, "decode");
  EXPECT_EQ(large.weights - small.weights,
            static_cast<uint64_t>(shape.vocabulary / 2 * shape.width) * sizeof(float));
  const auto int8 =
      static_cast<double>(BytesOf(*FindLanguageModel("toy_qwen_int8"), "decode").weights);
  const auto int4 =
      static_cast<double>(BytesOf(*FindLanguageModel("toy_qwen_int4"), "decode").weights);
  EXPECT_LT(int4, 0.7 * int8);
  EXPECT_GT(int4, 0.5 * int8);
}

TEST(CountTokenBytes, IsForSignaturesWithTokens) {
  const auto model = BuildLanguageModel(*FindLanguageModel("toy_qwen"));
  ASSERT_TRUE(model);
  EXPECT_FALSE(CountTokenBytes(**model, "prefill_3", 0));
  EXPECT_FALSE(CountTokenBytes(Model(), "decode", 0));
}

TEST(TokenCost, IsByToken) {
  BenchReport bench;
  bench.cycles = 2000;
  bench.clock_mhz = 500;
  bench.bytes_read = 1000;
  bench.bytes_written = 600;
  const auto cost = TokenCostJson({.tokens = 8, .weights = 800, .cache = 400}, bench);
  EXPECT_EQ(cost["tokens"], 8);
  EXPECT_EQ(cost["cycles_per_token"], 250);
  EXPECT_EQ(cost["tokens_per_second"], 2000000);
  EXPECT_EQ(cost["bytes_per_token"]["weights"], 100);
  EXPECT_EQ(cost["bytes_per_token"]["cache"], 50);
  EXPECT_EQ(cost["bytes_per_token"]["other"], 50);
  EXPECT_EQ(TokenCostText(cost),
            "token: 250 cycles, 2000000 tokens/s; bytes: weights 100, cache 50, other 50\n");
}

TEST(TokenCost, OfWhatIsNotKnownIsNull) {
  const auto cost = TokenCostJson({.tokens = 1, .weights = 800, .cache = 400}, BenchReport());
  EXPECT_TRUE(cost["cycles_per_token"].is_null());
  EXPECT_TRUE(cost["tokens_per_second"].is_null());
  EXPECT_TRUE(cost["bytes_per_token"]["other"].is_null());
  EXPECT_EQ(TokenCostText(cost),
            "token: - cycles, - tokens/s; bytes: weights 800, cache 400, other -\n");
}

}  // namespace
}  // namespace npukit::tools
