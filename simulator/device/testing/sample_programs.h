// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whole layers as programs, for tests and benchmarks: every engine busy, double-buffered, no
// compiler needed.

#ifndef NPUKIT_SIMULATOR_DEVICE_TESTING_SAMPLE_PROGRAMS_H_
#define NPUKIT_SIMULATOR_DEVICE_TESTING_SAMPLE_PROGRAMS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/instruction.h"

namespace acme {

// C[m][n] = requantise(A[m][k] * B[k][n]), int8. Buffers: 0 constants: B, then n records; 2: A; 3:
// C. Needs m <= half the accumulator rows, everything but C resident in the scratchpad, extents
// that are multiples of the array's.
struct GemmSize {
  int64_t m, k, n;
};
std::vector<Word> GemmProgram(const Hardware& hardware, const GemmSize& size);

// A convolution with stride 1 and "same" padding, int8, NHWC. Buffers: 0 constants: weights
// [kernel][kernel][in][out], then one record per output channel; 2: input; 3: output. Channels are
// multiples of the array's extents; input and weights stay in the scratchpad.
struct ConvSize {
  int64_t height, width, in_channels, out_channels, kernel;
  int64_t Macs() const { return height * width * in_channels * out_channels * kernel * kernel; }
};
std::vector<Word> ConvProgram(const Hardware& hardware, const ConvSize& size);

// The folds of one m x k x n product on the matrix engine alone, as SCALE-Sim counts them: every
// fold full, all from the same addresses. For time only.
std::vector<Word> FoldsProgram(const Hardware& hardware, const GemmSize& size);

// An acme_a1 whose array is of this size and undivided, and whose memories it never waits for.
Hardware ArrayHardware(int64_t rows, int64_t cols);
// The same, square, as SCALE-Sim models arrays: nothing overlaps.
Hardware ScaleSimHardware(int64_t size);

// MobileNet v1's 27 layers as SCALE-Sim's topology has them (depthwise layers as convolutions with
// one filter).
std::span<const GemmSize> MobileNetV1Layers();

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_TESTING_SAMPLE_PROGRAMS_H_
