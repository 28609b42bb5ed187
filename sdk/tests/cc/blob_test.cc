// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "npukit/blob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint32_t kMagic = 0x4b4e5054;
constexpr uint32_t kVersion = 3;
enum class Unit : uint8_t { kLoad = 7 };

std::vector<uint8_t> Bytes(const std::string& blob) { return {blob.begin(), blob.end()}; }

std::string Sample() {
  BlobWriter out;
  out.Put(uint8_t{1});
  out.Put(int64_t{-5});
  out.Put(0.5f);
  out.Put(Unit::kLoad);
  out.Put(true);
  out.PutText("entry");
  out.PutList(std::vector<uint32_t>{3, 4});
  return out.Seal(kMagic, kVersion);
}

// What a reader of Sample() says at the end.
litert::Expected<void> ReadSample(const std::vector<uint8_t>& bytes) {
  auto opened = BlobReader::Open(bytes, kMagic, kVersion);
  if (!opened) return litert::Unexpected(opened.Error());
  BlobReader& in = *opened;
  in.Get<uint8_t>();
  in.Get<int64_t>();
  in.Get<float>();
  in.Get<Unit>();
  in.Get<bool>();
  in.GetText();
  in.GetList<uint32_t>();
  return in.Finish();
}

TEST(BlobTest, GivesBackWhatWasPut) {
  const std::vector<uint8_t> bytes = Bytes(Sample());
  auto opened = BlobReader::Open(bytes, kMagic, kVersion);
  ASSERT_TRUE(opened) << opened.Error().Message();
  BlobReader& in = *opened;
  EXPECT_EQ(in.Get<uint8_t>(), 1);
  EXPECT_EQ(in.Get<int64_t>(), -5);
  EXPECT_EQ(in.Get<float>(), 0.5f);
  EXPECT_EQ(in.Get<Unit>(), Unit::kLoad);
  EXPECT_TRUE(in.Get<bool>());
  EXPECT_EQ(in.GetText(), "entry");
  EXPECT_THAT(in.GetList<uint32_t>(), ElementsAre(3, 4));
  EXPECT_TRUE(in.Finish());
}

TEST(BlobTest, LiesInMemoryAsItsCommentSays) {
  BlobWriter out;
  out.Put(uint16_t{0x0102});
  EXPECT_THAT(Bytes(out.Seal(0x04030201, 5)),
              ElementsAre(1, 2, 3, 4, 5, 0, 0, 0, 0x0c, 0x8b, 0x7b, 0x5c, 2, 1));
}

// Published values of FNV-1a.
TEST(BlobTest, ChecksumIsFnv1a) {
  const std::string text = "foobar";
  EXPECT_EQ(Fnv1a({}), 0x811c9dc5U);
  EXPECT_EQ(Fnv1a({reinterpret_cast<const uint8_t*>(text.data()), text.size()}), 0xbf9cf968U);
}

TEST(BlobTest, EveryCutIsAnError) {
  const std::vector<uint8_t> whole = Bytes(Sample());
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(ReadSample({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}))
        << size;
}

TEST(BlobTest, EveryChangedByteIsAnError) {
  for (size_t i = 0; i < Sample().size(); ++i) {
    std::vector<uint8_t> bytes = Bytes(Sample());
    bytes[i] ^= 1;
    EXPECT_FALSE(ReadSample(bytes)) << i;
  }
}

std::string ProblemOfOpening(const std::vector<uint8_t>& bytes, uint32_t magic, uint32_t version) {
  const auto opened = BlobReader::Open(bytes, magic, version);
  return opened ? "" : opened.Error().Message();
}

std::string ProblemOf(BlobReader& in) {
  const auto finished = in.Finish();
  return finished ? "" : finished.Error().Message();
}

TEST(BlobTest, ErrorsSayWhatAndWhere) {
  std::vector<uint8_t> bytes = Bytes(Sample());
  EXPECT_THAT(ProblemOfOpening(bytes, kMagic, 4), HasSubstr("version 3, expected 4"));
  EXPECT_THAT(ProblemOfOpening(bytes, 1, 3), HasSubstr("another vendor"));
  bytes.back() ^= 1;
  EXPECT_THAT(ProblemOfOpening(bytes, kMagic, 3), HasSubstr("checksum"));

  BlobWriter out;
  out.Put(uint32_t{7});
  bytes = Bytes(out.Seal(kMagic, kVersion));
  auto in = BlobReader::Open(bytes, kMagic, kVersion);
  ASSERT_TRUE(in);
  EXPECT_THAT(ProblemOf(*in), HasSubstr("4 bytes are left over (at byte 12)"));
  in = BlobReader::Open(bytes, kMagic, kVersion);
  EXPECT_EQ(in->Get<uint64_t>(), 0);
  EXPECT_THAT(ProblemOf(*in), HasSubstr("ends too soon (at byte 12)"));
  in = BlobReader::Open(bytes, kMagic, kVersion);
  in->Get<uint32_t>();
  in->Refuse("7 is no opcode");
  EXPECT_THAT(ProblemOf(*in), HasSubstr("7 is no opcode (at byte 16)"));
}

// A count of 2^32 - 1 must not become an allocation.
TEST(BlobTest, CountsAreBoundByTheBytesThatFollow) {
  BlobWriter out;
  out.Put(std::numeric_limits<uint32_t>::max());
  out.Put(uint32_t{1});
  const std::vector<uint8_t> bytes = Bytes(out.Seal(kMagic, kVersion));
  for (const bool as_text : {true, false}) {
    auto in = BlobReader::Open(bytes, kMagic, kVersion);
    ASSERT_TRUE(in);
    if (as_text) {
      EXPECT_EQ(in->GetText(), "");
    } else {
      EXPECT_TRUE(in->GetList<double>().empty());
    }
    EXPECT_FALSE(in->ok());
    EXPECT_THAT(ProblemOf(*in), HasSubstr("a list is longer than what follows"));
  }
}

}  // namespace
}  // namespace npukit
