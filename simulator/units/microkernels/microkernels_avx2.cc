// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled with -mavx2; chosen at run time.

#include <cstdint>

#include "simulator/units/microkernels/microkernels.h"

#if defined(__AVX2__)
#include <immintrin.h>

namespace acme {
namespace {

#include "simulator/units/microkernels/microkernels_body.h"
#include "simulator/units/microkernels/requantize_avx2.h"
#include "simulator/units/microkernels/unmasked_body.h"
#include "simulator/units/microkernels/window_sse2.h"

template <class T>
struct WindowSums16 {
  static constexpr int64_t kChannels = 16;

  __m256i low = _mm256_setzero_si256();   // of each half's lower four channels
  __m256i high = _mm256_setzero_si256();  // of the upper four

  static __m256i None() { return _mm256_setzero_si256(); }
  static __m256i Pixels(const uint8_t* from, int16_t zero_point) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m256i halves = T(-1) < 0 ? _mm256_cvtepi8_epi16(bytes) : _mm256_cvtepu8_epi16(bytes);
    return _mm256_sub_epi16(halves, _mm256_set1_epi16(zero_point));
  }
  static __m256i Weights(const int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  void Add(__m256i x0, __m256i x1, __m256i w0, __m256i w1) {
    low = _mm256_add_epi32(
        low, _mm256_madd_epi16(_mm256_unpacklo_epi16(x0, x1), _mm256_unpacklo_epi16(w0, w1)));
    high = _mm256_add_epi32(
        high, _mm256_madd_epi16(_mm256_unpackhi_epi16(x0, x1), _mm256_unpackhi_epi16(w0, w1)));
  }
  void Store(int32_t* to) const {
    __m256i* const vector = reinterpret_cast<__m256i*>(to);
    _mm256_storeu_si256(vector, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(vector + 1, _mm256_permute2x128_si256(low, high, 0x31));
  }
};

template <class T>
void WindowLoop(const WindowTap* taps, int64_t count, int64_t channels, int32_t zero_point,
                int32_t* sums) {
  const auto zp = static_cast<int16_t>(zero_point);
  int64_t c = SumWindow<WindowSums16<T>>(taps, count, 0, channels, zp, sums);
  c = SumWindow<WindowSums8<T>>(taps, count, c, channels, zp, sums);
  SumWindowRest<T>(taps, count, c, channels, zp, sums);
}

// rows x 16 columns, two accumulators a row.
// Weights are below 2^9 in magnitude, whether bytes less a zero point or the halves of 16 bits: the
// two products of pmaddwd and their sum fit 32 bits, with activations of 16 bits as well.
template <int rows>
inline void Tile(const int16_t* x, const int16_t* w, int32_t* out, int64_t k_pairs,
                 int64_t n_padded, int64_t out_stride, int64_t used, bool accumulate) {
  __m256i sum[rows][2];
  for (int i = 0; i < rows; ++i) sum[i][0] = sum[i][1] = _mm256_setzero_si256();
  for (int64_t p = 0; p < k_pairs; ++p) {
    const __m256i* row = reinterpret_cast<const __m256i*>(w + p * n_padded * 2);
    const __m256i w0 = _mm256_loadu_si256(row);
    const __m256i w1 = _mm256_loadu_si256(row + 1);
    for (int i = 0; i < rows; ++i) {
      int32_t pair;
      __builtin_memcpy(&pair, x + (i * k_pairs + p) * 2, 4);
      const __m256i both = _mm256_set1_epi32(pair);
      sum[i][0] = _mm256_add_epi32(sum[i][0], _mm256_madd_epi16(both, w0));
      sum[i][1] = _mm256_add_epi32(sum[i][1], _mm256_madd_epi16(both, w1));
    }
  }
  for (int i = 0; i < rows; ++i) {
    int32_t* to = out + i * out_stride;
    if (used == 16) {
      __m256i* vector = reinterpret_cast<__m256i*>(to);
      for (int j = 0; j < 2; ++j) {
        const __m256i old = accumulate ? _mm256_loadu_si256(vector + j) : _mm256_setzero_si256();
        _mm256_storeu_si256(vector + j, _mm256_add_epi32(old, sum[i][j]));
      }
    } else {
      // Behind `used` the accumulators' row holds other instructions' sums.
      uint32_t tile[16];
      for (int j = 0; j < 2; ++j)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(tile) + j, sum[i][j]);
      for (int64_t c = 0; c < used; ++c)
        to[c] = static_cast<int32_t>((accumulate ? static_cast<uint32_t>(to[c]) : 0) + tile[c]);
    }
  }
}

void GemmI16(const int16_t* x, const int16_t* w, int32_t* out, int64_t m, int64_t k_pairs,
             int64_t n, int64_t n_padded, int64_t out_stride, bool accumulate) {
  for (int64_t c0 = 0; c0 < n; c0 += 16) {
    const int64_t used = n - c0 < 16 ? n - c0 : 16;
    int64_t i = 0;
    // Four rows: eight registers of sums, two of weights and one of a pair, of sixteen.
    for (; i + 4 <= m; i += 4) {
      Tile<4>(x + i * 2 * k_pairs, w + c0 * 2, out + i * out_stride + c0, k_pairs, n_padded,
              out_stride, used, accumulate);
    }
    for (; i < m; ++i) {
      Tile<1>(x + i * 2 * k_pairs, w + c0 * 2, out + i * out_stride + c0, k_pairs, n_padded,
              out_stride, used, accumulate);
    }
  }
}

}  // namespace

extern const Microkernels kAvx2Kernels;
const Microkernels kAvx2Kernels = {"avx2",
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
                                   RequantizeDoubleBytes<RequantizeDouble>,
                                   AddF32,
                                   SubF32,
                                   MulF32};

}  // namespace acme
#endif
