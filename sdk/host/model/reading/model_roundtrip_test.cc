// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Load, save: what comes out equals what went in, field by field, as the IR sees it and as the
// bytes say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/testing/raw_flatbuffer.h"
#include "sdk/host/model/testing/shared_models.h"
#include "sdk/host/model/testing/test_models.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit {
namespace {

std::string FirstDifferentLine(const std::string& a, const std::string& b) {
  const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto from = std::max<ptrdiff_t>(0, at.first - a.begin() - 300);
  return a.substr(static_cast<size_t>(from), 500) + "\n--- but found\n" +
         b.substr(static_cast<size_t>(from), 500);
}

void ExpectRoundTrip(const std::string& path) {
  SCOPED_TRACE(path);
  auto bytes = MapFile(path);
  ASSERT_TRUE(bytes) << bytes.Error();
  auto model = LoadModel(path);
  ASSERT_TRUE(model) << model.Error();
  auto saved = SerializeModel(**model);
  ASSERT_TRUE(saved) << saved.Error();
  auto reloaded = ParseModel(SharedBytes::Copy(*saved), "saved");
  ASSERT_TRUE(reloaded) << reloaded.Error();
  EXPECT_EQ(FirstDifference(**model, **reloaded).value_or("none"), "none");

  const std::string before = RawStructure(bytes->bytes);
  const std::string after = RawStructure(*saved);
  EXPECT_TRUE(before == after) << FirstDifferentLine(before, after);
  const std::string scalars_before = RawScalars(bytes->bytes);
  const std::string scalars_after = RawScalars(*saved);
  EXPECT_TRUE(scalars_before == scalars_after) << FirstDifferentLine(scalars_before, scalars_after);

  auto again = SerializeModel(**reloaded);
  ASSERT_TRUE(again) << again.Error();
  EXPECT_TRUE(*again == *saved) << "saving the saved model gives other bytes";
}

class SharedRoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(SharedRoundTrip, EveryFileComesBackEqual) {
  const std::vector<std::string> paths = SharedModels(GetParam());
  if (paths.empty()) GTEST_SKIP() << NoSharedModels(GetParam());
  for (const std::string& path : paths) ExpectRoundTrip(path);
}

INSTANTIATE_TEST_SUITE_P(Folders, SharedRoundTrip,
                         testing::Values("models", "ops", "litert_compiled"));

// A model made in memory, saved and loaded.
std::unique_ptr<Model> Reload(const Model& model, const WriteOptions& options = {}) {
  auto saved = SerializeModel(model, options);
  EXPECT_TRUE(saved) << saved.Error();
  if (!saved) return nullptr;
  auto loaded = ParseModel(SharedBytes::Copy(*saved), "saved");
  EXPECT_TRUE(loaded) << loaded.Error();
  return loaded ? std::move(*loaded) : nullptr;
}

TEST(MadeModels, ComeBackEqual) {
  const std::pair<const char*, std::unique_ptr<Model> (*)()> makers[] = {
      {"options", EveryOptionsTable}, {"features", EveryFeature}, {"compiled", CompiledModel}};
  for (const auto& [name, make] : makers) {
    SCOPED_TRACE(name);
    const auto model = make();
    ASSERT_NE(model, nullptr);
    const auto loaded = Reload(*model);
    ASSERT_NE(loaded, nullptr);
    if (name != std::string("compiled")) {
      EXPECT_EQ(FirstDifference(*model, *loaded).value_or("none"), "none");
    }
    const auto again = Reload(*loaded);
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(FirstDifference(*loaded, *again).value_or("none"), "none");
  }
}

// The comparison can fail: each edit is seen, at its place.
TEST(MadeModels, DifferencesAreFound) {
  const std::pair<void (*)(Model&), const char*> edits[] = {
      {[](Model& m) { m.description = "x"; }, "description is x, expected every feature"},
      {[](Model& m) { m.main_subgraph().tensor(0).name = "z"; }, "subgraph 0, tensor 0: name"},
      {[](Model& m) { m.main_subgraph().tensor(1).quantization.scale[0] = 0.5f; },
       "subgraph 0, tensor 1: scale is [0.5], expected [0.25]"},
      {[](Model& m) { m.main_subgraph().op(0).version = 1; }, "op 0 LSTM (h): version is 1"},
      {[](Model& m) { m.main_subgraph().op(0).options = LSTMOptions(); },
       "op 0 LSTM (h): cell_clip is 0, expected 1.5"},
      {[](Model& m) { m.main_subgraph().op(0).options = OpOptions(); }, "options is "},
      {[](Model& m) { m.main_subgraph().op(1).custom_options[2] = 4; },
       "custom options differs at byte 2: 4, expected 3"},
      {[](Model& m) { m.signatures[1]->key = ""; }, "signature 1: key"},
      {[](Model& m) { m.trailing_bytes.clear(); }, "trailing bytes has 0 bytes, expected 4"},
      {[](Model& m) {
         m.SetMetadata("note", SharedBytes::Take({1, 2}));
       },
       "metadata 0: value"},
      {[](Model& m) {
         m.main_subgraph().tensor(3).weights.buffer_id =
             m.main_subgraph().tensor(2).weights.buffer_id;
       },
       "subgraph 0, tensor 3: constant"},
      {[](Model& m) { m.operator_codes.back().short_code_in_file.reset(); }, "8-bit code"},
  };
  const auto model = EveryFeature();
  ASSERT_NE(model, nullptr);
  for (const auto& [edit, expected] : edits) {
    const auto edited = EveryFeature();
    edit(*edited);
    EXPECT_THAT(FirstDifference(*model, *edited).value_or("none"), testing::HasSubstr(expected));
  }
}

}  // namespace
}  // namespace npukit
