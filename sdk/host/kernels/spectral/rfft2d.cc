// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RFFT2D: computed in float64, rounded once.

#include <bit>
#include <complex>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/kernels/spectral/fourier_transform.h"

namespace npukit::kernels {
namespace {

using Complex = std::complex<double>;

struct Lengths {
  int64_t height = 0;
  int64_t width = 0;
  int64_t columns() const { return width / 2 + 1; }  // of the output
};

constexpr int64_t kMostPoints = int64_t{1} << 26;

litert::Expected<Lengths> LengthsOf(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> lengths, IntegerValues(node, *node.inputs[1]));
  for (int64_t length : lengths) {
    if (length < 1 || length > kMostPoints || !std::has_single_bit(static_cast<uint64_t>(length)))
      return InvalidNode(node, node.inputs[1], "must hold powers of two");
  }
  if (lengths[0] * lengths[1] > kMostPoints)
    return InvalidNode(node, node.inputs[1], "asks for too many points");
  return Lengths{.height = lengths[0], .width = lengths[1]};
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.size() < 2) return InvalidNode(node, &in, "must have at least 2 dimensions");
  if (node.inputs[1]->shape != Shape{2})
    return InvalidNode(node, node.inputs[1], "must have two elements");
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const Lengths lengths, LengthsOf(node));
  Shape shape = in.shape;
  shape[shape.size() - 2] = static_cast<int32_t>(lengths.height);
  shape.back() = static_cast<int32_t>(lengths.columns());
  return Inferred{.shapes = {std::move(shape)}};
}

struct Rfft2d {
  Lengths lengths;
  int64_t slices = 1;
  int64_t in_height = 0;
  int64_t in_width = 0;

  int64_t points() const { return lengths.height * lengths.width; }

  // One slice, cut or filled with zeros to the lengths, and transformed.
  template <typename Read>
  void Run(int64_t slice, Complex* work, Read read) const {
    for (int64_t y = 0; y < lengths.height; ++y) {
      for (int64_t x = 0; x < lengths.width; ++x) {
        const bool inside = y < in_height && x < in_width;
        work[y * lengths.width + x] = inside ? read((slice * in_height + y) * in_width + x) : 0.0;
      }
      FourierTransform(work + y * lengths.width, lengths.width, 1);
    }
    // The other columns are conjugates of these, as the input is real, and are not put out.
    for (int64_t x = 0; x < lengths.columns(); ++x)
      FourierTransform(work + x, lengths.height, lengths.width);
  }

  template <typename Write>
  void Store(int64_t slice, const Complex* work, Write write) const {
    int64_t at = slice * lengths.height * lengths.columns();
    for (int64_t y = 0; y < lengths.height; ++y) {
      for (int64_t x = 0; x < lengths.columns(); ++x)
        write(at++, std::complex<float>(work[y * lengths.width + x]));
    }
  }
};

litert::Expected<Rfft2d> RfftOf(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Lengths lengths, LengthsOf(node));
  const Shape& shape = node.inputs[0]->shape;
  return Rfft2d{.lengths = lengths,
                .slices = ElemsOf(shape, 0, shape.size() - 2),
                .in_height = shape[shape.size() - 2],
                .in_width = shape.back()};
}

class RfftKernel final : public Kernel {
 public:
  explicit RfftKernel(const Rfft2d& rfft) : rfft_(rfft) {
    scratch_bytes_ = static_cast<size_t>(rfft.points()) * sizeof(Complex);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    auto* out = DataOf<std::complex<float>>(context.outputs[0]);
    auto* work = DataOf<Complex>(context.scratch);
    for (int64_t slice = 0; slice < rfft_.slices; ++slice) {
      rfft_.Run(slice, work, [&](int64_t at) { return static_cast<double>(in[at]); });
      rfft_.Store(slice, work, [&](int64_t at, std::complex<float> value) { out[at] = value; });
    }
    return {};
  }

 private:
  Rfft2d rfft_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Rfft2d rfft, RfftOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<RfftKernel>(rfft));
}

// The bounds of complex numbers are those of both parts: what a transform in float32 may lose.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (inputs[0]->is_uncertain())
    return UnsupportedNode(node, node.inputs[0],
                           "is uncertain, and complex numbers have no bounds");
  LITERT_ASSIGN_OR_RETURN(const Rfft2d rfft, RfftOf(node));
  std::vector<Complex> work(static_cast<size_t>(rfft.points()));
  auto* out = DataOf<std::complex<float>>(std::span<uint8_t>(outputs[0].bytes));
  const int64_t slice_elems = rfft.in_height * rfft.in_width;
  const double roundings = 4 * std::log2(2.0 * static_cast<double>(rfft.points()));
  for (int64_t slice = 0; slice < rfft.slices; ++slice) {
    rfft.Run(slice, work.data(), [&](int64_t at) { return inputs[0]->values[at]; });
    double magnitude = 0;
    for (int64_t i = 0; i < slice_elems; ++i)
      magnitude += std::fabs(inputs[0]->values[slice * slice_elems + i]);
    rfft.Store(slice, work.data(), [&](int64_t at, std::complex<float> v) {
      out[at] = v;
      outputs[0].bounds.push_back(roundings * kRoundingUnit * magnitude);
    });
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Rfft2d) = {
    .doc = {.formula =
                "the discrete Fourier transform of the last two dimensions, cut or filled with "
                "zeros to the given lengths; half of the last one",
            .source = "TFLite RFFT2D"},
    .signature = "float32, int32 -> complex64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
