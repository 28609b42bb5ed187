// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_KERNELS_TESTING_CUSTOM_NODE_H_
#define NPUKIT_SDK_HOST_KERNELS_TESTING_CUSTOM_NODE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/kernels/testing/node_builder.h"

namespace npukit::kernels::testing {

// A node of the custom op with these options.
class CustomNode : public NodeBuilder {
 public:
  CustomNode(const std::string& code, std::vector<uint8_t> options)
      : NodeBuilder(kLiteRtOpCodeTflCustom) {
    auto& op = const_cast<Op&>(*node().op);
    op.custom_code = code;
    op.custom_options = std::move(options);
  }
};

}  // namespace npukit::kernels::testing

#endif  // NPUKIT_SDK_HOST_KERNELS_TESTING_CUSTOM_NODE_H_
