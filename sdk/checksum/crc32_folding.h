// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 by products of polynomials, where x86 processors multiply them: 64 bytes at a time are folded onto the next
// ones (Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel, 2009).

#ifndef NPUKIT_SDK_CHECKSUM_CRC32_FOLDING_H_
#define NPUKIT_SDK_CHECKSUM_CRC32_FOLDING_H_

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>

namespace npukit {

inline constexpr size_t kCrc32FoldedStep = 16;
inline constexpr size_t kCrc32LeastFolded = 64;

inline bool CanFoldCrc32() {
  static const bool can =
      __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
  return can;
}

// `a` times the powers that move it over the distance that `powers` stand for, onto `next`.
__attribute__((target("pclmul,sse4.1"))) inline __m128i FoldOnto(__m128i a, __m128i powers,
                                                                 __m128i next) {
  const __m128i low = _mm_clmulepi64_si128(a, powers, 0x00);
  const __m128i high = _mm_clmulepi64_si128(a, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

__attribute__((target("pclmul,sse4.1"))) inline __m128i LoadBlock(const uint8_t* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

// Of `size` bytes, a multiple of the step and not less than the least; `crc` as between bytes, bits inverted.
__attribute__((target("pclmul,sse4.1"))) inline uint32_t FoldCrc32(const uint8_t* bytes,
                                                                   size_t size, uint32_t crc) {
  const __m128i over_64_bytes = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  const __m128i over_16_bytes = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  __m128i a = _mm_xor_si128(LoadBlock(bytes), _mm_cvtsi32_si128(static_cast<int>(crc)));
  __m128i b = LoadBlock(bytes + 16);
  __m128i c = LoadBlock(bytes + 32);
  __m128i d = LoadBlock(bytes + 48);
  size_t at = 64;
  for (; at + 64 <= size; at += 64) {
    a = FoldOnto(a, over_64_bytes, LoadBlock(bytes + at));
    b = FoldOnto(b, over_64_bytes, LoadBlock(bytes + at + 16));
    c = FoldOnto(c, over_64_bytes, LoadBlock(bytes + at + 32));
    d = FoldOnto(d, over_64_bytes, LoadBlock(bytes + at + 48));
  }
  a = FoldOnto(FoldOnto(FoldOnto(a, over_16_bytes, b), over_16_bytes, c), over_16_bytes, d);
  for (; at < size; at += 16) a = FoldOnto(a, over_16_bytes, LoadBlock(bytes + at));
  // 128 bits to 64, to 32 (Barrett).
  const __m128i low_words = _mm_setr_epi32(-1, 0, -1, 0);
  a = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, over_16_bytes, 0x10));
  const __m128i over_8_bytes = _mm_set_epi64x(0, 0x0163cd6124);
  a = _mm_xor_si128(_mm_srli_si128(a, 4),
                    _mm_clmulepi64_si128(_mm_and_si128(a, low_words), over_8_bytes, 0x00));
  const __m128i polynomial = _mm_set_epi64x(0x01f7011641, 0x01db710641);  // its inverse, itself
  __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(a, low_words), polynomial, 0x10);
  quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, low_words), polynomial, 0x00);
  return static_cast<uint32_t>(_mm_extract_epi32(_mm_xor_si128(a, quotient), 1));
}

}  // namespace npukit

#endif  // defined(__x86_64__)

#endif  // NPUKIT_SDK_CHECKSUM_CRC32_FOLDING_H_
