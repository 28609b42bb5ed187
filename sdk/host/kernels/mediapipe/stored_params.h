// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of custom ops that are a C struct of TFLite's, as it lies in memory: TfLitePoolParams and
// TfLiteTransposeConvParams, both of 32-bit numbers.

#ifndef NPUKIT_SDK_HOST_KERNELS_MEDIAPIPE_STORED_PARAMS_H_
#define NPUKIT_SDK_HOST_KERNELS_MEDIAPIPE_STORED_PARAMS_H_

#include <cstdint>
#include <cstring>

#include "sdk/host/kernels/node.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

struct StoredWindow {
  Padding padding = Padding::kSame;
  int32_t stride_w = 0;
  int32_t stride_h = 0;
  int32_t filter_w = 0;  // of pooling
  int32_t filter_h = 0;
  ActivationFunctionType activation = ActivationFunctionType::kNone;  // of pooling
};

// The first `count` numbers of the struct: 3 for a transposed convolution, 6 for pooling. An error if
// the op has fewer bytes, or an unknown padding.
inline litert::Expected<StoredWindow> StoredWindowOf(const Node& node, size_t count) {
  int32_t words[6] = {};
  if (node.op->custom_options.size() < count * sizeof(int32_t))
    return InvalidNode(node, "has options that are too short");
  std::memcpy(words, node.op->custom_options.data(), count * sizeof(int32_t));
  if (words[0] != 1 && words[0] != 2) return InvalidNode(node, "has an unknown padding");
  // TfLiteFusedActivation numbers these as the schema does.
  const bool known = words[5] >= 0 && words[5] <= 3;
  if (!known)
    return UnsupportedNode(node, "has an activation other than RELU, RELU6, RELU_N1_TO_1");
  return StoredWindow{.padding = words[0] == 1 ? Padding::kSame : Padding::kValid,
                      .stride_w = words[1],
                      .stride_h = words[2],
                      .filter_w = words[3],
                      .filter_h = words[4],
                      .activation = static_cast<ActivationFunctionType>(words[5])};
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_MEDIAPIPE_STORED_PARAMS_H_
