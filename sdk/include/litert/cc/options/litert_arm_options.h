// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_ARM_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_ARM_OPTIONS_H_

// Options of Arm's plugin, which LiteRT has since v2.2.0.

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_arm_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/options/litert_owned_options.h"

namespace litert::arm {

class ArmOptions : public internal::OwnedOptions<LrtArmOptions, LrtCreateArmOptions,
                                                 LrtDestroyArmOptions, LrtGetOpaqueArmOptionsData> {
 public:
  ArmOptions() = delete;
  // Owns them.
  explicit ArmOptions(LrtArmOptions options) : OwnedOptions(options) {}

  static Expected<ArmOptions> Create() {
    LITERT_ASSIGN_OR_RETURN(LrtArmOptions options, CreateHandle());
    return ArmOptions(options);
  }
  static const char* Discriminator() { return LrtArmOptionsGetIdentifier(); }

  Expected<void> SetEnableJustInTime(bool enable) {
    LITERT_RETURN_IF_ERROR(LrtArmOptionsSetEnableJustInTime(Get(), enable));
    return {};
  }
  Expected<bool> GetEnableJustInTime() const {
    bool enable = false;
    LITERT_RETURN_IF_ERROR(LrtArmOptionsGetEnableJustInTime(Get(), &enable));
    return enable;
  }
};

}  // namespace litert::arm

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_ARM_OPTIONS_H_
