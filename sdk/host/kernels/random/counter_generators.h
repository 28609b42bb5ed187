// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random numbers from counters: a key and a number give a block of bits, by rounds of arithmetic that
// are published (J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011).

#ifndef NPUKIT_SDK_HOST_KERNELS_RANDOM_COUNTER_GENERATORS_H_
#define NPUKIT_SDK_HOST_KERNELS_RANDOM_COUNTER_GENERATORS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace npukit::kernels {

using PhiloxBlock = std::array<uint32_t, 4>;
using ThreefryBlock = std::array<uint32_t, 2>;
using GeneratorKey = std::array<uint32_t, 2>;

// Philox4x32 of 10 rounds.
PhiloxBlock Philox4x32(GeneratorKey key, PhiloxBlock counter);

// Threefry2x32 of 20 rounds.
ThreefryBlock Threefry2x32(GeneratorKey key, ThreefryBlock counter);

// Philox blocks one after the other, as TensorFlow numbers them: the seed is the key, the second seed
// the upper half of a counter of 128 bits.
class PhiloxStream {
 public:
  PhiloxStream(uint64_t seed, uint64_t seed2);
  PhiloxBlock Next();
  // Passes over blocks.
  void Skip(uint64_t blocks);

 private:
  GeneratorKey key_;
  PhiloxBlock counter_;
};

// In [0, 1), from the lower 23 bits.
float UnitFloat(uint32_t bits);
// In [0, 1), from 52 bits: 20 of `high` above those of `low`.
double UnitDouble(uint32_t high, uint32_t low);
// Two normally distributed numbers from two blocks of bits, by Box and Muller, in float32.
std::array<float, 2> NormalPair(uint32_t first, uint32_t second);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RANDOM_COUNTER_GENERATORS_H_
