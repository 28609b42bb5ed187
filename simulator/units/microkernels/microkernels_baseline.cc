// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For every x86-64 (SSE2), and portable where there is no x86.

#include <cstdint>

#include "simulator/units/arithmetic/fixed_point.h"
#include "simulator/units/microkernels/microkernels.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace acme {
namespace {

#include "simulator/units/microkernels/microkernels_body.h"
#include "simulator/units/microkernels/unmasked_body.h"

#if defined(__SSE2__)
#include "simulator/units/microkernels/window_sse2.h"

// One row by 16 columns: four accumulators of four columns.
inline void Tile16(const int16_t* x, const int16_t* w, int32_t* tile, int64_t k_pairs,
                   int64_t n_padded) {
  __m128i sum[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(),
                    _mm_setzero_si128()};
  for (int64_t p = 0; p < k_pairs; ++p) {
    int32_t pair;
    __builtin_memcpy(&pair, x + 2 * p, 4);
    const __m128i both = _mm_set1_epi32(pair);
    const __m128i* row = reinterpret_cast<const __m128i*>(w + p * n_padded * 2);
    for (int j = 0; j < 4; ++j) {
      sum[j] = _mm_add_epi32(sum[j], _mm_madd_epi16(both, _mm_loadu_si128(row + j)));
    }
  }
  for (int j = 0; j < 4; ++j) _mm_storeu_si128(reinterpret_cast<__m128i*>(tile) + j, sum[j]);
}
#else
// In arrays, which the compiler makes vectors of.
template <class T>
struct WindowSums8 {
  static constexpr int64_t kChannels = 8;
  struct Vector {
    int16_t of[kChannels];
  };

  uint32_t sum[kChannels] = {};

  static Vector None() { return {}; }
  static Vector Pixels(const uint8_t* from, int16_t zero_point) {
    Vector pixels;
    for (int64_t c = 0; c < kChannels; ++c)
      pixels.of[c] = static_cast<int16_t>(static_cast<T>(from[c]) - zero_point);
    return pixels;
  }
  static Vector Weights(const int16_t* from) {
    Vector weights;
    __builtin_memcpy(&weights, from, sizeof(weights));
    return weights;
  }
  void Add(const Vector& x0, const Vector& x1, const Vector& w0, const Vector& w1) {
    for (int64_t c = 0; c < kChannels; ++c) {
      sum[c] +=
          static_cast<uint32_t>(x0.of[c] * w0.of[c]) + static_cast<uint32_t>(x1.of[c] * w1.of[c]);
    }
  }
  void Store(int32_t* to) const { __builtin_memcpy(to, sum, sizeof(sum)); }
};

inline void Tile16(const int16_t* x, const int16_t* w, int32_t* tile, int64_t k_pairs,
                   int64_t n_padded) {
  for (int c = 0; c < 16; ++c) tile[c] = 0;
  for (int64_t p = 0; p < k_pairs; ++p) {
    const int16_t* row = w + p * n_padded * 2;
    for (int c = 0; c < 16; ++c) {
      tile[c] = static_cast<int32_t>(
          static_cast<uint32_t>(tile[c]) +
          static_cast<uint32_t>(x[2 * p] * row[2 * c] + x[2 * p + 1] * row[2 * c + 1]));
    }
  }
}
#endif

template <class T>
void WindowLoop(const WindowTap* taps, int64_t count, int64_t channels, int32_t zero_point,
                int32_t* sums) {
  const auto zp = static_cast<int16_t>(zero_point);
  const int64_t c = SumWindow<WindowSums8<T>>(taps, count, 0, channels, zp, sums);
  SumWindowRest<T>(taps, count, c, channels, zp, sums);
}

void GemmI16(const int16_t* x, const int16_t* w, int32_t* out, int64_t m, int64_t k_pairs,
             int64_t n, int64_t n_padded, int64_t out_stride, bool accumulate) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t c0 = 0; c0 < n; c0 += 16) {
      int32_t tile[16];
      Tile16(x + i * 2 * k_pairs, w + c0 * 2, tile, k_pairs, n_padded);
      int32_t* to = out + i * out_stride + c0;
      const int64_t used = n - c0 < 16 ? n - c0 : 16;
      for (int64_t c = 0; c < used; ++c) {
        to[c] = accumulate ? static_cast<int32_t>(static_cast<uint32_t>(to[c]) +
                                                  static_cast<uint32_t>(tile[c]))
                           : tile[c];
      }
    }
  }
}

void RequantizeDouble(const int32_t* x, const int32_t* bias, const int32_t* multiplier,
                      const int32_t* shift, int32_t* dst, int64_t count, int32_t zero_point,
                      int32_t lo, int32_t hi) {
  for (int64_t c = 0; c < count; ++c) {
    const int32_t sum =
        static_cast<int32_t>(static_cast<uint32_t>(x[c]) + static_cast<uint32_t>(bias[c]));
    int32_t value = MultiplyDouble(sum, multiplier[c], shift[c]);
    value = static_cast<int32_t>(static_cast<uint32_t>(value) + static_cast<uint32_t>(zero_point));
    value = value < lo ? lo : value;
    dst[c] = value > hi ? hi : value;
  }
}

}  // namespace

extern const Microkernels kBaselineKernels;
const Microkernels kBaselineKernels = {"baseline",
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
