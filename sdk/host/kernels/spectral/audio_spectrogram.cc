// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// AudioSpectrogram, a custom operator that TFLite brings: samples [n, channels] to squared magnitudes
// [channels, windows, frequencies]. Computed in float64, rounded once.

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/kernels/spectral/fourier_transform.h"
#include "sdk/host/model/options/flex_buffer.h"

namespace npukit::kernels {
namespace {

using Complex = std::complex<double>;

struct Spectrogram {
  int64_t window = 0;  // samples
  int64_t stride = 0;
  bool squared = false;
  int64_t channels = 0;
  int64_t windows = 0;

  int64_t points() const {
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window)));
  }
  int64_t frequencies() const { return points() / 2 + 1; }
};

constexpr int64_t kLongestWindow = int64_t{1} << 24;

litert::Expected<Spectrogram> SpectrogramOf(const Node& node) {
  const std::optional<FlexBuffer> buffer = FlexBuffer::Verify(node.op->custom_options);
  if (!buffer) return InvalidNode(node, "has options that are no FlexBuffer");
  const flexbuffers::Map map = buffer->root().AsMap();
  Spectrogram spectrogram{.window = map["window_size"].AsInt64(),
                          .stride = map["stride"].AsInt64(),
                          .squared = map["magnitude_squared"].AsBool()};
  if (spectrogram.window < 2 || spectrogram.window > kLongestWindow || spectrogram.stride < 1)
    return InvalidNode(node, "has a window or stride out of range");
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 2) return InvalidNode(node, &in, "must have the shape [samples,channels]");
  spectrogram.channels = in.shape[1];
  const int64_t beyond = in.shape[0] - spectrogram.window;
  spectrogram.windows = beyond < 0 ? 0 : 1 + beyond / spectrogram.stride;
  return spectrogram;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Spectrogram spectrogram, SpectrogramOf(node));
  const std::vector<int64_t> dims = {spectrogram.channels, spectrogram.windows,
                                     spectrogram.frequencies()};
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

// Each window is weighted by a periodic Hann window and filled with zeros to a power of two.
class SpectrogramKernel final : public Kernel {
 public:
  explicit SpectrogramKernel(const Spectrogram& spectrogram) : spectrogram_(spectrogram) {
    const auto window = static_cast<double>(spectrogram.window);
    for (int64_t i = 0; i < spectrogram.window; ++i) {
      weights_.push_back(0.5 -
                         0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / window));
    }
    packed_bytes_ = weights_.size() * sizeof(double);
    scratch_bytes_ = static_cast<size_t>(spectrogram.points()) * sizeof(Complex);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    auto* work = DataOf<Complex>(context.scratch);
    for (int64_t channel = 0; channel < spectrogram_.channels; ++channel) {
      for (int64_t window = 0; window < spectrogram_.windows; ++window) {
        const float* first = in + window * spectrogram_.stride * spectrogram_.channels + channel;
        for (int64_t i = 0; i < spectrogram_.points(); ++i) {
          work[i] = i < spectrogram_.window
                        ? static_cast<double>(first[i * spectrogram_.channels]) *
                              weights_[static_cast<size_t>(i)]
                        : 0.0;
        }
        FourierTransform(work, spectrogram_.points(), 1);
        for (int64_t i = 0; i < spectrogram_.frequencies(); ++i) {
          const auto power = static_cast<float>(std::norm(work[i]));
          *out++ = spectrogram_.squared ? power : std::sqrt(power);
        }
      }
    }
    return {};
  }

 private:
  Spectrogram spectrogram_;
  std::vector<double> weights_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Spectrogram spectrogram, SpectrogramOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<SpectrogramKernel>(spectrogram));
}

// What a transform in float32 may lose of the largest magnitude.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Spectrogram spectrogram, SpectrogramOf(node));
  const double ulps = 8 * std::log2(2.0 * static_cast<double>(spectrogram.points()));
  return OracleByFloatKernel(node, inputs, outputs, ulps);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(AudioSpectrogram) = {
    .doc = {.formula = "magnitudes (squared if asked for) of the Fourier transform of windows of "
                       "samples, weighted by a Hann window, filled with zeros to a power of two",
            .source = "TFLite AudioSpectrogram"},
    .signature = "float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
