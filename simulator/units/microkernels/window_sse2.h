// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The sums of eight channels of a window in SSE2; included by microkernels_baseline.cc and
// microkernels_avx2.cc inside their namespaces, after microkernels_body.h.

template <class T>
struct WindowSums8 {
  static constexpr int64_t kChannels = 8;

  __m128i low = _mm_setzero_si128();
  __m128i high = _mm_setzero_si128();

  static __m128i None() { return _mm_setzero_si128(); }
  static __m128i Pixels(const uint8_t* from, int16_t zero_point) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    // Into the upper halves, whose shift down is as the type's sign.
    const __m128i upper = _mm_unpacklo_epi8(_mm_setzero_si128(), bytes);
    const __m128i halves = T(-1) < 0 ? _mm_srai_epi16(upper, 8) : _mm_srli_epi16(upper, 8);
    return _mm_sub_epi16(halves, _mm_set1_epi16(zero_point));
  }
  static __m128i Weights(const int16_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  void Add(__m128i x0, __m128i x1, __m128i w0, __m128i w1) {
    low =
        _mm_add_epi32(low, _mm_madd_epi16(_mm_unpacklo_epi16(x0, x1), _mm_unpacklo_epi16(w0, w1)));
    high =
        _mm_add_epi32(high, _mm_madd_epi16(_mm_unpackhi_epi16(x0, x1), _mm_unpackhi_epi16(w0, w1)));
  }
  void Store(int32_t* to) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), low);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to) + 1, high);
  }
};
