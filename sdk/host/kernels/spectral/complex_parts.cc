// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// REAL, IMAG and COMPLEX_ABS.

#include <cmath>
#include <complex>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

struct RealPart {
  template <typename T>
  T operator()(std::complex<T> x) const {
    return x.real();
  }
  static constexpr double kUlps = 0;
};
struct ImaginaryPart {
  template <typename T>
  T operator()(std::complex<T> x) const {
    return x.imag();
  }
  static constexpr double kUlps = 0;
};
struct Magnitude {
  template <typename T>
  T operator()(std::complex<T> x) const {
    return std::abs(x);
  }
  static constexpr double kUlps = 4;  // OpenCL's hypot
};

template <typename Part>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (node.outputs[0]->type() == kLiteRtElementTypeFloat64)
    return MakeUnary<std::complex<double>, double>(node, Part());
  return MakeUnary<std::complex<float>, float>(node, Part());
}

// Complex numbers are bytes to the oracle; a bound is that of both parts.
template <typename Part>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  const bool wide = node.outputs[0]->type() == kLiteRtElementTypeFloat64;
  const std::span<const uint8_t> bytes = inputs[0]->bytes;
  for (int64_t i = 0; i < outputs[0].elems(); ++i) {
    const std::complex<double> value =
        wide ? DataOf<std::complex<double>>(bytes)[i]
             : std::complex<double>(DataOf<std::complex<float>>(bytes)[i]);
    const double part = Part()(value);
    const double doubt = inputs[0]->bounds.empty() ? 0 : inputs[0]->bounds[i];
    // Both parts may be off.
    Put(outputs[0], i,
        Part::kUlps == 0 ? Bounded{part, doubt}
                         : Round32(part, std::sqrt(2.0) * doubt, Part::kUlps));
  }
  return {};
}

template <typename Part>
constexpr OperatorParts PartOperator(const Documentation& doc) {
  return {.doc = doc,
          .signature = "complex64 -> float32; complex128 -> float64",
          .infer = InferSameShape,
          .prepare = Prepare<Part>,
          .oracle = Oracle<Part>,
          .tolerance = kRoundedFloats};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Real) = PartOperator<RealPart>({.formula = "the real part",
                                                       .source = "TFLite REAL"});
NPUKIT_DEFINE_OPERATOR(Imag) = PartOperator<ImaginaryPart>({.formula = "the imaginary part",
                                                            .source = "TFLite IMAG"});
NPUKIT_DEFINE_OPERATOR(ComplexAbs) = PartOperator<Magnitude>({.formula = "|x|",
                                                              .source = "TFLite COMPLEX_ABS"});

}  // namespace npukit::kernels
