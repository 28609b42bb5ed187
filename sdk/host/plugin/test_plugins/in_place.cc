// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The first output of a partition may be its first input; for far_in_place input 1000. For
// twice_in_place so may every other output.

#include "npukit/extensions/in_place.h"

#include "sdk/host/plugin/test_plugins/test_plugin.h"

LiteRtStatus NpukitGetInPlaceInput(LiteRtCompiledResult, LiteRtParamIndex, LiteRtParamIndex output,
                                   int32_t* input) {
  *input = output == 0 || Is("twice_in_place") ? 0 : NPUKIT_NOT_IN_PLACE;
  if (Is("far_in_place")) *input = 1000;
  return kLiteRtStatusOk;
}
