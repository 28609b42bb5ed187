// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/reduction/reduction.h"

#include <utility>
#include <vector>

#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

// Per input dimension: whether it is reduced.
litert::Expected<std::vector<bool>> ReducedDims(const Node& node) {
  const Operand& in = *node.inputs[0];
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, IntegerValues(node, *node.inputs[1]));
  std::vector<bool> reduced(in.shape.size(), false);
  if (in.shape.empty()) return reduced;  // a scalar: its axes do not matter
  for (int64_t axis : axes) {
    LITERT_ASSIGN_OR_RETURN(const int32_t resolved, ResolveAxis(node, axis, in.shape.size()));
    reduced[resolved] = true;
  }
  return reduced;
}

class ReductionKernel final : public Kernel {
 public:
  ReductionKernel(const Reduction& reduction, ReductionLoops loops)
      : reduction_(reduction), loops_(std::move(loops)) {
    scratch_bytes_ = static_cast<size_t>(reduction.out_elems) * loops_.accumulator_bytes;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const uint8_t* in = context.inputs[0].data();
    uint8_t* accumulators = context.scratch.data();
    const void* functions = loops_.functions.data();
    loops_.start(functions, accumulators, reduction_.out_elems);
    if (reduction_.count > 0 && reduction_.out_elems > 0) {
      reduction_.ForEachOuter([&](int64_t from, int64_t to) {
        loops_.add(functions, in + from * loops_.in_bytes, reduction_.rows(), reduction_.row(),
                   accumulators + to * loops_.accumulator_bytes);
      });
    }
    loops_.finish(functions, accumulators, reduction_.out_elems, context.outputs[0].data());
    return {};
  }

 private:
  Reduction reduction_;
  ReductionLoops loops_;
};

}  // namespace

litert::Expected<std::unique_ptr<Kernel>> MakeReductionKernel(const Node& node,
                                                              ReductionLoops loops) {
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<ReductionKernel>(reduction, std::move(loops)));
}

litert::Expected<Reduction> ReductionOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  LITERT_ASSIGN_OR_RETURN(const std::vector<bool> reduced, ReducedDims(node));
  Reduction reduction;
  int64_t in_stride = 1;
  int64_t out_stride = 1;
  std::vector<Reduction::Dim> merged;  // from the last dimension
  for (size_t d = in.shape.size(); d-- > 0;) {
    const int64_t extent = in.shape[d];
    if (reduced[d]) reduction.count *= extent;
    const bool joins = !merged.empty() && reduced[d] == (merged.back().out_stride == 0);
    if (extent != 1 && joins) {
      merged.back().extent *= extent;
    } else if (extent != 1) {
      merged.push_back(
          {.extent = extent, .in_stride = in_stride, .out_stride = reduced[d] ? 0 : out_stride});
    }
    in_stride *= extent;
    if (!reduced[d]) out_stride *= extent;
  }
  reduction.out_elems = out_stride;
  for (size_t i = merged.size(); i-- > 0;) reduction.dims[reduction.rank++] = merged[i];
  return reduction;
}

litert::Expected<Inferred> InferReduction(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<bool> reduced, ReducedDims(node));
  const auto* options = node.op->OptionsAs<ReducerOptions>();
  const bool keep_dims = options != nullptr && options->keep_dims;
  Shape shape;
  for (size_t d = 0; d < in.shape.size(); ++d) {
    if (!reduced[d]) {
      shape.push_back(in.shape[d]);
    } else if (keep_dims) {
      shape.push_back(1);
    }
  }
  return Inferred{.shapes = {std::move(shape)}};
}

namespace {

class StoredZerosKernel final : public Kernel {
 public:
  litert::Expected<void> Run(const RunContext& context) const override {
    std::ranges::fill(context.outputs[0], uint8_t{0});
    return {};
  }
};

}  // namespace

std::unique_ptr<Kernel> MakeStoredZeros() { return std::make_unique<StoredZerosKernel>(); }

}  // namespace npukit::kernels
