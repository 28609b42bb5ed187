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
#include "simulator/units/microkernels/requantize_avx2.h"

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
                                     MultiplyAddI16,
                                     MultiplyAddF32,
                                     RequantizeDouble,
                                     AddF32,
                                     SubF32,
                                     MulF32};

}  // namespace acme
#endif
