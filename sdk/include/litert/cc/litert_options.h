// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_LITERT_OPTIONS_H_

#include <cstddef>
#include <string>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_options.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_opaque_options.h"

namespace litert {

// How a model is to be compiled and run.
class Options : public internal::BaseHandle<LiteRtOptions> {
 public:
  Options() = default;
  explicit Options(LiteRtOptions options, OwnHandle own)
      : internal::BaseHandle<LiteRtOptions>(options, LiteRtDestroyOptions, own) {}

  static Expected<Options> Create() {
    LiteRtOptions options = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCreateOptions(&options));
    return Options(options, OwnHandle::kYes);
  }

  Expected<void> SetHardwareAccelerators(HwAccelerators accelerators) {
    return SetHardwareAccelerators(HwAcceleratorSet(accelerators));
  }
  Expected<void> SetHardwareAccelerators(HwAcceleratorSet accelerators) {
    LITERT_RETURN_IF_ERROR(LiteRtSetOptionsHardwareAccelerators(Get(), accelerators.value));
    return {};
  }
  Expected<LiteRtHwAcceleratorSet> GetHardwareAccelerators() {
    LiteRtHwAcceleratorSet accelerators = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetOptionsHardwareAccelerators(Get(), &accelerators));
    return accelerators;
  }

  Expected<void> AddOpaqueOptions(OpaqueOptions&& options) {
    LITERT_RETURN_IF_ERROR(LiteRtAddOpaqueOptions(Get(), options.Release()));
    return {};
  }
  // Stays owned by this object.
  Expected<OpaqueOptions> GetOpaqueOptions() {
    LiteRtOpaqueOptions options = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetOpaqueOptions(Get(), &options));
    return OpaqueOptions::WrapCObject(options, OwnHandle::kNo);
  }

  // `custom_op_kernel` and `user_data` must outlive what is compiled.
  Expected<void> AddCustomOpKernel(const std::string& custom_op_name, int custom_op_version,
                                   const LiteRtCustomOpKernel& custom_op_kernel,
                                   void* user_data = nullptr) {
    LITERT_RETURN_IF_ERROR(LiteRtAddCustomOpKernelOption(
        Get(), custom_op_name.c_str(), custom_op_version, &custom_op_kernel, user_data));
    return {};
  }

  // Gives a tensor its constant data. `data` must outlive what is compiled.
  Expected<void> AddExternalTensorBinding(const std::string& signature_name,
                                          const std::string& tensor_name, void* data,
                                          size_t size_bytes) {
    LITERT_RETURN_IF_ERROR(LiteRtAddExternalTensorBinding(
        Get(), signature_name.c_str(), tensor_name.c_str(), data, static_cast<int>(size_bytes)));
    return {};
  }
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_OPTIONS_H_
