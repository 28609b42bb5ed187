// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_RUNTIME_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_RUNTIME_OPTIONS_H_

// Options of running a model.

#include <cstdint>
#include <memory>

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_runtime_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

// Getters fail with Status::kErrorNotFound for what was never set.
class RuntimeOptions {
 public:
  static Expected<RuntimeOptions> Create() {
    LrtRuntimeOptions* options = nullptr;
    LITERT_RETURN_IF_ERROR(LrtCreateRuntimeOptions(&options));
    return RuntimeOptions(options);
  }

  Expected<void> SetEnableProfiling(bool value) {
    LITERT_RETURN_IF_ERROR(LrtSetRuntimeOptionsEnableProfiling(Get(), value));
    return {};
  }
  Expected<bool> GetEnableProfiling() const {
    bool value{};
    LITERT_RETURN_IF_ERROR(LrtGetRuntimeOptionsEnableProfiling(Get(), &value));
    return value;
  }
  Expected<void> SetErrorReporterMode(LiteRtErrorReporterMode value) {
    LITERT_RETURN_IF_ERROR(LrtSetRuntimeOptionsErrorReporterMode(Get(), value));
    return {};
  }
  Expected<LiteRtErrorReporterMode> GetErrorReporterMode() const {
    LiteRtErrorReporterMode value{};
    LITERT_RETURN_IF_ERROR(LrtGetRuntimeOptionsErrorReporterMode(Get(), &value));
    return value;
  }
  Expected<void> SetCompressQuantizationZeroPoints(bool value) {
    LITERT_RETURN_IF_ERROR(LrtSetRuntimeOptionsCompressQuantizationZeroPoints(Get(), value));
    return {};
  }
  Expected<bool> GetCompressQuantizationZeroPoints() const {
    bool value{};
    LITERT_RETURN_IF_ERROR(LrtGetRuntimeOptionsCompressQuantizationZeroPoints(Get(), &value));
    return value;
  }
  Expected<void> SetDisableDelegateClustering(bool value) {
    LITERT_RETURN_IF_ERROR(LrtSetRuntimeOptionsDisableDelegateClustering(Get(), value));
    return {};
  }
  Expected<bool> GetDisableDelegateClustering() const {
    bool value{};
    LITERT_RETURN_IF_ERROR(LrtGetRuntimeOptionsDisableDelegateClustering(Get(), &value));
    return value;
  }

  LrtRuntimeOptions* Get() { return options_.get(); }
  const LrtRuntimeOptions* Get() const { return options_.get(); }

 private:
  struct Deleter {
    void operator()(LrtRuntimeOptions* options) const { LrtDestroyRuntimeOptions(options); }
  };
  explicit RuntimeOptions(LrtRuntimeOptions* options) : options_(options) {}

  std::unique_ptr<LrtRuntimeOptions, Deleter> options_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_RUNTIME_OPTIONS_H_
