// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/language/step_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "conformance/runner/checks/host_run.h"
#include "conformance/spec/graph/networks.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class T>
T Get(litert::Expected<T> expected) {
  EXPECT_TRUE(expected) << (expected ? "" : expected.Error().Message());
  return std::move(*expected);
}

// A model, and a device that gives the CPU's values.
class StepJudgeTest : public ::testing::Test {
 protected:
  void Open(const std::string& name, bool values = true) {
    model_ = Get(BuildNetwork(name));
    device_ = Get(Session::Create(Get(CopyThroughFile(*model_)), {}));
    const std::vector<std::string> caches = Get(CacheNames(*model_));
    conversation_ = std::make_unique<Conversation>(*device_, caches);
    ASSERT_TRUE(conversation_->FillCaches(0));
    context_ = Get(ContextOf(*model_));
    judge_ = std::make_unique<StepJudge>(
        Get(StepJudge::Open(*model_, {.caches = caches, .context = context_, .values = values})));
  }
  TokenStep Decode(int32_t position) { return {"decode", {3 + position}, position}; }

  // What is wrong with a step whose values were changed.
  std::string Judged(
      const TokenStep& step, const std::function<void(StepValues&)>& change = [](StepValues&) {}) {
    StepValues values = Get(conversation_->Run(step));
    change(values);
    conversation_->Keep(values);
    return Get(judge_->Judge(step, values));
  }
  void ReadPrompt() { EXPECT_THAT(Judged({"prefill_8", {1, 2, 3, 4, 5, 6, 7, 8}, 0}), IsEmpty()); }

  std::unique_ptr<Model> model_;
  std::unique_ptr<Session> device_;
  std::unique_ptr<Conversation> conversation_;
  std::unique_ptr<StepJudge> judge_;
  int32_t context_ = 0;
};

NamedValue& Named(StepValues& values, const std::string& name) {
  return const_cast<NamedValue&>(*values.Find(name));
}

// Changes one float.
void AddTo(NamedValue& value, size_t elem, float what) {
  float number;
  std::memcpy(&number, value.bytes.data() + elem * sizeof(float), sizeof(float));
  number += what;
  std::memcpy(value.bytes.data() + elem * sizeof(float), &number, sizeof(float));
}

// Makes each float, but zeros, so much larger.
void Scale(NamedValue& value, float factor) {
  for (size_t at = 0; at < value.bytes.size(); at += sizeof(float)) {
    float number;
    std::memcpy(&number, value.bytes.data() + at, sizeof(float));
    number *= factor;
    std::memcpy(value.bytes.data() + at, &number, sizeof(float));
  }
}

TEST_F(StepJudgeTest, TakesRoundingsForRight) {
  Open("toy_llama_float");
  ReadPrompt();
  EXPECT_THAT(
      Judged(Decode(8), [](StepValues& values) { Scale(Named(values, "logits"), 1.000001f); }),
      IsEmpty());
  EXPECT_GT(judge_->tally().elems, 0);
  EXPECT_EQ(judge_->tally().unjudged_elems, 0);
}

TEST_F(StepJudgeTest, ALogitBehindAllLayersIsOff) {
  Open("toy_llama_float");
  ReadPrompt();
  EXPECT_THAT(Judged(Decode(8), [](StepValues& values) { AddTo(Named(values, "logits"), 5, 1); }),
              HasSubstr("'logits': it is 0.0884 off"));
}

TEST_F(StepJudgeTest, ALogitIsNoNumber) {
  Open("toy_gemma");
  ReadPrompt();
  EXPECT_THAT(Judged(Decode(8),
                     [](StepValues& values) {
                       AddTo(Named(values, "logits"), 5, std::numeric_limits<float>::quiet_NaN());
                     }),
              HasSubstr("'logits'"));
}

TEST_F(StepJudgeTest, WhatBoundsCannotTellIsCounted) {
  Open("toy_gemma");
  ReadPrompt();
  EXPECT_THAT(Judged(Decode(8), [](StepValues& values) { Scale(Named(values, "logits"), 1.01f); }),
              IsEmpty());
  EXPECT_GT(judge_->tally().unjudged_elems, 0);
}

TEST_F(StepJudgeTest, ARowThatIsNotWrittenKeepsItsBits) {
  for (const char* name : {"toy_gemma", "toy_gemma_float"}) {
    Open(name);
    ReadPrompt();
    const auto grow = [](StepValues& values) {
      AddTo(Named(values, "kv_cache_k_2"), 0, 1e-6f);  // position 0
    };
    EXPECT_THAT(Judged(Decode(8), grow), HasSubstr("'kv_cache_k_2': element 0 is")) << name;
  }
}

TEST_F(StepJudgeTest, ARowOfTheLastLayerIsNotWritten) {
  Open("toy_gemma_float");
  ReadPrompt();
  const auto keep = [&](StepValues& values) {
    Named(values, "kv_cache_k_2").bytes = Get(conversation_->Inputs(Decode(8)))["kv_cache_k_2"];
  };
  EXPECT_THAT(Judged(Decode(8), keep), HasSubstr("'kv_cache_k_2': it is"));
}

TEST_F(StepJudgeTest, AnIntegerIsAStepOff) {
  for (const char* name : {"toy_gemma_int8", "toy_qwen_a16w8"}) {
    Open(name);
    ReadPrompt();
    const auto step = [](StepValues& values) { Named(values, "kv_cache_v_1").bytes[0] ^= 1; };
    EXPECT_THAT(Judged(Decode(8), step), HasSubstr("'kv_cache_v_1': 1 of")) << name;
  }
}

TEST_F(StepJudgeTest, WhereOpsRoundOnceValuesAreNotJudged) {
  Open("toy_gemma_int8", /*values=*/false);
  ReadPrompt();
  EXPECT_THAT(Judged(Decode(8), [](StepValues& values) { Named(values, "logits").bytes[0] ^= 1; }),
              IsEmpty());
  EXPECT_EQ(judge_->tally().unjudged_elems, 128);  // the vocabulary
  EXPECT_THAT(Judged(Decode(9), [](StepValues& values) { values.outputs.pop_back(); }),
              HasSubstr("missing, or of another size"));
}

TEST_F(StepJudgeTest, ErrorsAreForPositionsOutsideTheContext) {
  Open("toy_llama_int8");
  const auto refuse = [](StepValues& values) { values = {.error = "refused", .outputs = {}}; };
  EXPECT_EQ(Judged(Decode(0), refuse), "refused");
  EXPECT_THAT(Judged(Decode(context_), refuse), IsEmpty());
  EXPECT_THAT(Judged(Decode(-1), refuse), IsEmpty());
  const auto answer = [](StepValues& values) { values.error.clear(); };
  EXPECT_THAT(Judged(Decode(context_), answer), HasSubstr("no error, where one is expected"));
  EXPECT_THAT(Judged(Decode(3)), IsEmpty());
}

}  // namespace
}  // namespace npukit::conformance
