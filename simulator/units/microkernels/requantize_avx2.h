// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RequantizeDouble in AVX2, eight channels at a time; included by
// microkernels_avx2.cc and microkernels_avx512.cc inside their namespaces.

// round(a * b / 2^31) of eight lanes, halves upwards. The saturating case (both INT32_MIN) is
// patched by the caller's blend.
inline __m256i HighMul8(__m256i a, __m256i b) {
  const __m256i nudge = _mm256_set1_epi64x(int64_t{1} << 30);
  const __m256i even = _mm256_srli_epi64(_mm256_add_epi64(_mm256_mul_epi32(a, b), nudge), 31);
  const __m256i a_odd = _mm256_srli_epi64(a, 32);
  const __m256i b_odd = _mm256_srli_epi64(b, 32);
  const __m256i odd = _mm256_slli_epi64(_mm256_add_epi64(_mm256_mul_epi32(a_odd, b_odd), nudge), 1);
  const __m256i result = _mm256_blend_epi32(even, odd, 0xAA);
  const __m256i lowest = _mm256_set1_epi32(INT32_MIN);
  const __m256i both =
      _mm256_and_si256(_mm256_cmpeq_epi32(a, lowest), _mm256_cmpeq_epi32(b, lowest));
  return _mm256_blendv_epi8(result, _mm256_set1_epi32(INT32_MAX), both);
}

// MultiplyDouble of eight lanes; shift lanes are -31 .. 30.
inline __m256i MultiplyDouble8(__m256i x, __m256i multiplier, __m256i shift) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i left = _mm256_max_epi32(shift, zero);
  const __m256i right = _mm256_max_epi32(_mm256_sub_epi32(zero, shift), zero);
  const __m256i high = HighMul8(_mm256_sllv_epi32(x, left), multiplier);
  const __m256i mask =
      _mm256_sub_epi32(_mm256_sllv_epi32(_mm256_set1_epi32(1), right), _mm256_set1_epi32(1));
  const __m256i remainder = _mm256_and_si256(high, mask);
  const __m256i negative = _mm256_srli_epi32(high, 31);
  // With a right shift of 31 the mask is INT32_MAX and the threshold may wrap; no remainder exceeds
  // INT32_MAX, so compare by subtraction.
  const __m256i half = _mm256_srli_epi32(mask, 1);
  const __m256i over = _mm256_cmpgt_epi32(_mm256_sub_epi32(remainder, negative), half);
  return _mm256_sub_epi32(_mm256_srav_epi32(high, right), over);
}

void RequantizeDouble(const int32_t* x, const int32_t* bias, const int32_t* multiplier,
                      const int32_t* shift, int32_t* dst, int64_t count, int32_t zero_point,
                      int32_t lo, int32_t hi) {
  const __m256i zp = _mm256_set1_epi32(zero_point);
  const __m256i low = _mm256_set1_epi32(lo);
  const __m256i high = _mm256_set1_epi32(hi);
  auto load = [](const int32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  };
  auto compute = [&](__m256i sum, __m256i mult, __m256i sh) {
    const __m256i value = _mm256_add_epi32(MultiplyDouble8(sum, mult, sh), zp);
    return _mm256_min_epi32(_mm256_max_epi32(value, low), high);
  };
  int64_t c = 0;
  for (; c + 8 <= count; c += 8) {
    const __m256i sum = _mm256_add_epi32(load(x + c), load(bias + c));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + c),
                        compute(sum, load(multiplier + c), load(shift + c)));
  }
  if (c == count) return;
  int32_t tail[4][8] = {};
  for (int64_t j = 0; j < count - c; ++j) {
    tail[0][j] =
        static_cast<int32_t>(static_cast<uint32_t>(x[c + j]) + static_cast<uint32_t>(bias[c + j]));
    tail[1][j] = multiplier[c + j];
    tail[2][j] = shift[c + j];
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(tail[3]),
                      compute(load(tail[0]), load(tail[1]), load(tail[2])));
  for (int64_t j = 0; j < count - c; ++j) dst[c + j] = tail[3][j];
}
