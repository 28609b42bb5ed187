// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mfcc, a custom operator that TFLite brings: the mel-frequency cepstral coefficients of a spectrogram
// [channels, windows, frequencies] of squared magnitudes. Computed in float64, rounded once.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/flex_buffer.h"

namespace npukit::kernels {
namespace {

struct Options {
  double upper_hz = 0;
  double lower_hz = 0;
  int64_t bands = 0;
  int64_t coefficients = 0;
};

constexpr int64_t kMostBands = 1 << 16;

litert::Expected<Options> OptionsOf(const Node& node) {
  const std::optional<FlexBuffer> buffer = FlexBuffer::Verify(node.op->custom_options);
  if (!buffer) return InvalidNode(node, "has options that are no FlexBuffer");
  const flexbuffers::Map map = buffer->root().AsMap();
  const Options options{
      .upper_hz = static_cast<double>(static_cast<float>(map["upper_frequency_limit"].AsInt64())),
      .lower_hz = static_cast<double>(static_cast<float>(map["lower_frequency_limit"].AsInt64())),
      .bands = map["filterbank_channel_count"].AsInt64(),
      .coefficients = map["dct_coefficient_count"].AsInt64()};
  if (options.lower_hz < 0 || options.upper_hz <= options.lower_hz || options.coefficients < 1 ||
      options.bands < options.coefficients || options.bands > kMostBands) {
    return InvalidNode(node, "has frequencies or numbers of bands out of range");
  }
  return options;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Options options, OptionsOf(node));
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 3 || in.shape[2] < 2)
    return InvalidNode(node, &in, "must have the shape [channels,windows,frequencies]");
  if (node.inputs[1]->elems() != 1)
    return InvalidNode(node, node.inputs[1], "must have one element");
  // The bands follow from the sample rate.
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> rate, IntegerValues(node, *node.inputs[1]));
  if (rate[0] < 1) return InvalidNode(node, node.inputs[1], "must be a sample rate");
  return Inferred{
      .shapes = {{in.shape[0], in.shape[1], static_cast<int32_t>(options.coefficients)}}};
}

double MelOf(double hz) { return 1127 * std::log1p(hz / 700); }

// Triangles on the mel scale. Frequency bin `i` lies between the centres of bands `below[i]` and the
// next one, and belongs to the lower by `share[i]`.
struct MelBands {
  int64_t first = 0;  // bins that belong to bands
  int64_t last = -1;
  std::vector<int64_t> below;
  std::vector<double> share;

  MelBands(const Options& options, int64_t bins, double sample_rate) {
    const double low = MelOf(options.lower_hz);
    const double spacing = (MelOf(options.upper_hz) - low) / static_cast<double>(options.bands + 1);
    auto centre = [&](int64_t band) { return low + spacing * static_cast<double>(band + 1); };
    const double hz_per_bin = 0.5 * sample_rate / static_cast<double>(bins - 1);
    first = static_cast<int64_t>(1.5 + std::min(options.lower_hz / hz_per_bin, 0x1p40));
    last = static_cast<int64_t>(std::min(options.upper_hz / hz_per_bin, 0x1p40));
    if (reaches_beyond(bins)) return;
    int64_t band = 0;
    for (int64_t i = first; i <= last; ++i) {
      const double mel = MelOf(static_cast<double>(i) * hz_per_bin);
      while (band < options.bands && centre(band) < mel) ++band;
      const double from = band == 0 ? low : centre(band - 1);
      below.push_back(band - 1);
      share.push_back((centre(band) - mel) / (centre(band) - from));
    }
  }

  bool reaches_beyond(int64_t bins) const { return last >= bins; }

  // Adds the magnitudes of squares to the bands' sums.
  void Sum(const float* squares, std::span<double> sums) const {
    const auto bands = static_cast<int64_t>(sums.size());
    for (int64_t i = first; i <= last; ++i) {
      const double magnitude = std::sqrt(static_cast<double>(squares[i]));
      const int64_t band = below[static_cast<size_t>(i - first)];
      const double lower = magnitude * share[static_cast<size_t>(i - first)];
      if (band >= 0) sums[static_cast<size_t>(band)] += lower;
      if (band + 1 < bands) sums[static_cast<size_t>(band + 1)] += magnitude - lower;
    }
  }
};

class MfccKernel final : public Kernel {
 public:
  MfccKernel(const Node& node, const Options& options, double sample_rate)
      : options_(options),
        rows_(ElemsOf(node.inputs[0]->shape, 0, 2)),
        bins_(node.inputs[0]->shape[2]),
        bands_(options, bins_, sample_rate) {
    const auto bands = static_cast<double>(options.bands);
    for (int64_t k = 0; k < options.coefficients; ++k) {
      for (int64_t j = 0; j < options.bands; ++j) {
        cosines_.push_back(std::sqrt(2 / bands) *
                           std::cos(static_cast<double>(k) * std::numbers::pi / bands *
                                    (static_cast<double>(j) + 0.5)));
      }
    }
    packed_bytes_ = cosines_.size() * sizeof(double);
    scratch_bytes_ = static_cast<size_t>(options.bands) * sizeof(double);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<double> sums(DataOf<double>(context.scratch),
                                 static_cast<size_t>(options_.bands));
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    for (int64_t row = 0; row < rows_; ++row, in += bins_) {
      std::ranges::fill(sums, 0.0);
      if (bands_.reaches_beyond(bins_)) {  // TFLite has no logarithms then
        out = std::fill_n(out, options_.coefficients, 0.0f);
        continue;
      }
      bands_.Sum(in, sums);
      constexpr double kFloor = 1e-12;
      for (double& sum : sums) sum = std::log(sum < kFloor ? kFloor : sum);
      const double* cosines = cosines_.data();
      for (int64_t k = 0; k < options_.coefficients; ++k) {
        double coefficient = 0;
        for (const double sum : sums) coefficient += *cosines++ * sum;
        *out++ = static_cast<float>(coefficient);
      }
    }
    return {};
  }

 private:
  Options options_;
  int64_t rows_;
  int64_t bins_;
  MelBands bands_;
  std::vector<double> cosines_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Options options, OptionsOf(node));
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> rate, IntegerValues(node, *node.inputs[1]));
  return std::unique_ptr<Kernel>(
      std::make_unique<MfccKernel>(node, options, static_cast<double>(rate[0])));
}

// Sums and logarithms of as many numbers as there are bands and bins, were they in float32.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Options options, OptionsOf(node));
  const auto terms = static_cast<double>(options.bands + node.inputs[0]->shape[2]);
  return OracleByFloatKernel(node, inputs, outputs, FunctionUlps::kLog + terms);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Mfcc) = {
    .doc = {.formula =
                "the cosine transform of the logarithms of the magnitudes in bands on the mel "
                "scale; no band is below 1e-12",
            .source = "TFLite Mfcc"},
    .signature = "float32, int32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
