// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One op as a plain value that tests copy and spoil, and what the kernels make of it. Whatever it
// says, nothing may crash, and an error names the op.

#ifndef NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_SPEC_H_
#define NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_SPEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/node.h"

namespace npukit::kernels::testing {

struct TensorSpec {
  LiteRtElementType type = kLiteRtElementTypeFloat32;
  Shape shape;  // of outputs: not used, it is inferred
  Quantization quantization;
  std::vector<uint8_t> constant;  // empty: a value that is known when the op runs
  bool is_variable = false;
  bool is_omitted = false;
};

struct NodeSpec {
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  OpOptions options;
  std::vector<TensorSpec> inputs;   // named in0, in1, ...
  std::vector<TensorSpec> outputs;  // named out0, ...

  // An op of a model, with the shapes that stand there.
  static NodeSpec Of(const Op& op);
};

// "ADD (op 7)": how errors name the op of a spec.
std::string NameOf(const NodeSpec& spec);

// Infers, prepares, runs on random bytes (any floats, infinities and NaN among them; indices are
// whatever the bytes say) and asks the oracle. What has more than `max_elems` elements is not run.
// The error of the first stage that gives one.
litert::Expected<void> TryNode(const NodeSpec& spec, uint32_t seed = 1,
                               int64_t max_elems = int64_t{1} << 16);

}  // namespace npukit::kernels::testing

#endif  // NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_SPEC_H_
