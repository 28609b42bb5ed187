// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TEXT_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TEXT_H_

// Puts messages together. Out of line, because messages are rare, and chains of
// operator+ are what headers spend their compile time on.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace litert::internal {

// A piece of a message: text or a whole number.
class TextPiece {
 public:
  // NOLINTBEGIN(*-explicit-constructor)
  TextPiece(const char* text) : text_(text != nullptr ? text : "(null)") {}
  TextPiece(std::string_view text) : text_(text) {}
  TextPiece(const std::string& text) : text_(text) {}
  TextPiece(size_t number) : number_(number), is_number_(true) {}
  TextPiece(unsigned number) : TextPiece(static_cast<size_t>(number)) {}
  TextPiece(int number)
      : number_(number < 0 ? 0 - static_cast<size_t>(number) : static_cast<size_t>(number)),
        is_number_(true),
        is_negative_(number < 0) {}
  // NOLINTEND(*-explicit-constructor)

  void AppendTo(std::string& out) const {
    if (!is_number_) {
      out.append(text_.data(), text_.size());
      return;
    }
    char digits[24];
    char* at = digits + sizeof(digits);
    size_t left = number_;
    do {
      *--at = static_cast<char>('0' + left % 10);
      left /= 10;
    } while (left != 0);
    if (is_negative_) *--at = '-';
    out.append(at, static_cast<size_t>(digits + sizeof(digits) - at));
  }

 private:
  std::string_view text_;
  size_t number_ = 0;
  bool is_number_ = false;
  bool is_negative_ = false;
};

__attribute__((noinline, cold)) inline std::string Text(std::initializer_list<TextPiece> pieces) {
  std::string out;
  for (const TextPiece& piece : pieces) piece.AppendTo(out);
  return out;
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TEXT_H_
