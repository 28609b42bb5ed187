// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/field_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "sdk/host/model/options/option_fields.h"

namespace npukit {

std::string FloatText(float value) {
  char text[32];
  if (std::isnan(value)) {
    std::snprintf(text, sizeof(text), "nan(0x%08x)", std::bit_cast<uint32_t>(value));
    return text;
  }
  const auto end = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end.ptr);
}

std::string QuotedText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c >= ' ' && c != '\x7f') {
      quoted += c;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      quoted += c;  // UTF-8
    } else {
      char escaped[5];
      std::snprintf(escaped, sizeof(escaped), "\\x%02x", static_cast<unsigned char>(c));
      quoted += escaped;
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
