// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fast kernels for convolutions whose weights and bias are constant. Each maker gives null where
// its loops cannot compute the node's exact result; plain loops (convolution_kernel.cc) then take
// over.

#ifndef NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_FAST_CONVOLUTION_H_
#define NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_FAST_CONVOLUTION_H_

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// Constant weights as int8, read where they lie (int4: unpacked): uint8 weights count as their
// value less 128. Empty if they are not constant or int16.
struct NarrowWeights {
  std::span<const uint8_t> bytes;
  std::vector<int8_t> unpacked;  // what `bytes` lie in, for int4
  uint8_t flipped_bits = 0;
  int32_t zero_point = 0;  // of the int8 values

  bool empty() const { return bytes.empty(); }
  int8_t operator[](int64_t index) const {
    return static_cast<int8_t>(bytes[static_cast<size_t>(index)] ^ flipped_bits);
  }
};
NarrowWeights NarrowWeightsOf(const Node& node, int32_t weight_zero_point);

// Whether weights and bias are known; the bias widened, empty where there is none.
bool HasConstants(const Node& node);
std::vector<int64_t> ConstantBias(const Node& node);

// Every output channel reads one input channel, and few read the same one: better one channel a
// lane than one panel a group.
inline bool IsDepthwise(const ConvGeometry& geometry) {
  return !geometry.transposed && geometry.channels_per_filter == 1 && geometry.in_channels > 1 &&
         geometry.filters_per_group <= 8;
}

// Makes the kernel of a plain convolution, or null. MakeInPhases makes one of a transposed convolution by
// it (PhasesOf), and hands others on to it.
using PlainConvMaker = std::function<std::unique_ptr<Kernel>(const Convolution& convolution,
                                                             const PrepareOptions& options)>;
std::unique_ptr<Kernel> MakeInPhases(const Convolution& convolution, const PrepareOptions& options,
                                     const PlainConvMaker& make);

// Activations that were rounded to 8 bits when the op runs, with a scale and a zero point per batch:
// the inputs, in this order, of the kernels made of RoundedWeights.
struct RoundedInputs {
  const int8_t* stored;
  const float* scales;
  const int32_t* zero_points;

  static RoundedInputs Of(const RunContext& context) {
    return {.stored = DataOf<int8_t>(context.inputs[0]),
            .scales = DataOf<float>(context.inputs[1]),
            .zero_points = DataOf<int32_t>(context.inputs[2])};
  }
};

// Weights of 8 bits or less beside float activations. Scales per output channel; bias too, or empty.
struct RoundedWeights {
  NarrowWeights stored;
  std::vector<float> scales;
  std::vector<float> bias;
};

// Float activations rounded to 8 bits, the products integers. Null as above, and where weights or bias
// are not constant or the weights have scales of blocks.
litert::Expected<std::unique_ptr<Kernel>> MakeHybridConv(const Node& node,
                                                         const Convolution& convolution,
                                                         const PrepareOptions& options);

std::unique_ptr<Kernel> MakeFastRoundedConv(const Node& node, const Convolution& convolution,
                                            const RoundedWeights& weights,
                                            const PrepareOptions& options);
std::unique_ptr<Kernel> MakeFastRoundedDepthwise(const Convolution& convolution,
                                                 const RoundedWeights& weights,
                                                 const PrepareOptions& options);
std::unique_ptr<Kernel> MakeFastIntegerConv(const Node& node, const Convolution& convolution,
                                            const ConvQuantization& quantization,
                                            const PrepareOptions& options);
std::unique_ptr<Kernel> MakeFastIntegerDepthwise(const Node& node, const Convolution& convolution,
                                                 const ConvQuantization& quantization,
                                                 const PrepareOptions& options);
// `weights` are real values in the node's layout.
std::unique_ptr<Kernel> MakeFastFloatConv(const Node& node, const Convolution& convolution,
                                          FloatRange range, const float* weights,
                                          const PrepareOptions& options);
std::unique_ptr<Kernel> MakeFastFloatDepthwise(const Node& node, const Convolution& convolution,
                                               FloatRange range, const float* weights,
                                               const PrepareOptions& options);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_FAST_CONVOLUTION_H_
