// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_CPU_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_CPU_OPTIONS_H_

// Options of the CPU's kernels.

#include <cstdint>
#include <memory>

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_cpu_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

// Getters fail with Status::kErrorNotFound for what was never set.
class CpuOptions {
 public:
  static Expected<CpuOptions> Create() {
    LrtCpuOptions* options = nullptr;
    LITERT_RETURN_IF_ERROR(LrtCreateCpuOptions(&options));
    return CpuOptions(options);
  }

  Expected<void> SetNumThreads(int value) {
    LITERT_RETURN_IF_ERROR(LrtSetCpuOptionsNumThread(Get(), value));
    return {};
  }
  Expected<int> GetNumThreads() const {
    int value{};
    LITERT_RETURN_IF_ERROR(LrtGetCpuOptionsNumThread(Get(), &value));
    return value;
  }
  Expected<void> SetKernelMode(LiteRtCpuKernelMode value) {
    LITERT_RETURN_IF_ERROR(LrtSetCpuOptionsKernelMode(Get(), value));
    return {};
  }
  Expected<LiteRtCpuKernelMode> GetKernelMode() const {
    LiteRtCpuKernelMode value{};
    LITERT_RETURN_IF_ERROR(LrtGetCpuOptionsKernelMode(Get(), &value));
    return value;
  }
  Expected<void> SetXNNPackFlags(uint32_t value) {
    LITERT_RETURN_IF_ERROR(LrtSetCpuOptionsXNNPackFlags(Get(), value));
    return {};
  }
  Expected<uint32_t> GetXNNPackFlags() const {
    uint32_t value{};
    LITERT_RETURN_IF_ERROR(LrtGetCpuOptionsXNNPackFlags(Get(), &value));
    return value;
  }
  Expected<void> SetXNNPackWeightCachePath(const char* value) {
    LITERT_RETURN_IF_ERROR(LrtSetCpuOptionsXnnPackWeightCachePath(Get(), value));
    return {};
  }
  // Points into this object.
  Expected<internal::StringView> GetXNNPackWeightCachePath() const {
    const char* value = nullptr;
    LITERT_RETURN_IF_ERROR(LrtGetCpuOptionsXnnPackWeightCachePath(Get(), &value));
    return internal::StringView(value);
  }
  Expected<void> SetXNNPackWeightCacheFileDescriptor(int value) {
    LITERT_RETURN_IF_ERROR(LrtSetCpuOptionsXnnPackWeightCacheFileDescriptor(Get(), value));
    return {};
  }
  Expected<int> GetXNNPackWeightCacheFileDescriptor() const {
    int value{};
    LITERT_RETURN_IF_ERROR(LrtGetCpuOptionsXnnPackWeightCacheFileDescriptor(Get(), &value));
    return value;
  }

  LrtCpuOptions* Get() { return options_.get(); }
  const LrtCpuOptions* Get() const { return options_.get(); }

 private:
  struct Deleter {
    void operator()(LrtCpuOptions* options) const { LrtDestroyCpuOptions(options); }
  };
  explicit CpuOptions(LrtCpuOptions* options) : options_(options) {}

  std::unique_ptr<LrtCpuOptions, Deleter> options_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_CPU_OPTIONS_H_
