// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/field_text.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "sdk/host/model/options/option_fields.h"

namespace npukit {

std::string IntegerText(int64_t value) { return fmt::format("{}", value); }

std::string FloatText(float value) {
  if (std::isnan(value)) return fmt::format("nan(0x{:08x})", std::bit_cast<uint32_t>(value));
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end.ptr);
}

std::string QuotedText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    const bool is_utf8 = static_cast<unsigned char>(c) >= 0x80;
    if (is_utf8 || (c >= ' ' && c != '\x7f')) {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return quoted + "'";
}

std::vector<std::pair<std::string, std::string>> FieldTexts(const OpOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  VisitFields(options, [&](const char* name, const auto& value) {
    texts.emplace_back(name, FieldText(value));
  });
  return texts;
}

}  // namespace npukit
