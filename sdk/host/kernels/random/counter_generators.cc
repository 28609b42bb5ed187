// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/random/counter_generators.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace npukit::kernels {
namespace {

constexpr int kPhiloxRounds = 10;
constexpr uint64_t kPhiloxFactors[2] = {0xD2511F53, 0xCD9E8D57};
constexpr uint32_t kPhiloxKeySteps[2] = {0x9E3779B9, 0xBB67AE85};

constexpr uint32_t kThreefryParity = 0x1BD11BDA;
constexpr uint32_t kThreefryGroups = 5;  // of four rounds
constexpr int kThreefryRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};

uint32_t Low(uint64_t wide) { return static_cast<uint32_t>(wide); }
uint32_t High(uint64_t wide) { return static_cast<uint32_t>(wide >> 32); }

}  // namespace

PhiloxBlock Philox4x32(GeneratorKey key, PhiloxBlock counter) {
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const uint64_t even = kPhiloxFactors[0] * counter[0];
    const uint64_t odd = kPhiloxFactors[1] * counter[2];
    counter = {High(odd) ^ counter[1] ^ key[0], Low(odd), High(even) ^ counter[3] ^ key[1],
               Low(even)};
    key[0] += kPhiloxKeySteps[0];
    key[1] += kPhiloxKeySteps[1];
  }
  return counter;
}

ThreefryBlock Threefry2x32(GeneratorKey key, ThreefryBlock counter) {
  const uint32_t schedule[3] = {key[0], key[1], kThreefryParity ^ key[0] ^ key[1]};
  ThreefryBlock block = {counter[0] + key[0], counter[1] + key[1]};
  for (uint32_t group = 1; group <= kThreefryGroups; ++group) {
    for (int rotation : kThreefryRotations[(group - 1) % 2]) {
      block[0] += block[1];
      block[1] = std::rotl(block[1], rotation) ^ block[0];
    }
    block[0] += schedule[group % 3];
    block[1] += schedule[(group + 1) % 3] + group;
  }
  return block;
}

PhiloxStream::PhiloxStream(uint64_t seed, uint64_t seed2)
    : key_{Low(seed), High(seed)}, counter_{0, 0, Low(seed2), High(seed2)} {}

PhiloxBlock PhiloxStream::Next() {
  const PhiloxBlock block = Philox4x32(key_, counter_);
  Skip(1);
  return block;
}

void PhiloxStream::Skip(uint64_t blocks) {
  const uint64_t low = counter_[0] | static_cast<uint64_t>(counter_[1]) << 32;
  const uint64_t high = counter_[2] | static_cast<uint64_t>(counter_[3]) << 32;
  const uint64_t sum = low + blocks;
  const uint64_t carried = high + (sum < low ? 1 : 0);
  counter_ = {Low(sum), High(sum), Low(carried), High(carried)};
}

float UnitFloat(uint32_t bits) {
  return std::bit_cast<float>(uint32_t{127} << 23 | (bits & 0x7fffff)) - 1.0f;
}

double UnitDouble(uint32_t high, uint32_t low) {
  const uint64_t mantissa = static_cast<uint64_t>(high & 0xfffff) << 32 | low;
  return std::bit_cast<double>(uint64_t{1023} << 52 | mantissa) - 1.0;
}

std::array<float, 2> NormalPair(uint32_t first, uint32_t second) {
  constexpr float kSmallest = 1.0e-7f;  // keeps the logarithm finite
  const float uniform = std::max(UnitFloat(first), kSmallest);
  const auto angle = static_cast<float>(2 * std::numbers::pi * UnitFloat(second));
  const float radius = std::sqrt(-2.0f * std::log(uniform));
  return {std::sin(angle) * radius, std::cos(angle) * radius};
}

}  // namespace npukit::kernels
