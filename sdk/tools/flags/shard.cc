// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/shard.h"

#include <charconv>
#include <system_error>

namespace npukit::tools {

litert::Expected<Shard> ParseShard(const std::string& text) {
  const char* const end = text.data() + text.size();
  int index = 0;
  int count = 0;
  const auto first = std::from_chars(text.data(), end, index);
  const bool has_slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = has_slash ? std::from_chars(first.ptr + 1, end, count) : first;
  const bool is_read = has_slash && second.ec == std::errc() && second.ptr == end;
  if (!is_read || count < 1 || index < 0 || index > count) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "--shard: expected i/n, found '" + text + "'");
  }
  return Shard{index % count, count};
}

}  // namespace npukit::tools
