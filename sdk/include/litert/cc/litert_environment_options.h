// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_ENVIRONMENT_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_LITERT_ENVIRONMENT_OPTIONS_H_

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "litert/c/litert_environment_options.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_any.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"

namespace litert {

// What an environment is made with: values under tags.
class EnvironmentOptions {
 public:
  enum class Tag : int {
    kCompilerPluginLibraryDir = kLiteRtEnvOptionTagCompilerPluginLibraryDir,
    kDispatchLibraryDir = kLiteRtEnvOptionTagDispatchLibraryDir,
    kOpenClDeviceId = kLiteRtEnvOptionTagOpenClDeviceId,
    kOpenClPlatformId = kLiteRtEnvOptionTagOpenClPlatformId,
    kOpenClContext = kLiteRtEnvOptionTagOpenClContext,
    kOpenClCommandQueue = kLiteRtEnvOptionTagOpenClCommandQueue,
    kEglDisplay = kLiteRtEnvOptionTagEglDisplay,
    kEglContext = kLiteRtEnvOptionTagEglContext,
    kWebGpuDevice = kLiteRtEnvOptionTagWebGpuDevice,
    kWebGpuQueue = kLiteRtEnvOptionTagWebGpuQueue,
    kMetalDevice = kLiteRtEnvOptionTagMetalDevice,
    kMetalCommandQueue = kLiteRtEnvOptionTagMetalCommandQueue,
    kVulkanEnvironment = kLiteRtEnvOptionTagVulkanEnvironment,
    kCallbackOnGpuEnvDestroy = kLiteRtEnvOptionTagCallbackOnGpuEnvDestroy,
    kCallbackUserDataOnGpuEnvDestroy = kLiteRtEnvOptionTagCallbackUserDataOnGpuEnvDestroy,
    kMagicNumberConfigs = kLiteRtEnvOptionTagMagicNumberConfigs,
    kMagicNumberVerifications = kLiteRtEnvOptionTagMagicNumberVerifications,
    kCompilerCacheDir = kLiteRtEnvOptionTagCompilerCacheDir,
    kWebGpuInstance = kLiteRtEnvOptionTagWebGpuInstance,
    kWebGpuProcs = kLiteRtEnvOptionTagWebGpuProcs,
    kRuntimeLibraryDir = kLiteRtEnvOptionTagRuntimeLibraryDir,
    kSystemRuntimeHandle = kLiteRtEnvOptionTagSystemRuntimeHandle,
    kAutoRegisterAccelerators = kLiteRtEnvOptionTagAutoRegisterAccelerators,
    kMinLoggerSeverity = kLiteRtEnvOptionTagMinLoggerSeverity,
  };

  // A tag and its value. Text is copied; `value` points to the copy.
  struct Option {
    Tag tag;
    LiteRtVariant value;
    std::string str_value;

    Option(Tag tag, LiteRtVariant new_value) : tag(tag), value(new_value) {
      if (const auto* view = std::get_if<internal::StringView>(&new_value)) {
        str_value = std::string(*view);
        value = str_value.c_str();
      } else if (const auto* text = std::get_if<const char*>(&new_value)) {
        str_value = *text != nullptr ? *text : "";
        value = str_value.c_str();
      }
    }
    Option(const Option& other) : Option(other.tag, other.value) {}
    Option& operator=(const Option& other) {
      if (this != &other) {
        tag = other.tag;
        value = other.value;
        str_value = other.str_value;
        if (std::holds_alternative<const char*>(value)) {
          value = str_value.c_str();
        }
      }
      return *this;
    }
  };

  explicit EnvironmentOptions(internal::Span<const Option> options)
      : options_(options.begin(), options.end()) {}

  internal::Span<const Option> GetOptions() const { return options_; }

  // kErrorNotFound if the tag has no value.
  Expected<LiteRtVariant> GetOption(Tag tag) const {
    for (const Option& option : options_) {
      if (option.tag == tag) return option.value;
    }
    return Error(Status::kErrorNotFound, "the environment has no such option");
  }

 private:
  std::vector<Option> options_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_ENVIRONMENT_OPTIONS_H_
