// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The inner loops, compiled once for each instruction set and chosen at run time. All versions give
// the same bits: integers are exact, and floating-point sums have the order that the ISA fixes (no
// fused multiply-add).

#ifndef NPUKIT_SIMULATOR_UNITS_MICROKERNELS_MICROKERNELS_H_
#define NPUKIT_SIMULATOR_UNITS_MICROKERNELS_MICROKERNELS_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

namespace acme {

// Parameters of one column or channel, unpacked from a 10-byte record.
struct ChannelParams {
  int32_t multiplier;
  int32_t shift;  // -31 .. 30
};

// One position of a depthwise kernel: the pixel below it and its weights, a byte and a weight a channel.
struct WindowTap {
  const uint8_t* pixel;
  const int16_t* weights;
};

struct Microkernels {
  std::string_view name;

  // Integer matrix product: for i < m, c < n:
  //   out[i*out_stride + c] (+)= sum over p < k_pairs, h < 2 of
  //                              x[i*2*k_pairs + 2*p + h] * w[(p*n_padded + c)*2 + h]
  // x: [m][2*k_pairs] int16. w: [k_pairs][n_padded][2] int16, n_padded a multiple of 16, columns
  // beyond n zero. Sums modulo 2^32.
  void (*gemm_i16)(const int16_t* x, const int16_t* w, int32_t* out, int64_t m, int64_t k_pairs,
                   int64_t n, int64_t n_padded, int64_t out_stride, bool accumulate);

  // Float matrix product: sum in the order of k from 0.0, each product and each sum rounded; then
  // the old value plus the sum. w: [k][n_padded].
  void (*gemm_f32)(const float* x, const float* w, float* out, int64_t m, int64_t k, int64_t n,
                   int64_t n_padded, int64_t out_stride, bool accumulate);

  // dst[r*dst_stride + i] = src[r*src_stride + i] - zero_point for r < rows, i < count.
  void (*widen_i8)(const int8_t* src, int64_t src_stride, int16_t* dst, int64_t dst_stride,
                   int64_t rows, int64_t count, int32_t zero_point);
  void (*widen_u8)(const uint8_t* src, int64_t src_stride, int16_t* dst, int64_t dst_stride,
                   int64_t rows, int64_t count, int32_t zero_point);
  // Two rows side by side: dst[2*i] = even[i] - zero_point, dst[2*i + 1] = odd[i] - zero_point.
  void (*interleave_i8)(const int8_t* even, const int8_t* odd, int16_t* dst, int64_t count,
                        int32_t zero_point);
  void (*interleave_u8)(const uint8_t* even, const uint8_t* odd, int16_t* dst, int64_t count,
                        int32_t zero_point);
  // dst[i] = the low eight bits of src[i].
  void (*narrow)(const int32_t* src, uint8_t* dst, int64_t count);

  // One window of a depthwise kernel: sums[c] = sum over t < count of
  // int16(taps[t].pixel[c] - zero_point) * taps[t].weights[c], modulo 2^32.
  void (*window_i8)(const WindowTap* taps, int64_t count, int64_t channels, int32_t zero_point,
                    int32_t* sums);
  void (*window_u8)(const WindowTap* taps, int64_t count, int64_t channels, int32_t zero_point,
                    int32_t* sums);

  // dst[c] = clamp(MultiplyDouble(x[c] + bias[c], params[c]) + zero_point, lo, hi) as int32.
  void (*requantize_double)(const int32_t* x, const int32_t* bias, const int32_t* multiplier,
                            const int32_t* shift, int32_t* dst, int64_t count, int32_t zero_point,
                            int32_t lo, int32_t hi);
  // The same, of which the low eight bits are stored.
  void (*requantize_double_bytes)(const int32_t* x, const int32_t* bias, const int32_t* multiplier,
                                  const int32_t* shift, uint8_t* dst, int64_t count,
                                  int32_t zero_point, int32_t lo, int32_t hi);

  // Elementwise float32: dst[i] = a[i] op b[i], clamped to lo .. hi (max first, then min).
  void (*add_f32)(const float* a, const float* b, float* dst, int64_t count, float lo, float hi);
  void (*sub_f32)(const float* a, const float* b, float* dst, int64_t count, float lo, float hi);
  void (*mul_f32)(const float* a, const float* b, float* dst, int64_t count, float lo, float hi);
};

namespace internal {
extern std::atomic<const Microkernels*> g_selected;  // null until the first use
const Microkernels& SelectDefaultKernels();
}  // namespace internal

// The best that this processor runs, or what the environment variable NPUKIT_CPU_ISA (baseline,
// avx2, avx512) limits it to. Cheap enough for every row.
inline const Microkernels& BestMicrokernels() {
  const Microkernels* kernels = internal::g_selected.load(std::memory_order_relaxed);
  return kernels != nullptr ? *kernels : internal::SelectDefaultKernels();
}

// All that this processor runs, baseline first: for tests and benchmarks.
std::span<const Microkernels* const> AvailableMicrokernels();

// Makes BestMicrokernels() return the named one ("baseline", "avx2", "avx512", "best"): for tests and
// benchmarks, before any device is used. False when this processor does not run it.
bool SelectMicrokernels(std::string_view name);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_MICROKERNELS_MICROKERNELS_H_
