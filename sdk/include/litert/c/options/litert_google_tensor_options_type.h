// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_TYPE_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_TYPE_H_

// Values of litert_google_tensor_options.h.

typedef enum LrtGoogleTensorOptionsTruncationType {
  kLiteRtGoogleTensorFloatTruncationTypeAuto = 0,
  kLiteRtGoogleTensorFloatTruncationTypeNoTruncation = 1,
  kLiteRtGoogleTensorFloatTruncationTypeBfloat16 = 2,
  kLiteRtGoogleTensorFloatTruncationTypeHalf = 3,
} LrtGoogleTensorOptionsTruncationType;

typedef enum LrtGoogleTensorOptionsShardingIntensity {
  kLiteRtGoogleTensorShardingIntensityUnspecified = -1,
  kLiteRtGoogleTensorShardingIntensityMinimal = 0,
  kLiteRtGoogleTensorShardingIntensityModerate = 1,
  kLiteRtGoogleTensorShardingIntensityExtensive = 2,
  kLiteRtGoogleTensorShardingIntensityMaximum = 3,
} LrtGoogleTensorOptionsShardingIntensity;

typedef enum LiteRtGoogleTensorOptionsPerformanceMode {
  kLiteRtGoogleTensorOptionsPerformanceModeExtremePowerSaver = 0,
  kLiteRtGoogleTensorOptionsPerformanceModePowerSaver = 1,
  kLiteRtGoogleTensorOptionsPerformanceModeBalanced = 2,
  kLiteRtGoogleTensorOptionsPerformanceModeHighPerformance = 3,
  kLiteRtGoogleTensorOptionsPerformanceModeSustainedPerformance = 4,
  kLiteRtGoogleTensorOptionsPerformanceModeBurst = 5,
} LiteRtGoogleTensorOptionsPerformanceMode;

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_GOOGLE_TENSOR_OPTIONS_TYPE_H_
