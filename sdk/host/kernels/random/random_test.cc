// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/kernels/random/counter_generators.h"
#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using ::testing::ElementsAre;
using testing::ExpectErrors;
using testing::ExpectResults;
using testing::NodeBuilder;

constexpr auto kU64 = kLiteRtElementTypeUInt64;
constexpr auto kU32 = kLiteRtElementTypeUInt32;
constexpr uint32_t kOnes = 0xffffffff;

// The known answers that the generators' authors publish.
TEST(CounterGenerators, GiveThePublishedBlocks) {
  EXPECT_THAT(Philox4x32({0, 0}, {0, 0, 0, 0}),
              ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(Philox4x32({kOnes, kOnes}, {kOnes, kOnes, kOnes, kOnes}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(Threefry2x32({0, 0}, {0, 0}), ElementsAre(0x6b200159, 0x99ba4efe));
  EXPECT_THAT(Threefry2x32({kOnes, kOnes}, {kOnes, kOnes}), ElementsAre(0x1cb996fc, 0xbb002be7));
}

TEST(PhiloxStream, CountsBlocksOverAllWords) {
  PhiloxStream stream(0, 0);
  stream.Skip(kOnes);
  stream.Next();
  EXPECT_EQ(stream.Next(), Philox4x32({0, 0}, {0, 1, 0, 0}));
  PhiloxStream carried(uint64_t{5} << 32 | 4, uint64_t{7} << 32 | 6);
  carried.Skip(~uint64_t{0});
  carried.Skip(2);
  EXPECT_EQ(carried.Next(), Philox4x32({4, 5}, {1, 0, 7, 7}));
}

TEST(UnitNumbers, LieBelowOne) {
  EXPECT_EQ(UnitFloat(0), 0.0f);
  EXPECT_EQ(UnitFloat(kOnes), 1.0f - 0x1p-23f);
  EXPECT_EQ(UnitFloat(0xff400000), 0.5f);
  EXPECT_EQ(UnitDouble(kOnes, kOnes), 1.0 - 0x1p-52);
  EXPECT_EQ(UnitDouble(0x80000, 0), 0.5);
}

TEST(NormalPairs, LieOnTheCircleOfTheirRadius) {
  const auto pair = NormalPair(0x400000, 0x200000);  // uniform 1/2 and 1/4: a quarter turn
  EXPECT_FLOAT_EQ(pair[0], 1.17741002f);
  EXPECT_NEAR(pair[1], 0, 1e-6);
  EXPECT_TRUE(std::isfinite(NormalPair(0, 0)[1]));
}

OpOptions Algorithm(RngAlgorithm algorithm) {
  return StablehloRngBitGeneratorOptions{.algorithm = algorithm};
}

testing::ResultCase Bits(const char* name, RngAlgorithm algorithm, LiteRtElementType type,
                         const std::vector<uint64_t>& state, const std::vector<uint64_t>& after,
                         std::vector<uint8_t> bits) {
  const auto words = static_cast<int32_t>(state.size());
  return {.name = name,
          .code = kLiteRtOpCodeShloRngBitGenerator,
          .options = Algorithm(algorithm),
          .build =
              [=](NodeBuilder& n) {
                n.Input(kU64, {words}).Output(kU64).Output(type);
                const_cast<Tensor*>(n.node().outputs[1]->tensor)->shape = {2, 3};
              },
          .inputs = {BytesOf(state)},
          .shapes = {{words}, {2, 3}},
          .outputs = {BytesOf(after), std::move(bits)}};
}

// TFLite's values, which are XLA's.
TEST(RngBitGenerator, GivesWhatXlaGives) {
  ExpectResults({
      Bits("philox_words", RngAlgorithm::kPhilox, kU32, {1, 2, 3}, {1, 4, 3},
           BytesOf(std::vector<uint32_t>{4031113034, 1366700262, 495645701, 3051723414, 89414891,
                                         1917262711})),
      Bits("the_default_is_philox", RngAlgorithm::kDefault, kU64, {1, 2, 3}, {1, 5, 3},
           BytesOf(std::vector<uint64_t>{5869932932755744586U, 13107052260063114245U,
                                         8234580641674714347U, 2641225993340350124U,
                                         1962472297844690804U, 14865887844143937481U})),
      Bits("threefry_words", RngAlgorithm::kThreeFry, kLiteRtElementTypeInt32, {1, 2}, {1, 5},
           BytesOf(std::vector<int32_t>{43444564, -2144348869, -315321645, -549236733, 1672743891,
                                        -54463903})),
      Bits("threefry_pairs", RngAlgorithm::kThreeFry, kLiteRtElementTypeInt64, {1, 2}, {1, 8},
           BytesOf(std::vector<int64_t>{-9209908263526143660, -2358953802017238317,
                                        -233920680524772397, 2658481902456610144,
                                        -2022031683723149139, -2324041912354448873})),
      Bits("a_short_philox_state_has_the_key_twice", RngAlgorithm::kPhilox, kU32, {1, 2}, {1, 4},
           [] {
             const PhiloxBlock first = Philox4x32({1, 0}, {2, 0, 1, 0});
             const PhiloxBlock second = Philox4x32({1, 0}, {3, 0, 1, 0});
             return BytesOf(std::vector<uint32_t>{first[0], first[1], first[2], first[3], second[0],
                                                  second[1]});
           }()),
  });
}

TEST(RngBitGenerator, RefusesOtherStates) {
  ExpectErrors({{.name = "threefry of three numbers",
                 .code = kLiteRtOpCodeShloRngBitGenerator,
                 .options = Algorithm(RngAlgorithm::kThreeFry),
                 .build = [](NodeBuilder& n) { n.Input(kU64, {3}).Output(kU64).Output(kU32); },
                 .inputs = {BytesOf(std::vector<uint64_t>{1, 2, 3})},
                 .says = {"STABLEHLO_RNG_BIT_GENERATOR", "'in0'", "[2]"}}});
}

}  // namespace
}  // namespace npukit::kernels
