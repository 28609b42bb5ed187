// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Load, save: what comes out equals what went in, field by field, as the IR sees it and as the bytes say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/model_diff.h"
#include "sdk/host/model/model_reader.h"
#include "sdk/host/model/model_writer.h"
#include "sdk/host/model/mapped_file.h"
#include "sdk/host/model/raw_flatbuffer.h"
#include "sdk/host/model/shared_models.h"

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
  EXPECT_TRUE(RawValues(bytes->bytes) == RawValues(*saved)) << "a scalar differs";

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

}  // namespace
}  // namespace npukit
