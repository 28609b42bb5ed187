// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What MEAN, SUM, REDUCE_MAX and their like share: input 0 holds the elements, input 1 the axes
// (negative ones count from the end, repeated ones count once).

#ifndef NPUKIT_SDK_HOST_KERNELS_REDUCTION_REDUCTION_H_
#define NPUKIT_SDK_HOST_KERNELS_REDUCTION_REDUCTION_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// The input's dimensions, neighbours of the same kind merged, walked in memory order.
struct Reduction {
  struct Dim {
    int64_t extent = 1;
    int64_t in_stride = 0;
    int64_t out_stride = 0;  // 0: reduced
  };
  std::array<Dim, kMaxRank> dims = {};
  size_t rank = 0;
  int64_t out_elems = 1;
  int64_t count = 1;  // elements that go into one output

  // Calls fn(input_index) for the elements of one output in memory order.
  template <typename Fn>
  void ForEachInput(int64_t out_index, Fn fn) const {
    int64_t base = 0;
    for (size_t d = rank; d-- > 0;) {
      if (dims[d].out_stride == 0) continue;
      base += out_index / dims[d].out_stride % dims[d].extent * dims[d].in_stride;
    }
    WalkReduced(0, base, fn);
  }

  // Calls fn(input_index, output_index) for every index of the dimensions but the last two.
  template <typename Fn>
  void ForEachOuter(Fn fn) const {
    WalkOuter(0, 0, 0, fn);
  }
  // The last dimension, whose inputs are adjacent, and the one before; of extent 1 if there is
  // none.
  Dim row() const { return rank == 0 ? Dim{} : dims[rank - 1]; }
  Dim rows() const { return rank < 2 ? Dim{} : dims[rank - 2]; }

 private:
  template <typename Fn>
  void WalkReduced(size_t d, int64_t at, Fn& fn) const {
    if (d == rank) {
      fn(at);
    } else if (dims[d].out_stride != 0) {
      WalkReduced(d + 1, at, fn);
    } else {
      for (int64_t i = 0; i < dims[d].extent; ++i)
        WalkReduced(d + 1, at + i * dims[d].in_stride, fn);
    }
  }
  template <typename Fn>
  void WalkOuter(size_t d, int64_t in, int64_t out, Fn& fn) const {
    if (d + 2 >= rank) {
      fn(in, out);
      return;
    }
    for (int64_t i = 0; i < dims[d].extent; ++i) {
      WalkOuter(d + 1, in + i * dims[d].in_stride, out + i * dims[d].out_stride, fn);
    }
  }
};

// The axes must be known.
litert::Expected<Reduction> ReductionOf(const Node& node);

// The output shape; asks for the axes' value.
litert::Expected<Inferred> InferReduction(const Node& node);

// How a type is reduced: function objects' bytes, and what applies them to rows. As in
// elementwise.h, the kernel itself knows no types.
struct ReductionLoops {
  // count accumulators become the initial value.
  void (*start)(const void* functions, void* accumulators, int64_t count);
  // Each input of a row goes into the accumulator at its place, or all into one.
  void (*add)(const void* functions, const void* in, Reduction::Dim rows, Reduction::Dim row,
              void* accumulators);
  void (*finish)(const void* functions, const void* accumulators, int64_t count, void* out);
  std::vector<std::byte> functions;
  size_t in_bytes;  // of an element
  size_t accumulator_bytes;
};
litert::Expected<std::unique_ptr<Kernel>> MakeReductionKernel(const Node& node,
                                                              ReductionLoops loops);

// A step of sums of floats, whose terms may be added in any order: the oracle's bound covers them all.
struct FloatSum {
  static constexpr bool kInAnyOrder = true;
  float operator()(float sum, float value) const { return sum + value; }

  // Of a row: as many sums at once as hide how long one addition takes.
  static float OfRow(const float* in, int64_t count) {
    constexpr int64_t kSums = 16;
    std::array<float, kSums> sums = {};
    int64_t i = 0;
    for (; i + kSums <= count; i += kSums) {
      for (int64_t k = 0; k < kSums; ++k) sums[k] += in[i + k];
    }
    for (int64_t k = 0; i + k < count; ++k) sums[k] += in[i + k];
    float sum = 0;
    for (const float part : sums) sum += part;
    return sum;
  }
};

template <typename In, typename Acc, typename Out, typename Step, typename Finish>
struct ReductionFunctions {
  Acc initial;
  Step step;
  Finish finish;

  static void RunStart(const void* functions, void* accumulators, int64_t count) {
    std::fill_n(static_cast<Acc*>(accumulators), count, Of(functions).initial);
  }
  static void RunAdd(const void* functions, const void* first_input, Reduction::Dim rows,
                     Reduction::Dim row, void* accumulators) {
    const Step& step = Of(functions).step;
    for (int64_t r = 0; r < rows.extent; ++r) {
      const In* in = static_cast<const In*>(first_input) + r * rows.in_stride;
      Acc* acc = static_cast<Acc*>(accumulators) + r * rows.out_stride;
      if constexpr (requires { Step::kInAnyOrder; }) {
        if (row.out_stride == 0) {
          *acc = step(*acc, Step::OfRow(in, row.extent));
          continue;
        }
      }
      if (row.out_stride == 0) {
        Acc sum = *acc;
        for (int64_t i = 0; i < row.extent; ++i) sum = step(sum, in[i]);
        *acc = sum;
      } else {
        for (int64_t i = 0; i < row.extent; ++i) acc[i] = step(acc[i], in[i]);
      }
    }
  }
  static void RunFinish(const void* functions, const void* accumulators, int64_t count, void* out) {
    const Finish& finish = Of(functions).finish;
    for (int64_t i = 0; i < count; ++i)
      static_cast<Out*>(out)[i] = finish(static_cast<const Acc*>(accumulators)[i]);
  }
  static const ReductionFunctions& Of(const void* functions) {
    return *static_cast<const ReductionFunctions*>(functions);
  }
};

// Accumulates in memory order into one accumulator per output (scratch), then finishes each:
//   acc = initial; acc = step(acc, in) ...; out = finish(acc)
template <typename In, typename Acc, typename Out = In, typename Step, typename Finish>
litert::Expected<std::unique_ptr<Kernel>> MakeReduction(const Node& node, Acc initial, Step step,
                                                        Finish finish) {
  using Functions = ReductionFunctions<In, Acc, Out, Step, Finish>;
  return MakeReductionKernel(
      node, {Functions::RunStart, Functions::RunAdd, Functions::RunFinish,
             FunctionBytes(Functions{initial, step, finish}), sizeof(In), sizeof(Acc)});
}

// Of bool: whether all are true, which is their product and the smallest, too; whether some is, which
// is their sum and the largest.
litert::Expected<std::unique_ptr<Kernel>> MakeAll(const Node& node);
litert::Expected<std::unique_ptr<Kernel>> MakeAny(const Node& node);

// What TFLite gives of no quantised numbers, and as their mean of no integers: stored zeros, whatever
// the zero point.
std::unique_ptr<Kernel> MakeStoredZeros();

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_REDUCTION_REDUCTION_H_
