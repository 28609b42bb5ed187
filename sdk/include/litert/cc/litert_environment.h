// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_ENVIRONMENT_H_
#define ODML_LITERT_LITERT_CC_LITERT_ENVIRONMENT_H_

#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_environment_options.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_any.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_environment_options.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

namespace internal {

class RuntimeProxy;

// An environment's handle. LiteRT's own wrappers reach the C API through
// `runtime`; these call it directly, and leave it null.
struct EnvironmentHolder {
  RuntimeProxy* runtime = nullptr;
  LiteRtEnvironment handle = nullptr;

  bool operator==(const EnvironmentHolder& other) const noexcept { return handle == other.handle; }
  bool operator!=(const EnvironmentHolder& other) const noexcept { return handle != other.handle; }
};

}  // namespace internal

// What compiled models and tensor buffers share. Must outlive both.
class Environment : public internal::BaseHandle<LiteRtEnvironment> {
 public:
  static Expected<Environment> Create(internal::Span<const EnvironmentOptions::Option> options) {
    std::vector<LiteRtEnvOption> c_options;
    for (const auto& option : options) {
      LITERT_ASSIGN_OR_RETURN(const LiteRtAny value, ToLiteRtAny(option.value));
      c_options.push_back(LiteRtEnvOption{static_cast<LiteRtEnvOptionTag>(option.tag), value});
    }
    LiteRtEnvironment environment = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCreateEnvironment(static_cast<int>(c_options.size()),
                                                   c_options.data(), &environment));
    return Environment(environment, OwnHandle::kYes);
  }
  static Expected<Environment> Create(const EnvironmentOptions& options) {
    return Create(options.GetOptions());
  }

  static Environment WrapCObject(LiteRtEnvironment environment, OwnHandle own) {
    return Environment(environment, own);
  }
  static Environment WrapCObject(const internal::EnvironmentHolder& holder, OwnHandle own) {
    return Environment(holder.handle, own);
  }

  // What the devices of this process share with each other; npukit's host has none of them.
  bool SupportsClGlInterop() const { return Ask(LiteRtEnvironmentSupportsClGlInterop); }
  bool SupportsAhwbClInterop() const { return Ask(LiteRtEnvironmentSupportsAhwbClInterop); }
  bool SupportsAhwbGlInterop() const { return Ask(LiteRtEnvironmentSupportsAhwbGlInterop); }

  internal::EnvironmentHolder GetHolder() const noexcept { return {nullptr, Get()}; }

  // Every option that has a value.
  Expected<EnvironmentOptions> GetOptions() const {
    LiteRtEnvironmentOptions c_options = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetEnvironmentOptions(Get(), &c_options));
    std::vector<EnvironmentOptions::Option> options;
    for (int tag = 0; tag <= kLiteRtEnvOptionTagMinLoggerSeverity; ++tag) {
      LiteRtAny value{};
      if (LiteRtGetEnvironmentOptionsValue(c_options, static_cast<LiteRtEnvOptionTag>(tag),
                                           &value) == kLiteRtStatusOk) {
        options.emplace_back(static_cast<EnvironmentOptions::Tag>(tag), ToStdAny(value));
      }
    }
    return EnvironmentOptions(options);
  }

 private:
  bool Ask(LiteRtStatus (*question)(LiteRtEnvironment, bool*)) const {
    bool answer = false;
    return question(Get(), &answer) == kLiteRtStatusOk && answer;
  }

  Environment(LiteRtEnvironment environment, OwnHandle own)
      : internal::BaseHandle<LiteRtEnvironment>(environment, LiteRtDestroyEnvironment, own) {}
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_ENVIRONMENT_H_
