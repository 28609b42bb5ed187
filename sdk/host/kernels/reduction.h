// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What MEAN, SUM, REDUCE_MAX and their like share: input 0 holds the elements, input 1 the axes
// (negative ones count from the end, repeated ones count once).

#ifndef NPUKIT_SDK_HOST_KERNELS_REDUCTION_H_
#define NPUKIT_SDK_HOST_KERNELS_REDUCTION_H_

#include <algorithm>
#include <array>
#include <utility>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/elementwise.h"
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

  // Calls fn(input_index, output_index, extent, out_stride) for every row: the last dimension,
  // whose inputs are adjacent.
  template <typename Fn>
  void ForEachRow(Fn fn) const {
    if (rank == 0) {
      fn(int64_t{0}, int64_t{0}, int64_t{1}, int64_t{0});
      return;
    }
    WalkRows(0, 0, 0, fn);
  }

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
  void WalkRows(size_t d, int64_t in, int64_t out, Fn& fn) const {
    if (d + 1 == rank) {
      fn(in, out, dims[d].extent, dims[d].out_stride);
      return;
    }
    for (int64_t i = 0; i < dims[d].extent; ++i) {
      WalkRows(d + 1, in + i * dims[d].in_stride, out + i * dims[d].out_stride, fn);
    }
  }
};

// The axes must be known.
litert::Expected<Reduction> ReductionOf(const Node& node);

// Shape and type rules; asks for the axes' value.
litert::Expected<Inferred> InferReduction(const Node& node,
                                          std::initializer_list<LiteRtElementType> types);

// Accumulates in memory order into one accumulator per output (scratch), then finishes each:
//   acc = initial; acc = step(acc, in) ...; out = finish(acc)
template <typename In, typename Acc, typename Out, typename Step, typename Finish>
class ReductionKernel final : public Kernel {
 public:
  ReductionKernel(const Reduction& reduction, Acc initial, Step step, Finish finish)
      : reduction_(reduction),
        initial_(initial),
        step_(std::move(step)),
        finish_(std::move(finish)) {
    scratch_bytes_ = static_cast<size_t>(reduction.out_elems) * sizeof(Acc);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const In* in = DataOf<In>(context.inputs[0]);
    Out* out = DataOf<Out>(context.outputs[0]);
    Acc* accumulators = DataOf<Acc>(context.scratch);
    std::fill_n(accumulators, reduction_.out_elems, initial_);
    if (reduction_.count > 0 && reduction_.out_elems > 0) {
      reduction_.ForEachRow([&](int64_t from, int64_t to, int64_t extent, int64_t out_stride) {
        Acc* acc = accumulators + to;
        if (out_stride == 0) {
          Acc sum = *acc;
          for (int64_t i = 0; i < extent; ++i) sum = step_(sum, in[from + i]);
          *acc = sum;
        } else {
          for (int64_t i = 0; i < extent; ++i) acc[i] = step_(acc[i], in[from + i]);
        }
      });
    }
    for (int64_t i = 0; i < reduction_.out_elems; ++i) out[i] = finish_(accumulators[i]);
    return {};
  }

 private:
  Reduction reduction_;
  Acc initial_;
  Step step_;
  Finish finish_;
};

template <typename In, typename Acc, typename Out = In, typename Step, typename Finish>
litert::Expected<std::unique_ptr<Kernel>> MakeReduction(const Node& node, Acc initial, Step step,
                                                        Finish finish) {
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<ReductionKernel<In, Acc, Out, Step, Finish>>(
      reduction, initial, std::move(step), std::move(finish)));
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_REDUCTION_H_
