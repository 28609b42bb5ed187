// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled for AVX-512 with VNNI; chosen at run time.

#include <cstdint>

#include "simulator/units/microkernels/microkernels.h"

#if defined(__AVX512VNNI__)
#include <immintrin.h>

namespace acme {
namespace {

#include "simulator/units/microkernels/microkernels_body.h"

// Of the first lanes, all if there are more.
inline __mmask16 MaskOf16(int64_t lanes) {
  return lanes >= 16 ? __mmask16{0xFFFF} : static_cast<__mmask16>((1u << lanes) - 1);
}

inline __mmask32 MaskOf32(int64_t lanes) {
  return lanes >= 32 ? ~__mmask32{0} : (__mmask32{1} << lanes) - 1;
}

// Bytes of type T less the zero point.
template <class T>
inline __m512i Centred(__m256i bytes, __m512i zero_point) {
  const __m512i halves = T(-1) < 0 ? _mm512_cvtepi8_epi16(bytes) : _mm512_cvtepu8_epi16(bytes);
  return _mm512_sub_epi16(halves, zero_point);
}

// MultiplyDouble of sixteen lanes: the steps of requantize_avx2.h.
inline __m512i MultiplyDouble16(__m512i x, __m512i multiplier, __m512i shift) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i right = _mm512_max_epi32(_mm512_sub_epi32(zero, shift), zero);
  const __m512i a = _mm512_sllv_epi32(x, _mm512_max_epi32(shift, zero));
  const __m512i nudge = _mm512_set1_epi64(int64_t{1} << 30);
  const __m512i even =
      _mm512_srli_epi64(_mm512_add_epi64(_mm512_mul_epi32(a, multiplier), nudge), 31);
  const __m512i odd_product =
      _mm512_mul_epi32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(multiplier, 32));
  const __m512i odd = _mm512_slli_epi64(_mm512_add_epi64(odd_product, nudge), 1);
  const __m512i lowest = _mm512_set1_epi32(INT32_MIN);
  const __mmask16 saturates =
      _mm512_cmpeq_epi32_mask(a, lowest) & _mm512_cmpeq_epi32_mask(multiplier, lowest);
  const __m512i high = _mm512_mask_mov_epi32(_mm512_mask_blend_epi32(0xAAAA, even, odd), saturates,
                                             _mm512_set1_epi32(INT32_MAX));
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i mask = _mm512_sub_epi32(_mm512_sllv_epi32(one, right), one);
  const __m512i remainder =
      _mm512_sub_epi32(_mm512_and_si512(high, mask), _mm512_srli_epi32(high, 31));
  const __mmask16 over = _mm512_cmpgt_epi32_mask(remainder, _mm512_srli_epi32(mask, 1));
  const __m512i shifted = _mm512_srav_epi32(high, right);
  return _mm512_mask_add_epi32(shifted, over, shifted, one);
}

// store(c, mask, results): of the channels from c on.
template <class Store>
inline void RequantizeVectors(const int32_t* x, const int32_t* bias, const int32_t* multiplier,
                              const int32_t* shift, int64_t count, int32_t zero_point, int32_t lo,
                              int32_t hi, Store&& store) {
  for (int64_t c = 0; c < count; c += 16) {
    const __mmask16 mask = MaskOf16(count - c);
    const auto load = [&](const int32_t* from) { return _mm512_maskz_loadu_epi32(mask, from + c); };
    const __m512i scaled =
        MultiplyDouble16(_mm512_add_epi32(load(x), load(bias)), load(multiplier), load(shift));
    const __m512i moved = _mm512_add_epi32(scaled, _mm512_set1_epi32(zero_point));
    store(c, mask,
          _mm512_min_epi32(_mm512_max_epi32(moved, _mm512_set1_epi32(lo)), _mm512_set1_epi32(hi)));
  }
}

void RequantizeDouble(const int32_t* x, const int32_t* bias, const int32_t* multiplier,
                      const int32_t* shift, int32_t* dst, int64_t count, int32_t zero_point,
                      int32_t lo, int32_t hi) {
  RequantizeVectors(x, bias, multiplier, shift, count, zero_point, lo, hi,
                    [dst](int64_t c, __mmask16 mask, __m512i results) {
                      _mm512_mask_storeu_epi32(dst + c, mask, results);
                    });
}

void RequantizeDoubleBytes(const int32_t* x, const int32_t* bias, const int32_t* multiplier,
                           const int32_t* shift, uint8_t* dst, int64_t count, int32_t zero_point,
                           int32_t lo, int32_t hi) {
  RequantizeVectors(x, bias, multiplier, shift, count, zero_point, lo, hi,
                    [dst](int64_t c, __mmask16 mask, __m512i results) {
                      _mm512_mask_cvtepi32_storeu_epi8(dst + c, mask, results);
                    });
}

template <class T>
void WidenLoop(const T* src, int64_t src_stride, int16_t* dst, int64_t dst_stride, int64_t rows,
               int64_t count, int32_t zero_point) {
  const __m512i zp = _mm512_set1_epi16(static_cast<int16_t>(zero_point));
  for (int64_t c = 0; c < count; c += 32) {
    const __mmask32 mask = MaskOf32(count - c);
    for (int64_t r = 0; r < rows; ++r) {
      const __m256i bytes = _mm256_maskz_loadu_epi8(mask, src + r * src_stride + c);
      _mm512_mask_storeu_epi16(dst + r * dst_stride + c, mask, Centred<T>(bytes, zp));
    }
  }
}

void Narrow(const int32_t* src, uint8_t* dst, int64_t count) {
  for (int64_t c = 0; c < count; c += 16) {
    const __mmask16 mask = MaskOf16(count - c);
    _mm512_mask_cvtepi32_storeu_epi8(dst + c, mask, _mm512_maskz_loadu_epi32(mask, src + c));
  }
}

// 32 channels; what `mask` leaves out is neither read nor written.
template <class T>
inline void WindowOf32(const WindowTap* taps, int64_t count, int64_t c, __mmask32 mask,
                       int16_t zero_point, int32_t* sums) {
  const __m512i zp = _mm512_set1_epi16(zero_point);
  const auto pixels = [&](int64_t t) {
    return Centred<T>(_mm256_maskz_loadu_epi8(mask, taps[t].pixel + c), zp);
  };
  const auto weights = [&](int64_t t) {
    return _mm512_maskz_loadu_epi16(mask, taps[t].weights + c);
  };
  __m512i low = _mm512_setzero_si512();   // of each quarter's lower four channels
  __m512i high = _mm512_setzero_si512();  // of the upper four
  const auto add = [&](__m512i x0, __m512i x1, __m512i w0, __m512i w1) {
    low = _mm512_dpwssd_epi32(low, _mm512_unpacklo_epi16(x0, x1), _mm512_unpacklo_epi16(w0, w1));
    high = _mm512_dpwssd_epi32(high, _mm512_unpackhi_epi16(x0, x1), _mm512_unpackhi_epi16(w0, w1));
  };
  const __m512i none = _mm512_setzero_si512();
  int64_t t = 0;
  for (; t + 2 <= count; t += 2) add(pixels(t), pixels(t + 1), weights(t), weights(t + 1));
  if (t < count) add(pixels(t), none, weights(t), none);
  const __m512i first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
  const __m512i second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
  _mm512_mask_storeu_epi32(sums + c, static_cast<__mmask16>(mask),
                           _mm512_permutex2var_epi64(low, first, high));
  _mm512_mask_storeu_epi32(sums + c + 16, static_cast<__mmask16>(mask >> 16),
                           _mm512_permutex2var_epi64(low, second, high));
}

template <class T>
void WindowLoop(const WindowTap* taps, int64_t count, int64_t channels, int32_t zero_point,
                int32_t* sums) {
  const auto zp = static_cast<int16_t>(zero_point);
  for (int64_t c = 0; c < channels; c += 32) {
    WindowOf32<T>(taps, count, c, MaskOf32(channels - c), zp, sums);
  }
}

// rows x 16*vectors columns, the last vector masked.
// dpwssd adds both products of a pair to the sum modulo 2^32, as the ISA's accumulators do. What
// the mask leaves out is neither read nor written: behind it the row holds other instructions'
// sums.
template <int rows, int vectors>
inline void Tile(const int16_t* x, const int16_t* w, int32_t* out, int64_t k_pairs,
                 int64_t n_padded, int64_t out_stride, __mmask16 last, bool accumulate) {
  __m512i sum[rows][vectors];
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < vectors; ++j) {
      const __mmask16 mask = j + 1 == vectors ? last : 0xFFFF;
      sum[i][j] = accumulate ? _mm512_maskz_loadu_epi32(mask, out + i * out_stride + 16 * j)
                             : _mm512_setzero_si512();
    }
  }
  for (int64_t p = 0; p < k_pairs; ++p) {
    const int16_t* row = w + p * n_padded * 2;
    __m512i weights[vectors];
    for (int j = 0; j < vectors; ++j) weights[j] = _mm512_loadu_si512(row + 32 * j);
    for (int i = 0; i < rows; ++i) {
      int32_t pair;
      __builtin_memcpy(&pair, x + (i * k_pairs + p) * 2, 4);
      const __m512i both = _mm512_set1_epi32(pair);
      for (int j = 0; j < vectors; ++j)
        sum[i][j] = _mm512_dpwssd_epi32(sum[i][j], both, weights[j]);
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < vectors; ++j) {
      const __mmask16 mask = j + 1 == vectors ? last : 0xFFFF;
      _mm512_mask_storeu_epi32(out + i * out_stride + 16 * j, mask, sum[i][j]);
    }
  }
}

template <int vectors>
void Columns(const int16_t* x, const int16_t* w, int32_t* out, int64_t m, int64_t k_pairs,
             int64_t n_padded, int64_t out_stride, __mmask16 last, bool accumulate) {
  int64_t i = 0;
  for (; i + 6 <= m; i += 6) {
    Tile<6, vectors>(x + i * 2 * k_pairs, w, out + i * out_stride, k_pairs, n_padded, out_stride,
                     last, accumulate);
  }
  for (; i < m; ++i) {
    Tile<1, vectors>(x + i * 2 * k_pairs, w, out + i * out_stride, k_pairs, n_padded, out_stride,
                     last, accumulate);
  }
}

void GemmI16(const int16_t* x, const int16_t* w, int32_t* out, int64_t m, int64_t k_pairs,
             int64_t n, int64_t n_padded, int64_t out_stride, bool accumulate) {
  for (int64_t c0 = 0; c0 < n; c0 += 32) {
    const int64_t left = n - c0;
    const int64_t in_last = left >= 32 ? 16 : (left > 16 ? left - 16 : left);
    const __mmask16 last = static_cast<__mmask16>((1u << in_last) - 1);
    if (left > 16) {
      Columns<2>(x, w + c0 * 2, out + c0, m, k_pairs, n_padded, out_stride, last, accumulate);
    } else {
      Columns<1>(x, w + c0 * 2, out + c0, m, k_pairs, n_padded, out_stride, last, accumulate);
    }
  }
}

}  // namespace

extern const Microkernels kAvx512Kernels;
const Microkernels kAvx512Kernels = {"avx512",
                                     GemmI16,
                                     GemmF32,
                                     WidenLoop<int8_t>,
                                     WidenLoop<uint8_t>,
                                     InterleaveLoop<int8_t>,
                                     InterleaveLoop<uint8_t>,
                                     Narrow,
                                     WindowLoop<int8_t>,
                                     WindowLoop<uint8_t>,
                                     RequantizeDouble,
                                     RequantizeDoubleBytes,
                                     AddF32,
                                     SubF32,
                                     MulF32};

}  // namespace acme
#endif
