// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The loops that the compiler vectorises itself. Included once by each kernels_*.cc inside its own
// anonymous namespace, so that every copy is compiled with that file's instruction set. Nothing
// from the standard library may be instantiated here: the linker would keep one copy for all,
// possibly one that the processor can't run.

template <class T>
void InterleaveLoop(const T* __restrict even, const T* __restrict odd, int16_t* __restrict dst,
                    int64_t count, int32_t zero_point) {
  for (int64_t i = 0; i < count; ++i) {
    dst[2 * i] = static_cast<int16_t>(even[i] - zero_point);
    dst[2 * i + 1] = static_cast<int16_t>(odd[i] - zero_point);
  }
}

// A float product, a row and 32 columns at a time: their sums stay in registers.
void GemmF32(const float* __restrict x, const float* __restrict w, float* __restrict out, int64_t m,
             int64_t k, int64_t n, int64_t n_padded, int64_t out_stride, bool accumulate) {
  constexpr int64_t kBlock = 32;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t c0 = 0; c0 < n; c0 += kBlock) {
      float sum[kBlock] = {};
      const int64_t width = n_padded - c0 < kBlock ? n_padded - c0 : kBlock;
      if (width == kBlock) {
        for (int64_t r = 0; r < k; ++r) {
          const float value = x[i * k + r];
          const float* row = w + r * n_padded + c0;
          for (int64_t c = 0; c < kBlock; ++c) sum[c] = sum[c] + value * row[c];
        }
      } else {
        for (int64_t r = 0; r < k; ++r) {
          const float value = x[i * k + r];
          const float* row = w + r * n_padded + c0;
          for (int64_t c = 0; c < width; ++c) sum[c] = sum[c] + value * row[c];
        }
      }
      float* to = out + i * out_stride + c0;
      const int64_t used = n - c0 < kBlock ? n - c0 : kBlock;
      for (int64_t c = 0; c < used; ++c) to[c] = accumulate ? to[c] + sum[c] : sum[c];
    }
  }
}

#define ACME_ELEMENTWISE_F32(Name, op)                                                   \
  void Name(const float* __restrict a, const float* __restrict b, float* __restrict dst, \
            int64_t count, float lo, float hi) {                                         \
    for (int64_t i = 0; i < count; ++i) {                                                \
      float value = a[i] op b[i];                                                        \
      value = value < lo ? lo : value;                                                   \
      dst[i] = value > hi ? hi : value;                                                  \
    }                                                                                    \
  }
ACME_ELEMENTWISE_F32(AddF32, +)
ACME_ELEMENTWISE_F32(SubF32, -)
ACME_ELEMENTWISE_F32(MulF32, *)
#undef ACME_ELEMENTWISE_F32
