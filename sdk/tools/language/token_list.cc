// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/token_list.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace npukit::tools {

litert::Expected<std::vector<int32_t>> ParseTokens(std::string_view flag, std::string_view text) {
  constexpr std::string_view kBetween = " ,\t\n";
  std::vector<int32_t> tokens;
  for (size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;
       at = text.find_first_not_of(kBetween, at)) {
    const std::string_view word = text.substr(at, text.find_first_of(kBetween, at) - at);
    int32_t token = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), token);
    if (error != std::errc() || end != word.data() + word.size() || token < 0) {
      return litert::Unexpected(
          kLiteRtStatusErrorInvalidArgument,
          fmt::format("{}: '{}' is not a number from 0 on; expected numbers as in \"1 2 3\"", flag,
                      word));
    }
    tokens.push_back(token);
    at += word.size();
  }
  if (tokens.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("{}: there is no number in '{}'", flag, text));
  }
  return tokens;
}

}  // namespace npukit::tools
