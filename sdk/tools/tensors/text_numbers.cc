// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/text_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

namespace npukit::tools {
namespace {

constexpr std::string_view kBetween = " \t\r\n,;[](){}";

bool ParseNumber(std::string_view word, TextNumbers& into) {
  if (word == "true" || word == "True" || word == "false" || word == "False") {
    into.numbers.push_back(word[0] == 't' || word[0] == 'T' ? 1 : 0);
    return true;
  }
  if (word.starts_with('+')) word.remove_prefix(1);
  long double number = 0;
  // libstdc++ 12 reads long doubles on to a terminating zero, which the text need not have.
  const std::string copy(word);
  const char* const last = copy.data() + copy.size();
  const auto [end, error] = std::from_chars(copy.data(), last, number);
  if (error != std::errc() || end != last) return false;
  // By how it is written: a file with a 1.0 is of floats, which a quantised input quantises, and
  // one of whole numbers alone of what it stores.
  const bool is_integer = word.find_first_not_of("-0123456789") == std::string_view::npos;
  into.are_floats = into.are_floats || !is_integer;
  into.numbers.push_back(number);
  return true;
}

}  // namespace

litert::Expected<TextNumbers> ParseTextNumbers(std::string_view text) {
  TextNumbers parsed;
  int line = 1;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (kBetween.find(text[at]) != std::string_view::npos) {
      line += text[at] == '\n' ? 1 : 0;
      ++at;
    } else {
      const size_t end = std::min(text.find_first_of(" \t\r\n,;[](){}#", at), text.size());
      const std::string_view word = text.substr(at, end - at);
      if (!ParseNumber(word, parsed)) {
        constexpr size_t kShown = 40;
        return litert::Unexpected(
            kLiteRtStatusErrorInvalidArgument,
            fmt::format("line {}: expected a number, found '{}'", line, word.substr(0, kShown)));
      }
      at = end;
    }
  }
  return parsed;
}

}  // namespace npukit::tools
