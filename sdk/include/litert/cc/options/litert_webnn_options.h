// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_WEBNN_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_WEBNN_OPTIONS_H_

// Options of the WebNN accelerator; npukit has none and passes them on.

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_webnn_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/options/litert_owned_options.h"

namespace litert {

class WebNnOptions
    : public internal::OwnedOptions<LrtWebNnOptions*, LrtCreateWebNnOptions, LrtDestroyWebNnOptions,
                                    LrtGetOpaqueWebNnOptionsData> {
 public:
  static Expected<WebNnOptions> Create() {
    LITERT_ASSIGN_OR_RETURN(LrtWebNnOptions * options, CreateHandle());
    return WebNnOptions(options);
  }

  LiteRtStatus SetDevicePreference(LiteRtWebNnDeviceType value) {
    return LrtSetWebNnOptionsDevicePreference(Get(), value);
  }
  LiteRtStatus SetPowerPreference(LiteRtWebNnPowerPreference value) {
    return LrtSetWebNnOptionsPowerPreference(Get(), value);
  }
  LiteRtStatus SetPrecision(LiteRtWebNnPrecision value) {
    return LrtSetWebNnOptionsPrecision(Get(), value);
  }

 private:
  explicit WebNnOptions(LrtWebNnOptions* options) : OwnedOptions(options) {}
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_WEBNN_OPTIONS_H_
