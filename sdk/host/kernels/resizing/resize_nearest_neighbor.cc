// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/resizing/resizing.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

litert::Expected<ResizeMode> ModeOf(const Node& node) {
  const auto* options = node.op->OptionsAs<ResizeNearestNeighborOptions>();
  return options == nullptr ? ResizeMode{}
                            : ResizeMode{.align_corners = options->align_corners,
                                         .half_pixel_centers = options->half_pixel_centers};
}

litert::Expected<Inferred> Infer(const Node& node) { return InferResize(node); }

// The input's position for each of the output's, in float32 as TFLite computes it.
std::vector<int64_t> Positions(int32_t in, int32_t out, ResizeMode mode) {
  const float scale = mode.align_corners && out > 1
                          ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                          : static_cast<float>(in) / static_cast<float>(out);
  std::vector<int64_t> positions;
  for (int32_t i = 0; i < out; ++i) {
    const float at = (static_cast<float>(i) + (mode.half_pixel_centers ? 0.5f : 0.0f)) * scale;
    const auto nearest = static_cast<int64_t>(mode.align_corners ? std::round(at) : std::floor(at));
    positions.push_back(std::clamp<int64_t>(nearest, 0, in - 1));
  }
  return positions;
}

class NearestKernel final : public Kernel {
 public:
  NearestKernel(const Node& node, ResizeMode mode, size_t elem_bytes)
      : size_(SizesOf(node)),
        rows_(Positions(size_.in_height, size_.out_height, mode)),
        cols_(Positions(size_.in_width, size_.out_width, mode)),
        pixel_bytes_(static_cast<size_t>(size_.depth) * elem_bytes) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    if (context.outputs[0].empty()) return {};
    const size_t row_bytes = cols_.size() * pixel_bytes_;
    uint8_t* out = context.outputs[0].data();
    for (int64_t b = 0; b < size_.batches; ++b) {
      for (size_t y = 0; y < rows_.size(); ++y, out += row_bytes) {
        if (y > 0 && rows_[y] == rows_[y - 1]) {
          std::memcpy(out, out - row_bytes, row_bytes);
          continue;
        }
        const int64_t first = (b * size_.in_height + rows_[y]) * size_.in_width;
        const uint8_t* row = context.inputs[0].data() + static_cast<size_t>(first) * pixel_bytes_;
        for (size_t x = 0; x < cols_.size(); ++x) {
          std::memcpy(out + x * pixel_bytes_, row + static_cast<size_t>(cols_[x]) * pixel_bytes_,
                      pixel_bytes_);
        }
      }
    }
    return {};
  }

 private:
  ResizeSizes size_;
  std::vector<int64_t> rows_;
  std::vector<int64_t> cols_;
  size_t pixel_bytes_;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const ResizeMode mode, ModeOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<NearestKernel>(node, mode, elem_bytes));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ResizeNearestNeighbor) = {
    .doc = {.formula = "the pixel at floor(i in / out), or at floor((i + 1/2) in / out), or at "
                       "round(i (in - 1) / (out - 1)) with aligned corners, in float32",
            .source = "TFLite RESIZE_NEAREST_NEIGHBOR, reference kernels"},
    .signature = "T, int32 -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
