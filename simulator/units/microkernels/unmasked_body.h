// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loops for instruction sets that load and store whole vectors only; included by
// microkernels_baseline.cc and microkernels_avx2.cc inside their namespaces, under the rules of
// microkernels_body.h.

template <class T>
void WidenLoop(const T* __restrict src, int64_t src_stride, int16_t* __restrict dst,
               int64_t dst_stride, int64_t rows, int64_t count, int32_t zero_point) {
  for (int64_t r = 0; r < rows; ++r, src += src_stride, dst += dst_stride) {
    for (int64_t i = 0; i < count; ++i) dst[i] = static_cast<int16_t>(src[i] - zero_point);
  }
}

void Narrow(const int32_t* __restrict src, uint8_t* __restrict dst, int64_t count) {
  for (int64_t i = 0; i < count; ++i) dst[i] = static_cast<uint8_t>(src[i]);
}

// By rows of 32 bits, a few channels at a time.
template <auto kRequantize>
void RequantizeDoubleBytes(const int32_t* x, const int32_t* bias, const int32_t* multiplier,
                           const int32_t* shift, uint8_t* dst, int64_t count, int32_t zero_point,
                           int32_t lo, int32_t hi) {
  constexpr int64_t kBlock = 64;
  int32_t block[kBlock];
  for (int64_t c = 0; c < count; c += kBlock) {
    const int64_t width = count - c < kBlock ? count - c : kBlock;
    kRequantize(x + c, bias + c, multiplier + c, shift + c, block, width, zero_point, lo, hi);
    Narrow(block, dst + c, width);
  }
}

// As many channels of a window as fill vectors, from channel c on; the first that is left. Two taps
// at a time, as the processor's multiply-add of 16-bit pairs takes them.
template <class Sums>
int64_t SumWindow(const WindowTap* taps, int64_t count, int64_t c, int64_t channels,
                  int16_t zero_point, int32_t* sums) {
  for (; c + Sums::kChannels <= channels; c += Sums::kChannels) {
    Sums sum;
    int64_t t = 0;
    for (; t + 2 <= count; t += 2) {
      sum.Add(Sums::Pixels(taps[t].pixel + c, zero_point),
              Sums::Pixels(taps[t + 1].pixel + c, zero_point), Sums::Weights(taps[t].weights + c),
              Sums::Weights(taps[t + 1].weights + c));
    }
    if (t < count) {
      sum.Add(Sums::Pixels(taps[t].pixel + c, zero_point), Sums::None(),
              Sums::Weights(taps[t].weights + c), Sums::None());
    }
    sum.Store(sums + c);
  }
  return c;
}

// Those that are left, one by one.
template <class T>
void SumWindowRest(const WindowTap* taps, int64_t count, int64_t c, int64_t channels,
                   int16_t zero_point, int32_t* sums) {
  for (; c < channels; ++c) {
    uint32_t sum = 0;
    for (int64_t t = 0; t < count; ++t) {
      const auto x = static_cast<int16_t>(static_cast<T>(taps[t].pixel[c]) - zero_point);
      sum += static_cast<uint32_t>(x * taps[t].weights[c]);
    }
    sums[c] = static_cast<int32_t>(sum);
  }
}
