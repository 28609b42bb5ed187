// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// On whose behalf, and how urgently, the NPU runs something.

#ifndef THIRD_PARTY_ODML_LITERT_LITERT_C_INTERNAL_LITERT_SCHEDULING_INFO_H_
#define THIRD_PARTY_ODML_LITERT_LITERT_C_INTERNAL_LITERT_SCHEDULING_INFO_H_

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bits of LiteRtSchedulingInfo::fields_mask: which fields hold something.
typedef enum LiteRtSchedulingInfoField {
  kLiteRtSchedulingInfoFieldOriginalUid = 1u << 0,
  kLiteRtSchedulingInfoFieldDebugFeatureId = 1u << 1,
  kLiteRtSchedulingInfoFieldJobPriority = 1u << 2,
  kLiteRtSchedulingInfoFieldGroupId = 1u << 3,
} LiteRtSchedulingInfoField;

enum {
  kLiteRtSchedulingInfoGroupIdSize = 16,
};

// The ends of the range of priorities: the smaller, the more urgent.
typedef enum LiteRtSchedulingJobPriority {
  kLiteRtSchedulingInfoJobPriorityHighest = 0,
  kLiteRtSchedulingInfoJobPriorityLowest = 1000,
} LiteRtSchedulingJobPriority;

typedef struct LiteRtSchedulingInfo {
  // LiteRtSchedulingInfoField values joined with |.
  uint32_t fields_mask;
  // The user on whose behalf the application asks.
  int32_t original_uid;
  // Names the feature that asks; ends with NUL, borrowed.
  const char* debug_feature_id;
  int32_t job_priority;
  // A UUID common to related requests, as 16 raw bytes.
  uint8_t group_id[kLiteRtSchedulingInfoGroupIdSize];
} LiteRtSchedulingInfo;

LITERT_ABI_ASSERT(sizeof(LiteRtSchedulingInfo) == 40);
LITERT_ABI_ASSERT(offsetof(LiteRtSchedulingInfo, job_priority) == 16);

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_INTERNAL_LITERT_SCHEDULING_INFO_H_
