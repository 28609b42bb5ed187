// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// By length: up to 16 bytes, 32, 64, and beyond these in blocks of 64, of which the last overlaps the
// one before. All words are little-endian; every step is arithmetic modulo 2^64.

#include "sdk/host/kernels/indexing/fingerprint.h"

#include <bit>
#include <cstring>
#include <utility>

namespace npukit::kernels {
namespace {

// The hash's three odd constants.
constexpr uint64_t kFirst = 0xc3a5c85c97cb3127;
constexpr uint64_t kSecond = 0xb492b66fbe98f273;
constexpr uint64_t kThird = 0x9ae16a3b2f90404f;

constexpr size_t kBlockBytes = 64;

template <typename Word = uint64_t>
Word WordAt(const uint8_t* from) {
  Word word = 0;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

uint64_t FoldHigh(uint64_t x) { return x ^ (x >> 47); }
uint64_t Turn(uint64_t x, int bits) { return std::rotr(x, bits); }

// Of two words one.
uint64_t Join(uint64_t low, uint64_t high, uint64_t factor) {
  const uint64_t inner = FoldHigh((low ^ high) * factor);
  return FoldHigh((high ^ inner) * factor) * factor;
}

uint64_t HashUpTo16(std::span<const uint8_t> bytes) {
  const size_t size = bytes.size();
  const uint8_t* from = bytes.data();
  const uint64_t factor = kThird + 2 * size;
  if (size >= 8) {
    const uint64_t head = WordAt(from) + kThird;
    const uint64_t tail = WordAt(from + size - 8);
    return Join(Turn(tail, 37) * factor + head, (Turn(head, 25) + tail) * factor, factor);
  }
  if (size >= 4) {
    const uint64_t head = WordAt<uint32_t>(from);
    return Join(size + (head << 3), WordAt<uint32_t>(from + size - 4), factor);
  }
  if (size == 0) return kThird;
  const uint32_t low = from[0] + (uint32_t{from[size / 2]} << 8);
  const uint32_t high = static_cast<uint32_t>(size) + (uint32_t{from[size - 1]} << 2);
  return FoldHigh(low * kThird ^ high * kFirst) * kThird;
}

// The words of a string's first 16 bytes and its last 16, as both longer forms mix them.
struct Ends {
  uint64_t sum;
  uint64_t other;
};
Ends MixEnds(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  return {Turn(a + b, 43) + Turn(c, 30) + d, a + Turn(b + kThird, 18) + c};
}

uint64_t HashUpTo32(std::span<const uint8_t> bytes) {
  const uint8_t* from = bytes.data();
  const uint8_t* end = from + bytes.size();
  const uint64_t factor = kThird + 2 * bytes.size();
  const Ends ends = MixEnds(WordAt(from) * kSecond, WordAt(from + 8), WordAt(end - 8) * factor,
                            WordAt(end - 16) * kThird);
  return Join(ends.sum, ends.other, factor);
}

uint64_t HashUpTo64(std::span<const uint8_t> bytes) {
  const uint8_t* from = bytes.data();
  const uint8_t* end = from + bytes.size();
  const uint64_t factor = kThird + 2 * bytes.size();
  const uint64_t head = WordAt(from) * kThird;
  const Ends outer =
      MixEnds(head, WordAt(from + 8), WordAt(end - 8) * factor, WordAt(end - 16) * kThird);
  const uint64_t joined = Join(outer.sum, outer.other, factor);
  const uint64_t e = WordAt(from + 16) * factor;
  const uint64_t f = WordAt(from + 24);
  const uint64_t g = (outer.sum + WordAt(end - 32)) * factor;
  const uint64_t h = (joined + WordAt(end - 24)) * factor;
  return Join(Turn(e + f, 43) + Turn(g, 30) + h, e + Turn(f + head, 18) + g, factor);
}

struct Pair {
  uint64_t first = 0;
  uint64_t second = 0;
};

// Of 32 bytes and two seeds.
Pair WeakHash(const uint8_t* from, uint64_t a, uint64_t b) {
  const uint64_t last = WordAt(from + 24);
  a += WordAt(from);
  b = Turn(b + a + last, 21);
  const uint64_t before = a;
  a += WordAt(from + 8) + WordAt(from + 16);
  return {a + last, b + Turn(a, 44) + before};
}

struct LongState {
  uint64_t x;
  uint64_t y;
  uint64_t z;
  Pair v = {};
  Pair w = {};

  // One block. The last one has a factor of its own and weighs two words by 9.
  void Add(const uint8_t* from, uint64_t factor, uint64_t weight) {
    x = Turn(x + y + v.first + WordAt(from + 8), 37) * factor;
    y = Turn(y + v.second + WordAt(from + 48), 42) * factor;
    x ^= w.second * weight;
    y += v.first * weight + WordAt(from + 40);
    z = Turn(z + w.first, 33) * factor;
    v = WeakHash(from, v.second * factor, x + w.first);
    w = WeakHash(from + 32, z + w.second, y + WordAt(from + 16));
    std::swap(z, x);
  }
};

uint64_t HashLong(std::span<const uint8_t> bytes) {
  constexpr uint64_t kSeed = 81;
  LongState state{.x = kSeed, .y = kSeed * kSecond + 113, .z = 0};
  state.z = FoldHigh(state.y * kThird + 113) * kThird;
  state.x = state.x * kThird + WordAt(bytes.data());
  const size_t whole_bytes = (bytes.size() - 1) / kBlockBytes * kBlockBytes;
  for (size_t at = 0; at < whole_bytes; at += kBlockBytes) state.Add(bytes.data() + at, kSecond, 1);
  const uint64_t factor = kSecond + ((state.z & 0xff) << 1);
  state.w.first += bytes.size() - 1 - whole_bytes;
  state.v.first += state.w.first;
  state.w.first += state.v.first;
  state.Add(bytes.data() + bytes.size() - kBlockBytes, factor, 9);
  return Join(Join(state.v.first, state.w.first, factor) + FoldHigh(state.y) * kFirst + state.z,
              Join(state.v.second, state.w.second, factor) + state.x, factor);
}

}  // namespace

uint64_t Fingerprint64(std::span<const uint8_t> bytes) {
  if (bytes.size() <= 16) return HashUpTo16(bytes);
  if (bytes.size() <= 32) return HashUpTo32(bytes);
  return bytes.size() <= kBlockBytes ? HashUpTo64(bytes) : HashLong(bytes);
}

}  // namespace npukit::kernels
