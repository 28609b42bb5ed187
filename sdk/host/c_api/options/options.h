// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_C_API_OPTIONS_OPTIONS_H_
#define NPUKIT_SDK_HOST_C_API_OPTIONS_OPTIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_custom_op_kernel.h"
#include "litert/c/litert_opaque_options.h"

// How a model is to be compiled. Owns the vendor options.
struct LiteRtOptionsT {
  struct CustomOp {
    std::string name;
    int version = 0;
    LiteRtCustomOpKernel kernel = {};
    void* user_data = nullptr;  // the caller's
  };
  struct ExternalTensor {
    std::string signature;
    std::string tensor;
    void* data = nullptr;  // the caller's
    int size_bytes = 0;
  };

  LiteRtOptionsT() = default;
  LiteRtOptionsT(const LiteRtOptionsT&) = delete;
  LiteRtOptionsT& operator=(const LiteRtOptionsT&) = delete;
  ~LiteRtOptionsT() { LiteRtDestroyOpaqueOptions(opaque_options); }
  // With the same payloads, which live as long as one of the two.
  std::unique_ptr<LiteRtOptionsT> Share() const;

  LiteRtHwAcceleratorSet hardware_accelerators = kLiteRtHwAcceleratorNone;
  LiteRtOpaqueOptions opaque_options = nullptr;
  std::vector<CustomOp> custom_ops;
  std::vector<ExternalTensor> external_tensors;
};

#endif  // NPUKIT_SDK_HOST_C_API_OPTIONS_OPTIONS_H_
