// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/fixed_point/rounded_activations.h"

#include <array>
#include <utility>

#include "sdk/host/kernels/fixed_point/dynamic_quantization.h"

namespace npukit::kernels {
namespace {

constexpr size_t kMostInputs = 4;

// Scratch: the inner kernel's, the rounded input, a row's floats, a row's bytes.
class RoundedActivationsKernel final : public Kernel {
 public:
  RoundedActivationsKernel(std::unique_ptr<Kernel> inner, const ActivationRows& rows)
      : inner_(std::move(inner)), rows_(rows) {
    const auto cols = static_cast<size_t>(rows.cols);
    input_bytes_ = static_cast<size_t>(rows.groups * rows.rows) * cols * sizeof(float);
    scratch_bytes_ = AlignedTo64(inner_->scratch_bytes()) + AlignedTo64(input_bytes_) +
                     AlignedTo64(cols * sizeof(float)) + cols;
    packed_bytes_ = inner_->packed_bytes();
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    uint8_t* scratch = context.scratch.data() + AlignedTo64(inner_->scratch_bytes());
    auto* rounded = reinterpret_cast<float*>(scratch);
    auto* values = reinterpret_cast<float*>(scratch + AlignedTo64(input_bytes_));
    auto* stored =
        reinterpret_cast<int8_t*>(scratch + AlignedTo64(input_bytes_) +
                                  AlignedTo64(static_cast<size_t>(rows_.cols) * sizeof(float)));
    const float* in = DataOf<float>(context.inputs[0]);
    for (int64_t group = 0; group < rows_.groups; ++group) {
      const int64_t first = group * rows_.rows * rows_.cols;
      for (int64_t row = 0; row < rows_.rows; ++row)
        Round(in, first + row * rows_.row_stride, values, stored, rounded);
    }
    std::array<std::span<const uint8_t>, kMostInputs> inputs;
    std::copy(context.inputs.begin(), context.inputs.end(), inputs.begin());
    inputs[0] = {reinterpret_cast<const uint8_t*>(rounded), input_bytes_};
    RunContext inner = context;
    inner.inputs = std::span<const std::span<const uint8_t>>(inputs).first(context.inputs.size());
    inner.scratch = context.scratch.first(inner_->scratch_bytes());
    return inner_->Run(inner);
  }

 private:
  void Round(const float* in, int64_t first, float* values, int8_t* stored, float* rounded) const {
    for (int64_t c = 0; c < rows_.cols; ++c) values[c] = in[first + c * rows_.col_stride];
    const DynamicScale scale =
        QuantizeDynamically({values, static_cast<size_t>(rows_.cols)}, rows_.asymmetric, stored);
    for (int64_t c = 0; c < rows_.cols; ++c) {
      rounded[first + c * rows_.col_stride] =
          static_cast<float>(stored[c] - scale.zero_point) * scale.scale;
    }
  }

  std::unique_ptr<Kernel> inner_;
  ActivationRows rows_;
  size_t input_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> WithRoundedActivations(std::unique_ptr<Kernel> kernel,
                                               const ActivationRows& rows) {
  if (rows.groups * rows.rows * rows.cols == 0) return kernel;
  return std::make_unique<RoundedActivationsKernel>(std::move(kernel), rows);
}

}  // namespace npukit::kernels
