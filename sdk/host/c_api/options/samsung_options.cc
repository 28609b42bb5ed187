// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/options/litert_samsung_options.h"

#include <memory>
#include <string_view>

#include "litert/c/litert_opaque_options.h"

// Nothing is known of what LiteRT v2.1.4 was to keep here.
class LiteRtSamsungOptionsT {};

extern "C" {

const char* LiteRtSamsungOptionsGetIdentifier(void) { return "samsung"; }

LiteRtStatus LiteRtSamsungOptionsCreate(LiteRtOpaqueOptions* options) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  auto made = std::make_unique<LiteRtSamsungOptionsT>();
  const LiteRtStatus status = LiteRtCreateOpaqueOptions(
      LiteRtSamsungOptionsGetIdentifier(), made.get(),
      [](void* payload) { delete static_cast<LiteRtSamsungOptionsT*>(payload); }, options);
  if (status == kLiteRtStatusOk) (void)made.release();
  return status;
}

LiteRtStatus LiteRtSamsungOptionsGet(LiteRtOpaqueOptions options,
                                     LiteRtSamsungOptions* options_data) {
  const char* identifier = nullptr;
  void* payload = nullptr;
  if (!options || !options_data ||
      LiteRtGetOpaqueOptionsIdentifier(options, &identifier) != kLiteRtStatusOk || !identifier ||
      std::string_view(identifier) != LiteRtSamsungOptionsGetIdentifier() ||
      LiteRtGetOpaqueOptionsData(options, &payload) != kLiteRtStatusOk) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *options_data = static_cast<LiteRtSamsungOptionsT*>(payload);
  return kLiteRtStatusOk;
}

}  // extern "C"
