// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Text that others wrote, for pages and reports.

#ifndef NPUKIT_SDK_MARKUP_MARKUP_TEXT_H_
#define NPUKIT_SDK_MARKUP_MARKUP_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace npukit {

// Bytes of the character that `text` begins with, which XML 1.0 can hold; 0 if there is none, as
// where bytes are not UTF-8.
constexpr size_t MarkupCharacterBytes(std::string_view text) {
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // by number of bytes
  if (text.empty()) return 0;
  const auto first = static_cast<uint8_t>(text[0]);
  const size_t bytes = first < 0x80             ? 1
                       : (first & 0xE0) == 0xC0 ? 2
                       : (first & 0xF0) == 0xE0 ? 3
                       : (first & 0xF8) == 0xF0 ? 4
                                                : 0;
  if (bytes == 0 || text.size() < bytes) return 0;
  uint32_t code = bytes == 1 ? first : first & (0x7Fu >> bytes);
  for (const char c : text.substr(1, bytes - 1)) {
    const auto next = static_cast<uint8_t>(c);
    if ((next & 0xC0) != 0x80) return 0;
    code = code << 6 | (next & 0x3Fu);
  }
  const bool is_control = (code < 0x20 && code != '\t' && code != '\n') || code == 0x7F;
  const bool is_half_of_a_pair = code >= 0xD800 && code < 0xE000;
  const bool is_character = code <= 0x10FFFF && code != 0xFFFE && code != 0xFFFF;
  return code < kLeast[bytes] || is_control || is_half_of_a_pair || !is_character ? 0 : bytes;
}

// `text` for HTML and XML, also within quoted attributes, where a line's end would be read as a
// space. What they can't hold is a '?' for each byte.
inline std::string MarkupText(std::string_view text) {
  std::string markup;
  markup.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = MarkupCharacterBytes(text);
    switch (bytes == 0 ? '?' : text[0]) {
      case '&':
        markup += "&amp;";
        break;
      case '<':
        markup += "&lt;";
        break;
      case '>':
        markup += "&gt;";
        break;
      case '"':
        markup += "&quot;";
        break;
      case '\'':
        markup += "&#39;";
        break;
      case '\n':
        markup += "&#10;";
        break;
      default:
        markup += bytes == 0 ? "?" : text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return markup;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_MARKUP_MARKUP_TEXT_H_
