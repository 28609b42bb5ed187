// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/strided_copy.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sdk/host/kernels/movement/movement.h"

namespace npukit::kernels {
namespace {

using Dim = StridedCopy::Dim;

// Side of the squares in which two dimensions are exchanged, in elements.
constexpr int64_t kTile = 16;

// The innermost loops of a copy.
enum class Row {
  kBytes,      // one contiguous run
  kElements,   // elements at strides
  kTransposed  // two dimensions, contiguous in the output and in the input
};

struct Loops {
  size_t input = 0;
  size_t output = 0;
  int64_t in_offset_bytes = 0;
  int64_t out_offset_bytes = 0;
  std::vector<Dim> outer;  // strides in bytes
  Row row = Row::kBytes;
  int64_t row_bytes = 0;  // kBytes
  Dim inner;              // the last one, strides in elements
  Dim across;             // kTransposed: contiguous in the input
};

// A dimension whose steps continue the next one's is part of it.
std::vector<Dim> Merge(const std::vector<Dim>& dims) {
  std::vector<Dim> merged;
  for (const Dim& dim : dims) {
    if (dim.extent == 1) continue;
    if (!merged.empty() && merged.back().in_stride == dim.in_stride * dim.extent &&
        merged.back().out_stride == dim.out_stride * dim.extent) {
      const int64_t extent = merged.back().extent * dim.extent;
      merged.back() = dim;
      merged.back().extent = extent;
    } else {
      merged.push_back(dim);
    }
  }
  return merged;
}

Loops PlanLoops(const StridedCopy& copy, int64_t elem_bytes) {
  Loops loops{.input = copy.input,
              .output = copy.output,
              .in_offset_bytes = copy.in_offset * elem_bytes,
              .out_offset_bytes = copy.out_offset * elem_bytes,
              .outer = Merge(copy.dims),
              .row_bytes = elem_bytes};
  std::vector<Dim>& dims = loops.outer;
  if (!dims.empty()) {
    loops.inner = dims.back();
    dims.pop_back();
    if (loops.inner.in_stride == 1 && loops.inner.out_stride == 1) {
      loops.row_bytes = loops.inner.extent * elem_bytes;
    } else {
      loops.row = Row::kElements;
      // A dimension that is contiguous in the input while the last one is in the output: either
      // order alone would touch a cache line for each element of the other side.
      const auto across =
          std::find_if(dims.begin(), dims.end(), [](const Dim& dim) { return dim.in_stride == 1; });
      if (across != dims.end() && loops.inner.out_stride == 1) {
        loops.row = Row::kTransposed;
        loops.across = *across;
        dims.erase(across);
      }
    }
  }
  for (Dim& dim : dims) {
    dim.in_stride *= elem_bytes;
    dim.out_stride *= elem_bytes;
  }
  return loops;
}

template <typename T>
void CopyElements(const Dim& dim, const T* in, T* out) {
  if (dim.in_stride == 0 && dim.out_stride == 1) {
    std::fill_n(out, dim.extent, *in);
    return;
  }
  for (int64_t i = 0; i < dim.extent; ++i) out[i * dim.out_stride] = in[i * dim.in_stride];
}

template <typename T>
void CopyTransposed(const Dim& inner, const Dim& across, const T* in, T* out) {
  for (int64_t a0 = 0; a0 < across.extent; a0 += kTile) {
    const int64_t a1 = std::min(a0 + kTile, across.extent);
    for (int64_t i0 = 0; i0 < inner.extent; i0 += kTile) {
      const int64_t i1 = std::min(i0 + kTile, inner.extent);
      for (int64_t a = a0; a < a1; ++a) {
        for (int64_t i = i0; i < i1; ++i) {
          out[a * across.out_stride + i] = in[a + i * inner.in_stride];
        }
      }
    }
  }
}

template <typename T>
void RunRow(const Loops& loops, const uint8_t* in, uint8_t* out) {
  switch (loops.row) {
    case Row::kBytes:
      std::memcpy(out, in, static_cast<size_t>(loops.row_bytes));
      return;
    case Row::kElements:
      CopyElements(loops.inner, reinterpret_cast<const T*>(in), reinterpret_cast<T*>(out));
      return;
    case Row::kTransposed:
      CopyTransposed(loops.inner, loops.across, reinterpret_cast<const T*>(in),
                     reinterpret_cast<T*>(out));
      return;
  }
}

template <typename T>
void RunLoops(const Loops& loops, size_t depth, const uint8_t* in, uint8_t* out) {
  if (depth == loops.outer.size()) {
    RunRow<T>(loops, in, out);
    return;
  }
  const Dim& dim = loops.outer[depth];
  for (int64_t i = 0; i < dim.extent; ++i)
    RunLoops<T>(loops, depth + 1, in + i * dim.in_stride, out + i * dim.out_stride);
}

class CopiesKernel final : public Kernel {
 public:
  CopiesKernel(std::vector<Loops> copies, size_t elem_bytes, std::optional<ElemValue> fill)
      : copies_(std::move(copies)), elem_bytes_(elem_bytes), fill_(fill) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    if (fill_.has_value()) FillElems(context.outputs[0], fill_->data(), elem_bytes_);
    for (const Loops& loops : copies_) {
      const uint8_t* in = context.inputs[loops.input].data() + loops.in_offset_bytes;
      uint8_t* out = context.outputs[loops.output].data() + loops.out_offset_bytes;
      switch (elem_bytes_) {
        case 1:
          RunLoops<uint8_t>(loops, 0, in, out);
          break;
        case 2:
          RunLoops<uint16_t>(loops, 0, in, out);
          break;
        case 4:
          RunLoops<uint32_t>(loops, 0, in, out);
          break;
        default:
          RunLoops<uint64_t>(loops, 0, in, out);
      }
    }
    return {};
  }

 private:
  std::vector<Loops> copies_;
  size_t elem_bytes_;
  std::optional<ElemValue> fill_;
};

class WholeCopyKernel final : public Kernel {
 public:
  WholeCopyKernel() { in_place_input_ = 0; }
  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<const uint8_t> from = context.inputs[0];
    const std::span<uint8_t> to = context.outputs[0];
    if (!from.empty() && from.data() != to.data()) std::memcpy(to.data(), from.data(), from.size());
    return {};
  }
};

litert::Expected<std::unique_ptr<Kernel>> MakeWholeCopy(const Node& /*node*/,
                                                        size_t /*elem_bytes*/) {
  return std::unique_ptr<Kernel>(std::make_unique<WholeCopyKernel>());
}

}  // namespace

void FillElems(std::span<uint8_t> out, const uint8_t* elem, size_t elem_bytes) {
  if (out.empty()) return;
  if (std::all_of(elem, elem + elem_bytes, [&](uint8_t byte) { return byte == elem[0]; })) {
    std::memset(out.data(), elem[0], out.size());
    return;
  }
  // Doubles what is filled already.
  std::memcpy(out.data(), elem, elem_bytes);
  for (size_t filled = elem_bytes; filled < out.size();) {
    const size_t count = std::min(filled, out.size() - filled);
    std::memcpy(out.data() + filled, out.data(), count);
    filled += count;
  }
}

std::vector<int64_t> StridesOf(std::span<const int32_t> shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return strides;
}

litert::Expected<std::unique_ptr<Kernel>> MakeCopies(std::vector<StridedCopy> copies,
                                                     size_t elem_bytes,
                                                     std::optional<ElemValue> fill) {
  int64_t unit = static_cast<int64_t>(elem_bytes);
  if (elem_bytes != 1 && elem_bytes != 2 && elem_bytes != 4 && elem_bytes != 8) {
    for (StridedCopy& copy : copies) {  // byte by byte
      copy.in_offset *= unit;
      copy.out_offset *= unit;
      for (Dim& dim : copy.dims) {
        dim.in_stride *= unit;
        dim.out_stride *= unit;
      }
      // Contiguous on both sides: PlanLoops makes it part of a run where it can.
      copy.dims.push_back({.extent = unit, .in_stride = 1, .out_stride = 1});
    }
    unit = 1;
  }
  std::vector<Loops> loops;
  for (const StridedCopy& copy : copies) {
    const bool empty = std::any_of(copy.dims.begin(), copy.dims.end(),
                                   [](const Dim& dim) { return dim.extent <= 0; });
    if (!empty) loops.push_back(PlanLoops(copy, unit));
  }
  return std::unique_ptr<Kernel>(
      std::make_unique<CopiesKernel>(std::move(loops), static_cast<size_t>(unit), fill));
}

StridedCopy CopyOfPart(std::span<const int32_t> shape, std::span<const int64_t> begin,
                       std::span<const int64_t> step, std::span<const int32_t> extents) {
  const std::vector<int64_t> in = StridesOf(shape);
  const std::vector<int64_t> out = StridesOf(extents);
  StridedCopy copy;
  for (size_t d = 0; d < shape.size(); ++d) {
    copy.in_offset += begin[d] * in[d];
    copy.dims.push_back({.extent = extents[d], .in_stride = in[d] * step[d], .out_stride = out[d]});
  }
  return copy;
}

litert::Expected<std::unique_ptr<Kernel>> PrepareWholeCopy(const Node& node,
                                                           const PrepareOptions& /*options*/) {
  return MakeWholeCopy(node, 1);
}

litert::Expected<void> WholeCopyOracle(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs) {
  return OracleByMoving(node, inputs, outputs, MakeWholeCopy, InputMask{1});
}

}  // namespace npukit::kernels
