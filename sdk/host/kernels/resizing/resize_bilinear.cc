// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/resizing/resizing.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

litert::Expected<ResizeMode> ModeOf(const Node& node) {
  const auto* options = node.op->OptionsAs<ResizeBilinearOptions>();
  if (options == nullptr) return ResizeMode{};
  if (options->align_corners && options->half_pixel_centers)
    return InvalidNode(node, "cannot both align corners and use half-pixel centers");
  return ResizeMode{.align_corners = options->align_corners,
                    .half_pixel_centers = options->half_pixel_centers};
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(ModeOf(node));
  return InferResize(node);
}

// Between which two elements of the input an element of the output lies: at `low` + `weight`, in
// units of Weight: 1, or 1024ths.
template <typename Weight>
struct Tap {
  int64_t low = 0;
  int64_t high = 0;
  Weight weight = 0;
};

// In float32 as TFLite computes it; Real is double for the oracle.
template <typename Real>
std::vector<Tap<Real>> RealTaps(int32_t in, int32_t out, ResizeMode mode) {
  const bool aligned = mode.align_corners && out > 1;
  const Real scale = aligned ? static_cast<Real>(in - 1) / static_cast<Real>(out - 1)
                             : static_cast<Real>(in) / static_cast<Real>(out);
  std::vector<Tap<Real>> taps;
  for (int32_t i = 0; i < out; ++i) {
    const Real half = static_cast<Real>(0.5);
    const Real at = mode.half_pixel_centers ? (static_cast<Real>(i) + half) * scale - half
                                            : static_cast<Real>(i) * scale;
    const auto low = std::clamp<int64_t>(static_cast<int64_t>(std::floor(at)), 0, in - 1);
    const auto high = std::clamp<int64_t>(static_cast<int64_t>(std::ceil(at)), 0, in - 1);
    taps.push_back({.low = low, .high = high, .weight = at - static_cast<Real>(low)});
  }
  return taps;
}

std::vector<Tap<int64_t>> IntegerTaps(int64_t in, int64_t out, ResizeMode mode) {
  if (out == 0) return {};
  const bool aligned = mode.align_corners && out > 1;
  const int64_t scale =
      aligned ? (1024 * (in - 1) + (out - 1) / 2) / (out - 1) : (1024 * in + out / 2) / out;
  std::vector<Tap<int64_t>> taps;
  for (int64_t i = 0; i < out; ++i) {
    const int64_t at = mode.half_pixel_centers ? i * scale + scale / 2 - 512 : i * scale;
    const int64_t low = std::clamp<int64_t>(at / 1024, 0, in - 1);
    const int64_t high = std::clamp<int64_t>((at + 1023) / 1024, 0, in - 1);
    taps.push_back({.low = low, .high = high, .weight = at - 1024 * low});
  }
  return taps;
}

template <typename T, typename Weight>
class BilinearKernel final : public Kernel {
 public:
  BilinearKernel(const Node& node, std::vector<Tap<Weight>> rows, std::vector<Tap<Weight>> cols)
      : size_(SizesOf(node)), rows_(std::move(rows)), cols_(std::move(cols)) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    if (context.outputs[0].empty()) return {};
    T* out = DataOf<T>(context.outputs[0]);
    for (int64_t b = 0; b < size_.batches; ++b) {
      const T* image =
          DataOf<T>(context.inputs[0]) + b * size_.in_height * size_.in_width * size_.depth;
      for (const Tap<Weight>& row : rows_) {
        for (const Tap<Weight>& col : cols_) {
          const T* low = image + row.low * size_.in_width * size_.depth;
          const T* high = image + row.high * size_.in_width * size_.depth;
          RunPixel(row, col, low, high, out);
          out += size_.depth;
        }
      }
    }
    return {};
  }

 private:
  void RunPixel(const Tap<Weight>& row, const Tap<Weight>& col, const T* low, const T* high,
                T* out) const {
    const T* low_left = low + col.low * size_.depth;
    const T* low_right = low + col.high * size_.depth;
    const T* high_left = high + col.low * size_.depth;
    const T* high_right = high + col.high * size_.depth;
    const auto y = static_cast<Sum>(row.weight);
    const auto x = static_cast<Sum>(col.weight);
    const Sum up = kOne - y;
    const Sum left = kOne - x;
    for (int64_t c = 0; c < size_.depth; ++c) {
      if constexpr (std::is_same_v<Weight, float>) {
        // Each value is multiplied by one weight after the other: so TFLite rounds.
        const float real = low_left[c] * up * left + high_left[c] * y * left +
                           low_right[c] * up * x + high_right[c] * y * x;
        out[c] = static_cast<T>(std::is_same_v<T, float> ? real : real + 0.5f);
      } else {
        const Sum sum = low_left[c] * (up * left) + high_left[c] * (y * left) +
                        low_right[c] * (up * x) + high_right[c] * (y * x);
        // Weights of 1024ths in both directions make 2^20; division cuts towards zero, so that
        // halves go away from it.
        constexpr Sum kHalf = Sum{1} << 19;
        out[c] = static_cast<T>((sum + (sum > 0 ? kHalf : -kHalf)) / (Sum{1} << 20));
      }
    }
  }

  // Of int8, 2^20 times a value at most.
  using Sum = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, Weight>;
  static constexpr Sum kOne = std::is_same_v<Weight, float> ? 1 : 1024;
  ResizeSizes size_;
  std::vector<Tap<Weight>> rows_;
  std::vector<Tap<Weight>> cols_;
};

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeReal(const Node& node, ResizeMode mode) {
  const ResizeSizes size = SizesOf(node);
  return std::unique_ptr<Kernel>(std::make_unique<BilinearKernel<T, float>>(
      node, RealTaps<float>(size.in_height, size.out_height, mode),
      RealTaps<float>(size.in_width, size.out_width, mode)));
}

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeInteger(const Node& node, ResizeMode mode) {
  const ResizeSizes size = SizesOf(node);
  return std::unique_ptr<Kernel>(std::make_unique<BilinearKernel<T, int64_t>>(
      node, IntegerTaps(size.in_height, size.out_height, mode),
      IntegerTaps(size.in_width, size.out_width, mode)));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const ResizeMode mode, ModeOf(node));
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return MakeInteger<int8_t>(node, mode);
    case kLiteRtElementTypeInt16:
      return MakeInteger<int16_t>(node, mode);
    case kLiteRtElementTypeUInt8:
      return MakeReal<uint8_t>(node, mode);
    default:
      return MakeReal<float>(node, mode);
  }
}

// What the neighbourhood of an interpolated element holds: its largest magnitude, difference of
// neighbours, and bound.
struct Neighbourhood {
  double reach = 0;
  double slope = 0;
  double bound = 0;
};

// The rows and columns between low - 1 and high + 1, where a position that is rounded a little may
// lie too.
Neighbourhood Look(const OracleTensor& in, const ResizeSizes& size, int64_t image, int64_t c,
                   const Tap<double>& row, const Tap<double>& col) {
  Neighbourhood seen;
  double lowest = HUGE_VAL;
  double highest = -HUGE_VAL;
  for (int64_t y = std::max<int64_t>(row.low - 1, 0);
       y <= std::min<int64_t>(row.high + 1, size.in_height - 1); ++y) {
    for (int64_t x = std::max<int64_t>(col.low - 1, 0);
         x <= std::min<int64_t>(col.high + 1, size.in_width - 1); ++x) {
      const Bounded v = At(in, ((image * size.in_height + y) * size.in_width + x) * size.depth + c);
      seen.reach = std::max(seen.reach, v.reach());
      seen.bound = std::max(seen.bound, v.bound);
      lowest = std::min(lowest, v.low());
      highest = std::max(highest, v.high());
    }
  }
  seen.slope = highest - lowest;
  return seen;
}

// The interpolation is continuous, so a position that float32 rounds costs at most its error times
// the slope around it. Positions: scale, product and half rounded once each. The blend: 14 u of the
// reach, 16 u with the terms in u^2 (docs/tolerances.md).
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const ResizeMode mode, ModeOf(node));
  const ResizeSizes size = SizesOf(node);
  const auto rows = RealTaps<double>(size.in_height, size.out_height, mode);
  const auto cols = RealTaps<double>(size.in_width, size.out_width, mode);
  const OracleTensor& in = *inputs[0];
  int64_t at = 0;
  for (int64_t b = 0; b < size.batches; ++b) {
    for (const Tap<double>& row : rows) {
      for (const Tap<double>& col : cols) {
        for (int64_t c = 0; c < size.depth; ++c, ++at) {
          auto value = [&](int64_t y, int64_t x) {
            return in.values[((b * size.in_height + y) * size.in_width + x) * size.depth + c];
          };
          const double top =
              value(row.low, col.low) * (1 - col.weight) + value(row.low, col.high) * col.weight;
          const double bottom =
              value(row.high, col.low) * (1 - col.weight) + value(row.high, col.high) * col.weight;
          const Neighbourhood seen = Look(in, size, b, c, row, col);
          const double position =
              4 * kRoundingUnit * (static_cast<double>(row.high + col.high) + 2);
          const double bound = seen.bound + position * seen.slope +
                               16 * kRoundingUnit * seen.reach + kSmallestNormal;
          Put(outputs[0], at, {top * (1 - row.weight) + bottom * row.weight, bound});
        }
      }
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ResizeBilinear) = {
    .doc = {.formula = "interpolated between four neighbours at i in / out, or (i + 1/2) in / out "
                       "- 1/2, or i (in - 1) / (out - 1) with aligned corners; int8 and int16 at "
                       "1024ths, uint8 in float32",
            .source = "TFLite RESIZE_BILINEAR, reference kernels"},
    .signature = "T, int32 -> T; T = float32|uint8|int8|int16",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
