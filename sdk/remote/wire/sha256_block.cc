// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/sha256_block.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace npukit::remote {

#if defined(__x86_64__)

bool HasSha256Instructions() {
  static const bool has = [] {
    // CPUID leaf 7, subleaf 0, bit 29 of EBX: the SHA extensions (Intel SDM, volume 2, CPUID).
    constexpr unsigned kLeaf = 7;
    constexpr unsigned kSha = 1U << 29;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid_count(kLeaf, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0 &&
           __builtin_cpu_supports("sse4.1") != 0;
  }();
  return has;
}

// The instructions want the state's words as (a, b, e, f) and (c, d, g, h), first letters highest.
// Before and after the blocks the eight words are shuffled to and from that. _mm_sha256rnds2_epu32
// does two rounds with the two low words of its third operand and gives what is (a, b, e, f) after
// them: what was (a, b, e, f) before is (c, d, g, h) then, so the two variables change places with
// each call.
__attribute__((target("sha,sse4.1"))) void AddSha256Blocks(Sha256State& state,
                                                           const Sha256Constants& constants,
                                                           const uint8_t* blocks, size_t count) {
  auto* const words = reinterpret_cast<__m128i*>(state.data());
  const auto* const rounds = reinterpret_cast<const __m128i*>(constants.data());
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xf0);
  for (; count > 0; --count, blocks += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks + 16 * i)),
                              big_endian);
    }
    // Four rounds a step. Of the message schedule the last sixteen words are enough: w[i % 4] holds
    // the words of this step, and then those of the step that is four ahead, which the last four
    // need not.
    for (int i = 0; i < 16; ++i) {
      const __m128i sum = _mm_add_epi32(w[i % 4], _mm_loadu_si128(rounds + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      if (i >= 12) continue;
      const __m128i last = w[(i + 3) % 4];
      // The words seven before the new ones: msg1 adds the sigma0 terms, msg2 those of sigma1, of
      // which the upper two are of words that it makes itself.
      const __m128i middle = _mm_alignr_epi8(last, w[(i + 2) % 4], 4);
      w[i % 4] = _mm_sha256msg2_epu32(
          _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]), middle), last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool HasSha256Instructions() { return false; }
void AddSha256Blocks(Sha256State&, const Sha256Constants&, const uint8_t*, size_t) {}

#endif

}  // namespace npukit::remote
