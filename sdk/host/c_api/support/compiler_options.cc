// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/options/litert_compiler_options.h"

#include <cstring>
#include <optional>
#include <string>

struct LrtCompilerOptions {
  std::optional<LiteRtCompilerOptionsPartitionStrategy> partition_strategy;
  std::optional<bool> dummy_option;
  std::optional<size_t> max_partitions;
};

namespace {

// TOML: one "key = value" line for each option that is set.
std::string ToToml(const LrtCompilerOptions& options) {
  std::string text;
  if (options.partition_strategy) {
    text +=
        "partition_strategy = " + std::to_string(static_cast<int>(*options.partition_strategy)) +
        "\n";
  }
  if (options.dummy_option) {
    text += std::string("dummy_option = ") + (*options.dummy_option ? "true" : "false") + "\n";
  }
  if (options.max_partitions)
    text += "max_partitions = " + std::to_string(*options.max_partitions) + "\n";
  return text;
}

}  // namespace

extern "C" {

LiteRtStatus LrtCreateCompilerOptions(LrtCompilerOptions** options) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  *options = new LrtCompilerOptions();
  return kLiteRtStatusOk;
}

void LrtDestroyCompilerOptions(LrtCompilerOptions* options) { delete options; }

const char* LrtGetCompilerOptionsIdentifier() { return "compiler_options_string"; }

LiteRtStatus LrtGetOpaqueCompilerOptionsData(const LrtCompilerOptions* options,
                                             const char** identifier, void** payload,
                                             void (**payload_deleter)(void*)) {
  if (!options || !identifier || !payload || !payload_deleter) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const std::string text = ToToml(*options);
  char* copy = new char[text.size() + 1];
  std::memcpy(copy, text.c_str(), text.size() + 1);
  *identifier = LrtGetCompilerOptionsIdentifier();
  *payload = copy;
  *payload_deleter = [](void* data) { delete[] static_cast<char*>(data); };
  return kLiteRtStatusOk;
}

LiteRtStatus LrtSetCompilerOptionsPartitionStrategy(
    LrtCompilerOptions* options, LiteRtCompilerOptionsPartitionStrategy partition_strategy) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  options->partition_strategy = partition_strategy;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtGetCompilerOptionsPartitionStrategy(
    const LrtCompilerOptions* options, LiteRtCompilerOptionsPartitionStrategy* partition_strategy) {
  if (!options || !partition_strategy) return kLiteRtStatusErrorInvalidArgument;
  if (!options->partition_strategy) return kLiteRtStatusErrorNotFound;
  *partition_strategy = *options->partition_strategy;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtSetCompilerOptionsDummyOption(LrtCompilerOptions* options, bool dummy_option) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  options->dummy_option = dummy_option;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtGetCompilerOptionsDummyOption(const LrtCompilerOptions* options,
                                              bool* dummy_option) {
  if (!options || !dummy_option) return kLiteRtStatusErrorInvalidArgument;
  if (!options->dummy_option) return kLiteRtStatusErrorNotFound;
  *dummy_option = *options->dummy_option;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtSetCompilerOptionsMaxPartitions(LrtCompilerOptions* options,
                                                size_t max_partitions) {
  if (!options) return kLiteRtStatusErrorInvalidArgument;
  options->max_partitions = max_partitions;
  return kLiteRtStatusOk;
}

LiteRtStatus LrtGetCompilerOptionsMaxPartitions(const LrtCompilerOptions* options,
                                                size_t* max_partitions) {
  if (!options || !max_partitions) return kLiteRtStatusErrorInvalidArgument;
  if (!options->max_partitions) return kLiteRtStatusErrorNotFound;
  *max_partitions = *options->max_partitions;
  return kLiteRtStatusOk;
}

}  // extern "C"
