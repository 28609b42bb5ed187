// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/environment/environment.h"

#include <memory>
#include <span>

#include "litert/c/litert_environment.h"

namespace {

// The options as a span; false if the arguments contradict each other.
bool AsSpan(int count, const LiteRtEnvOption* options, std::span<const LiteRtEnvOption>* span) {
  if (count < 0 || (count > 0 && options == nullptr)) return false;
  *span = {options, static_cast<size_t>(count)};
  for (const LiteRtEnvOption& option : *span) {
    if (option.value.type == kLiteRtAnyTypeString && option.value.str_value == nullptr) {
      return false;
    }
  }
  return true;
}

// There is no GPU to interoperate with.
LiteRtStatus AnswerNo(LiteRtEnvironment environment, bool* answer) {
  if (!environment || !answer) return kLiteRtStatusErrorInvalidArgument;
  *answer = false;
  return kLiteRtStatusOk;
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtCreateEnvironment(int num_options, const LiteRtEnvOption* options,
                                     LiteRtEnvironment* environment) {
  std::span<const LiteRtEnvOption> span;
  if (!environment || !AsSpan(num_options, options, &span)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  auto created = std::make_unique<LiteRtEnvironmentT>();
  for (const LiteRtEnvOption& option : span) created->options().Set(option);
  *environment = created.release();
  return kLiteRtStatusOk;
}

void LiteRtDestroyEnvironment(LiteRtEnvironment environment) { delete environment; }

LiteRtStatus LiteRtGetEnvironmentOptions(LiteRtEnvironment environment,
                                         LiteRtEnvironmentOptions* options) {
  if (!environment || !options) return kLiteRtStatusErrorInvalidArgument;
  *options = &environment->options();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtAddEnvironmentOptions(LiteRtEnvironment environment, int num_options,
                                         const LiteRtEnvOption* options, bool overwrite) {
  std::span<const LiteRtEnvOption> span;
  if (!environment || !AsSpan(num_options, options, &span)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  LiteRtEnvironmentOptionsT& existing = environment->options();
  if (!overwrite) {
    for (const LiteRtEnvOption& option : span) {
      if (existing.Has(option.tag)) return kLiteRtStatusErrorAlreadyExists;
    }
  }
  for (const LiteRtEnvOption& option : span) existing.Set(option);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtEnvironmentSupportsClGlInterop(LiteRtEnvironment environment,
                                                  bool* is_supported) {
  return AnswerNo(environment, is_supported);
}

LiteRtStatus LiteRtEnvironmentSupportsAhwbClInterop(LiteRtEnvironment environment,
                                                    bool* is_supported) {
  return AnswerNo(environment, is_supported);
}

LiteRtStatus LiteRtEnvironmentSupportsAhwbGlInterop(LiteRtEnvironment environment,
                                                    bool* is_supported) {
  return AnswerNo(environment, is_supported);
}

LiteRtStatus LiteRtEnvironmentSupportsFP16(LiteRtEnvironment environment, bool* is_supported) {
  return AnswerNo(environment, is_supported);
}

void LiteRtEnvironmentHasGpuEnvironment(LiteRtEnvironment, bool* has_gpu_environment) {
  if (has_gpu_environment) *has_gpu_environment = false;
}

LiteRtStatus LiteRtGetEnvironmentOptionsValue(LiteRtEnvironmentOptions options,
                                              LiteRtEnvOptionTag tag, LiteRtAny* value) {
  if (!options || !value) return kLiteRtStatusErrorInvalidArgument;
  const LiteRtAny* found = options->Find(tag);
  if (!found) return kLiteRtStatusErrorNotFound;
  *value = *found;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtSetEnvironmentOptionsValue(LiteRtEnvironmentOptions options,
                                              LiteRtEnvOption env_option) {
  if (!options || !options->Set(env_option)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return kLiteRtStatusOk;
}

}  // extern "C"
