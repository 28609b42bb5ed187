// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_SAMSUNG_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_SAMSUNG_OPTIONS_H_

// Options of Samsung's plugin.

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_samsung_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_opaque_options.h"
#include "litert/cc/options/litert_owned_options.h"

namespace litert::samsung {

#if defined(NPUKIT_ABI_2_2)
class SamsungOptions
    : public internal::OwnedOptions<LrtSamsungOptions, LrtCreateSamsungOptions,
                                    LrtDestroySamsungOptions, LrtGetOpaqueSamsungOptionsData> {
 public:
  SamsungOptions() = delete;
  // Owns them.
  explicit SamsungOptions(LrtSamsungOptions options) : OwnedOptions(options) {}

  static Expected<SamsungOptions> Create() {
    LITERT_ASSIGN_OR_RETURN(LrtSamsungOptions options, CreateHandle());
    return SamsungOptions(options);
  }
  static const char* Discriminator() { return LrtSamsungOptionsGetIdentifier(); }

  Expected<void> SetEnableLargeModelSupport(bool enable) {
    LITERT_RETURN_IF_ERROR(LrtSamsungOptionsSetEnableLargeModelSupport(Get(), enable));
    return {};
  }
  Expected<bool> GetEnableLargeModelSupport() const {
    bool enable = false;
    LITERT_RETURN_IF_ERROR(LrtSamsungOptionsGetEnableLargeModelSupport(Get(), &enable));
    return enable;
  }
  Expected<void> SetSocModel(const char* soc_model) {
    LITERT_RETURN_IF_ERROR(LrtSamsungOptionsSetSocModel(Get(), soc_model));
    return {};
  }
  // Lives until it is set again.
  Expected<const char*> GetSocModel() const {
    const char* soc_model = nullptr;
    LITERT_RETURN_IF_ERROR(LrtSamsungOptionsGetSocModel(Get(), &soc_model));
    return soc_model;
  }
};
#else
// As of LiteRT v2.1.4; npukit::sdk_abi2_2 has the options that Samsung's plugin got since.
class SamsungOptions : public OpaqueOptions {
 public:
  using OpaqueOptions::OpaqueOptions;
  SamsungOptions() = delete;

  static const char* Discriminator() { return LiteRtSamsungOptionsGetIdentifier(); }
  static Expected<SamsungOptions> Create() {
    LiteRtOpaqueOptions options = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtSamsungOptionsCreate(&options));
    return SamsungOptions(options, OwnHandle::kYes);
  }
  // Does not own them. An error if they are another's.
  static Expected<SamsungOptions> Create(OpaqueOptions& options) {
    LITERT_ASSIGN_OR_RETURN(const auto identifier, options.GetIdentifier());
    if (identifier != Discriminator()) {
      return Error(Status::kErrorInvalidArgument, "not Samsung's options");
    }
    return SamsungOptions(options.Get(), OwnHandle::kNo);
  }

 private:
  SamsungOptions(LiteRtOpaqueOptions options, OwnHandle own) : OpaqueOptions(options, own) {}
};
#endif

}  // namespace litert::samsung

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_SAMSUNG_OPTIONS_H_
