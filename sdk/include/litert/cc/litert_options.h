// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_LITERT_OPTIONS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_options.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_opaque_options.h"
#include "litert/cc/options/litert_compiler_options.h"
#include "litert/cc/options/litert_cpu_options.h"
#include "litert/cc/options/litert_runtime_options.h"

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

  // Made at the first call; they take part when a model is compiled with this object.
  Expected<CpuOptions&> GetCpuOptions() { return Made(cpu_); }
  Expected<RuntimeOptions&> GetRuntimeOptions() { return Made(runtime_); }
  Expected<CompilerOptions&> GetCompilerOptions() { return Made(compiler_); }

  // Adds those to the opaque options, once. CompiledModel::Create calls it.
  Expected<void> Build() {
    LITERT_RETURN_IF_ERROR(Add(cpu_, LrtGetOpaqueCpuOptionsData));
    LITERT_RETURN_IF_ERROR(Add(runtime_, LrtGetOpaqueRuntimeOptionsData));
    LITERT_RETURN_IF_ERROR(Add(compiler_, LrtGetOpaqueCompilerOptionsData));
    return {};
  }

 private:
  template <typename Kind>
  static Expected<Kind&> Made(std::optional<Kind>& kind) {
    if (!kind) {
      LITERT_ASSIGN_OR_RETURN(auto made, Kind::Create());
      kind.emplace(std::move(made));
    }
    return *kind;
  }
  template <typename Kind, typename GetData>
  Expected<void> Add(std::optional<Kind>& kind, GetData get_data) {
    if (!kind) return {};
    const char* identifier = nullptr;
    void* payload = nullptr;
    void (*deleter)(void*) = nullptr;
    LITERT_RETURN_IF_ERROR(get_data(kind->Get(), &identifier, &payload, &deleter));
    LITERT_ASSIGN_OR_RETURN(auto opaque, OpaqueOptions::Create(identifier, payload, deleter));
    kind.reset();
    return AddOpaqueOptions(std::move(opaque));
  }

  std::optional<CpuOptions> cpu_;
  std::optional<RuntimeOptions> runtime_;
  std::optional<CompilerOptions> compiler_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_OPTIONS_H_
