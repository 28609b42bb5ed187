// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is behind LiteRtEnvironment and LiteRtEnvironmentOptions.

#ifndef NPUKIT_SDK_HOST_C_API_ENVIRONMENT_ENVIRONMENT_H_
#define NPUKIT_SDK_HOST_C_API_ENVIRONMENT_ENVIRONMENT_H_

#include <map>
#include <string>

#include "litert/c/litert_environment_options.h"
#include "sdk/host/c_api/environment/accelerator.h"
#include "sdk/host/c_api/environment/custom_memory_handlers.h"

// A value for each tag that was set; strings are its own. Setting needs the
// caller's locking.
class LiteRtEnvironmentOptionsT {
 public:
  bool Has(LiteRtEnvOptionTag tag) const { return options_.contains(tag); }

  // Null if the tag was never set. A string in it lives until the tag is set
  // again.
  const LiteRtAny* Find(LiteRtEnvOptionTag tag) const {
    const auto found = options_.find(tag);
    return found == options_.end() ? nullptr : &found->second.value;
  }

  // Adds or replaces. False, changing nothing, for a string that is null.
  bool Set(const LiteRtEnvOption& option) {
    const bool is_string = option.value.type == kLiteRtAnyTypeString;
    if (is_string && option.value.str_value == nullptr) return false;
    std::string text = is_string ? option.value.str_value : "";
    Option& slot = options_[option.tag];
    slot.text = std::move(text);
    slot.value = option.value;
    if (is_string) slot.value.str_value = slot.text.c_str();
    return true;
  }

 private:
  struct Option {
    std::string text;  // behind value.str_value
    LiteRtAny value = {};
  };
  std::map<LiteRtEnvOptionTag, Option> options_;  // elements stay where they are
};

class LiteRtEnvironmentT {
 public:
  LiteRtEnvironmentOptionsT& options() { return options_; }
  npukit::CustomMemoryRegistry& custom_memory() { return custom_memory_; }
  LiteRtAcceleratorT& npu() { return npu_; }
  LiteRtAcceleratorT& cpu() { return cpu_; }

 private:
  LiteRtEnvironmentOptionsT options_;
  npukit::CustomMemoryRegistry custom_memory_;
  LiteRtAcceleratorT npu_{this, "NpuAccelerator", kLiteRtHwAcceleratorNpu};
  LiteRtAcceleratorT cpu_{this, "CpuAccelerator", kLiteRtHwAcceleratorCpu};
};

#endif  // NPUKIT_SDK_HOST_C_API_ENVIRONMENT_ENVIRONMENT_H_
