// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/elementwise.h"

#include <utility>

#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {
namespace {

// Elements below which a second thread costs more than it gains.
constexpr size_t kElementwiseGrain = 16384;

class UnaryKernel final : public Kernel {
 public:
  UnaryKernel(UnaryRow row, int64_t elems) : row_(std::move(row)), elems_(elems) {
    if (row_.in_bytes == row_.out_bytes) in_place_input_ = 0;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const uint8_t* in = context.inputs[0].data();
    uint8_t* out = context.outputs[0].data();
    ParallelFor(context.pool, static_cast<size_t>(elems_), kElementwiseGrain,
                [&](size_t begin, size_t end, int /*worker*/) {
                  row_.run(row_.function.data(), in + begin * row_.in_bytes,
                           static_cast<int64_t>(end - begin), out + begin * row_.out_bytes);
                });
    return {};
  }

 private:
  UnaryRow row_;
  int64_t elems_;
};

class BinaryKernel final : public Kernel {
 public:
  BinaryKernel(BinaryRow row, const BroadcastPlan<2>& plan) : row_(std::move(row)), plan_(plan) {
    // Input 0 is read element by element just before it is overwritten if nothing of it is
    // repeated.
    bool repeated = plan_.row.extent > 1 && plan_.row.stride[0] == 0;
    for (size_t d = 0; d < plan_.outer_rank; ++d) repeated |= plan_.outer[d].stride[0] == 0;
    if (!repeated && row_.in_bytes == row_.out_bytes) in_place_input_ = 0;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    if (plan_.rows == 1) {
      ParallelFor(context.pool, static_cast<size_t>(plan_.row.extent), kElementwiseGrain,
                  [&](size_t begin, size_t end, int /*worker*/) {
                    const auto at = static_cast<int64_t>(begin);
                    RunRows(context, at * plan_.row.stride[0], at * plan_.row.stride[1], at, 1,
                            static_cast<int64_t>(end - begin));
                  });
      return {};
    }
    const size_t grain =
        kElementwiseGrain / std::max<size_t>(1, static_cast<size_t>(plan_.row.extent)) + 1;
    ParallelFor(context.pool, static_cast<size_t>(plan_.rows), grain,
                [&](size_t begin, size_t end, int /*worker*/) {
                  // Along the dimension outside the rows each operand goes on by one stride, so
                  // that one call does all rows up to its end.
                  const int64_t together = Inner().extent;
                  for (auto at = static_cast<int64_t>(begin); at < static_cast<int64_t>(end);) {
                    const int64_t rows =
                        std::min(static_cast<int64_t>(end) - at, together - at % together);
                    plan_.ForEachRow(at, at + 1, [&](const auto& offsets, int64_t out) {
                      RunRows(context, offsets[0], offsets[1], out, rows, plan_.row.extent);
                    });
                    at += rows;
                  }
                });
    return {};
  }

 private:
  // The dimension outside the rows; of one row if there is none.
  BroadcastPlan<2>::Dim Inner() const {
    return plan_.outer_rank == 0 ? BroadcastPlan<2>::Dim{} : plan_.outer[plan_.outer_rank - 1];
  }

  // Offsets in elements.
  void RunRows(const RunContext& context, int64_t a, int64_t b, int64_t out, int64_t rows,
               int64_t count) const {
    const BroadcastPlan<2>::Dim inner = Inner();
    BinaryRowSpan span{.a = context.inputs[0].data() + a * row_.in_bytes,
                       .b = context.inputs[1].data() + b * row_.in_bytes,
                       .out = context.outputs[0].data() + out * row_.out_bytes,
                       .step_a = plan_.row.stride[0] != 0,
                       .step_b = plan_.row.stride[1] != 0,
                       .row_stride_a = inner.stride[0],
                       .row_stride_b = inner.stride[1],
                       .rows = rows,
                       .count = count};
    if (row_.swap) {
      std::swap(span.a, span.b);
      std::swap(span.step_a, span.step_b);
      std::swap(span.row_stride_a, span.row_stride_b);
    }
    row_.run(row_.function.data(), span);
  }

  BinaryRow row_;
  BroadcastPlan<2> plan_;
};

}  // namespace

std::unique_ptr<Kernel> MakeUnaryKernel(UnaryRow row, int64_t elems) {
  return std::make_unique<UnaryKernel>(std::move(row), elems);
}

std::unique_ptr<Kernel> MakeBinaryKernel(BinaryRow row, const BroadcastPlan<2>& plan) {
  return std::make_unique<BinaryKernel>(std::move(row), plan);
}

litert::Expected<Inferred> InferSameShape(const Node& node) {
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

litert::Expected<Inferred> InferOneShape(const Node& node) {
  for (const Operand* input : node.inputs) {
    if (input->shape != node.inputs[0]->shape)
      return InvalidNode(node, input, "must have the shape of the first input");
  }
  return InferSameShape(node);
}

litert::Expected<Inferred> InferBroadcast(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(node, *node.inputs[0], *node.inputs[1]));
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace npukit::kernels
