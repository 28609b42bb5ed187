// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/shard.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

litert::Unexpected Bad(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, message);
}

std::optional<int> ParseNumber(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Of a group of environment variables: the index less `first`, and the count. nullopt if neither is
// set.
litert::Expected<std::optional<Shard>> FromEnvironment(const char* index_name,
                                                       const char* count_name, int first) {
  const char* index_text = std::getenv(index_name);
  const char* count_text = std::getenv(count_name);
  if (index_text == nullptr && count_text == nullptr) return std::optional<Shard>();
  if (index_text == nullptr || count_text == nullptr) {
    return Bad(std::string(index_text == nullptr ? index_name : count_name) + " is not set, but " +
               (index_text == nullptr ? count_name : index_name) + " is");
  }
  const std::optional<int> index = ParseNumber(index_text);
  const std::optional<int> count = ParseNumber(count_text);
  if (!index || !count || *count < 1 || *index < first || *index - first >= *count) {
    return Bad(std::string(index_name) + "=" + index_text + " and " + count_name + "=" +
               count_text + " name no shard");
  }
  return std::optional<Shard>(Shard{*index - first, *count});
}

}  // namespace

litert::Expected<Shard> ChooseShard(const std::string& option) {
  if (!option.empty()) return tools::ParseShard(option);
  LITERT_ASSIGN_OR_RETURN(const std::optional<Shard> test,
                          FromEnvironment("TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0));
  if (test) return *test;
  // An array may count from any number: Slurm says from which.
  const char* first_text = std::getenv("SLURM_ARRAY_TASK_MIN");
  const std::optional<int> first = ParseNumber(first_text == nullptr ? "0" : first_text);
  if (!first) return Bad("SLURM_ARRAY_TASK_MIN=" + std::string(first_text) + " is no number");
  LITERT_ASSIGN_OR_RETURN(const std::optional<Shard> slurm,
                          FromEnvironment("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", *first));
  return slurm.value_or(Shard{});
}

}  // namespace npukit::conformance
