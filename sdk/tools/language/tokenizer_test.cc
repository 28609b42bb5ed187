// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/tokenizer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sentencepiece_trainer.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/model/writing/model_writer.h"
#include "tests/support/temporary_folder.h"

namespace npukit::tools {
namespace {

using testing::HasSubstr;

constexpr int kPieces = 48;

// One that has learnt a few sentences.
class TokenizerTest : public testing::Test {
 protected:
  void Train(const std::string& more = "") {
    const std::string text = folder_.path() + "/text";
    std::ofstream(text) << "the vendor has a chip\nthe chip has a vendor\na chip that is fast\n"
                           "what the vendor has is a chip that is fast\n";
    const auto status = sentencepiece::SentencePieceTrainer::Train(fmt::format(
        "--input={} --model_prefix={}/small --model_type=bpe --minloglevel=2 --vocab_size={}{}",
        text, folder_.path(), kPieces, more));
    ASSERT_TRUE(status.ok()) << status.ToString();
    auto opened = Tokenizer::Open(folder_.path() + "/small.model");
    ASSERT_TRUE(opened) << opened.Error().Message();
    tokenizer_ = std::move(*opened);
  }

  TemporaryFolder folder_;
  std::unique_ptr<Tokenizer> tokenizer_;
};

TEST_F(TokenizerTest, SplitsAndJoins) {
  ASSERT_NO_FATAL_FAILURE(Train());
  const auto ids = tokenizer_->Encode("the fast vendor");
  ASSERT_TRUE(ids) << ids.Error().Message();
  EXPECT_EQ(ids->front(), 1) << "the token that begins a text";
  EXPECT_GT(ids->size(), 3u);
  EXPECT_LT(ids->size(), 12u) << "letter by letter";
  const auto text = tokenizer_->Decode(*ids);
  ASSERT_TRUE(text) << text.Error().Message();
  EXPECT_EQ(*text, "the fast vendor");
  EXPECT_EQ(tokenizer_->end_id(), 2);
}

TEST_F(TokenizerTest, MayHaveNoBeginAndNoEnd) {
  ASSERT_NO_FATAL_FAILURE(Train(" --bos_id=-1 --eos_id=-1"));
  const auto ids = tokenizer_->Encode("a chip");
  ASSERT_TRUE(ids);
  const auto text = tokenizer_->Decode(*ids);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "a chip");
  for (const int32_t id : *ids) EXPECT_GE(id, 0);
  EXPECT_FALSE(tokenizer_->end_id().has_value());
  const auto nothing = tokenizer_->Encode("");
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(nothing->empty());
}

TEST_F(TokenizerTest, HasNoOtherTokens) {
  ASSERT_NO_FATAL_FAILURE(Train());
  const auto text = tokenizer_->Decode(std::vector<int32_t>{3, kPieces});
  ASSERT_FALSE(text);
  EXPECT_THAT(text.Error().Message(), HasSubstr("has 48 tokens, and the model says 48"));
}

TEST_F(TokenizerTest, SplitsAPromptAndJoinsWhatIsSaid) {
  ASSERT_NO_FATAL_FAILURE(Train());
  LanguageModelShape shape = *FindLanguageModel("toy_llama_float");
  shape.vocabulary = kPieces;
  auto model = BuildLanguageModel(shape);
  ASSERT_TRUE(model) << model.Error().Message();
  const std::string stem = folder_.path() + "/";
  ASSERT_TRUE(SaveModel(**model, stem + "model.tflite"));
  const std::string command =
      NPUKIT_BUILD_DIR "/bin/npukit-generate " + stem + "model.tflite --tokenizer " + stem +
      "small.model --prompt 'the chip' --tokens 20 --json >" + stem + "report.json";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(stem + "report.json");
  const auto report = nlohmann::json::parse(file);
  const auto prompt = tokenizer_->Encode("the chip");
  ASSERT_TRUE(prompt);
  EXPECT_EQ(report["prompt"].get<std::vector<int32_t>>(), *prompt);
  const auto text = tokenizer_->Decode(report["tokens"].get<std::vector<int32_t>>());
  ASSERT_TRUE(text);
  EXPECT_EQ(report["text"].get<std::string>(), *text);
}

TEST_F(TokenizerTest, IsAModelOfSentencePiece) {
  const std::string path = folder_.path() + "/other.model";
  const auto absent = Tokenizer::Open(path);
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.Error().Message(), HasSubstr(path));
  std::ofstream(path) << "no model";
  const auto opened = Tokenizer::Open(path);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.Error().Message(), HasSubstr("cannot be read as a SentencePiece model"));
}

}  // namespace
}  // namespace npukit::tools
