// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "simulator/isa/codec.h"
#include "simulator/isa/info.h"
#include "simulator/isa/text.h"

namespace acme {
namespace {

bool IsTokenChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == ':' || c == '-';
}

// A position in one line.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) {}

  size_t column() const { return at_ + 1; }
  bool AtEnd() {
    SkipSpace();
    return at_ >= line_.size() || line_[at_] == '#';
  }
  void SkipSpace() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r'))
      ++at_;
  }
  char Peek() const { return at_ < line_.size() ? line_[at_] : '\0'; }
  bool Take(char c) {
    SkipSpace();
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  // Letters, digits, '.', '_', ':' and '-': mnemonics, names and numbers.
  std::string_view Token() {
    SkipSpace();
    const size_t start = at_;
    while (at_ < line_.size() && IsTokenChar(line_[at_])) ++at_;
    return line_.substr(start, at_ - start);
  }
  // The inside of "..." with its escapes resolved, or nullopt.
  std::optional<std::string> QuotedText() {
    if (!Take('"')) return std::nullopt;
    std::string text;
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (c == '"') return text;
      const std::optional<char> stands_for = c == '\\' ? Escaped() : c;
      if (!stands_for) return std::nullopt;
      text += *stands_for;
    }
    return std::nullopt;
  }
  // A token or a text in quotes; nullopt: the latter does not end.
  std::optional<std::string> Name() {
    SkipSpace();
    return Peek() == '"' ? QuotedText() : std::string(Token());
  }

 private:
  // What follows a backslash.
  std::optional<char> Escaped() {
    if (at_ >= line_.size()) return std::nullopt;
    const char c = line_[at_++];
    if (c == '"' || c == '\\') return c;
    const std::string_view digits = line_.substr(at_, 2);
    uint8_t byte = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (c != 'x' || digits.size() != 2 || stop != digits.data() + 2) return std::nullopt;
    at_ += 2;
    return static_cast<char>(byte);
  }

  std::string_view line_;
  size_t at_ = 0;
};

std::optional<int64_t> ParseNumber(std::string_view text) {
  if (text.starts_with("f:")) {
    float value = 0;
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data() + 2, end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return static_cast<int64_t>(std::bit_cast<uint32_t>(value));
  }
  const bool negative = text.starts_with("-");
  if (negative) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t value = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || stop != text.data() + text.size() || text.empty() ||
      value > uint64_t{1} << 40)
    return std::nullopt;
  return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

class Assembler {
 public:
  Assembler(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  Expected<TextProgram> Run() {
    size_t start = 0;
    while (start <= text_.size()) {
      const size_t end = std::min(text_.find('\n', start), text_.size());
      ++line_;
      Cursor cursor(text_.substr(start, end - start));
      if (!cursor.AtEnd()) ACME_RETURN_IF_ERROR(Line(cursor));
      start = end + 1;
    }
    return std::move(program_);
  }

 private:
  Error At(size_t column, const std::string& message) const {
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("{}:{}:{}: {}", source_, line_, column, message));
  }

  Expected<void> Line(Cursor& cursor) {
    const size_t column = cursor.column();
    const std::string_view word = cursor.Token();
    if (word.starts_with(".")) {
      ACME_RETURN_IF_ERROR(Directive(word, column, cursor));
    } else {
      ACME_RETURN_IF_ERROR(Instruction(word, column, cursor));
    }
    if (!cursor.AtEnd()) return At(cursor.column(), "unexpected text");
    return {};
  }

  Expected<int64_t> Number(Cursor& cursor, int64_t low, int64_t high) {
    cursor.SkipSpace();
    const size_t column = cursor.column();
    const std::string_view token = cursor.Token();
    const std::optional<int64_t> value = ParseNumber(token);
    if (!value) return At(column, fmt::format("expected a number, found '{}'", token));
    if (*value < low || *value > high) {
      return At(column, fmt::format("{} is not in {} .. {}", token, low, high));
    }
    return *value;
  }

  Expected<std::string> Name(Cursor& cursor) {
    cursor.SkipSpace();
    const size_t column = cursor.column();
    std::optional<std::string> name = cursor.Name();
    if (!name) return At(column, "expected a name that ends in quotes as it begins");
    return std::move(*name);
  }

  Expected<void> Directive(std::string_view name, size_t column, Cursor& cursor) {
    constexpr int64_t kMaxBytes = int64_t{1} << 32;
    if (name == ".soc") {
      ACME_ASSIGN_OR_RETURN(program_.soc_model, Name(cursor));
      return {};
    }
    if (name == ".workspace") {
      ACME_ASSIGN_OR_RETURN(const int64_t bytes, Number(cursor, 0, kMaxBytes));
      program_.workspace_bytes = static_cast<uint64_t>(bytes);
      return {};
    }
    if (name == ".binding") return Binding(cursor, kMaxBytes);
    if (name == ".constant") {
      while (!cursor.AtEnd()) ACME_RETURN_IF_ERROR(ConstantByte(cursor));
      return {};
    }
    if (name == ".constant_fill") {
      ACME_ASSIGN_OR_RETURN(const int64_t value, Number(cursor, -128, 255));
      ACME_ASSIGN_OR_RETURN(const int64_t count, Number(cursor, 0, 1 << 28));
      program_.constants.resize(program_.constants.size() + static_cast<size_t>(count),
                                static_cast<uint8_t>(value));
      return {};
    }
    if (name == ".handle") return Handle(cursor);
    if (name == ".word") return RawWord(cursor);
    return At(column, fmt::format("unknown directive {}", name));
  }

  Expected<void> Binding(Cursor& cursor, int64_t max_bytes) {
    cursor.SkipSpace();
    const size_t column = cursor.column();
    const std::string_view direction = cursor.Token();
    if (direction != "in" && direction != "out")
      return At(column, fmt::format("expected in or out, found '{}'", direction));
    TextBinding binding;
    binding.output = direction == "out";
    ACME_ASSIGN_OR_RETURN(binding.name, Name(cursor));
    ACME_ASSIGN_OR_RETURN(const int64_t bytes, Number(cursor, 0, max_bytes));
    binding.size_bytes = static_cast<uint64_t>(bytes);
    program_.bindings.push_back(binding);
    return {};
  }

  Expected<void> ConstantByte(Cursor& cursor) {
    const size_t column = cursor.column();
    const std::string_view token = cursor.Token();
    unsigned value = 0;
    auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), value, 16);
    if (error != std::errc() || stop != token.data() + token.size() || value > 255) {
      return At(column,
                fmt::format("expected a byte of two hexadecimal digits, found '{}'", token));
    }
    program_.constants.push_back(static_cast<uint8_t>(value));
    return {};
  }

  Expected<void> Handle(Cursor& cursor) {
    ACME_ASSIGN_OR_RETURN(const int64_t handle, Number(cursor, 1, 1 << 20));
    const size_t column = cursor.column();
    std::optional<std::string> name = cursor.QuotedText();
    if (!name) return At(column, "expected a name in quotes");
    program_.handle_names.resize(std::max<size_t>(program_.handle_names.size(), handle));
    program_.handle_names[handle - 1] = std::move(*name);
    return {};
  }

  Expected<void> RawWord(Cursor& cursor) {
    Word word;
    for (uint32_t& part : word.w) {
      ACME_ASSIGN_OR_RETURN(const int64_t value, Number(cursor, 0, 0xFFFFFFFF));
      part = static_cast<uint32_t>(value);
    }
    Append(word);
    return {};
  }

  void Append(const Word& word) {
    program_.code.push_back(word);
    program_.lines.push_back(line_);
  }

  Expected<void> Instruction(std::string_view mnemonic, size_t column, Cursor& cursor) {
    const InstrInfo* info = FindMnemonic(mnemonic);
    if (info == nullptr) return At(column, fmt::format("unknown instruction '{}'", mnemonic));
    Word word;
    word.w[0] = static_cast<uint32_t>(info->opcode);
    std::set<std::string_view> given;
    while (!cursor.AtEnd()) {
      const size_t token_column = cursor.column();
      const std::string_view token = cursor.Token();
      if (!token.empty() && !given.insert(token).second)
        return At(token_column, fmt::format("{} stands twice", token));
      if (token == "wait" && cursor.Peek() == '(') {
        ACME_RETURN_IF_ERROR(SemaphoreList(cursor, 8, word));
      } else if (token == "post" && cursor.Peek() == '(') {
        ACME_RETURN_IF_ERROR(SemaphoreList(cursor, 20, word));
      } else {
        ACME_RETURN_IF_ERROR(Field(*info, token, token_column, cursor, word));
      }
    }
    // The decoder's rules are the assembler's: which values a field takes stands in one place.
    Expected<Instr> instr = Decode(word);
    if (!instr) return At(column, instr.Error().Message());
    Append(word);
    return {};
  }

  // "(a)" or "(a, b)" into two 6-bit header fields from bit lsb on.
  Expected<void> SemaphoreList(Cursor& cursor, int lsb, Word& word) {
    cursor.Take('(');
    for (int i = 0; i < 2; ++i) {
      ACME_ASSIGN_OR_RETURN(const int64_t semaphore, Number(cursor, 0, kSemaphoreCount - 1));
      word.w[0] |= static_cast<uint32_t>(semaphore) << (lsb + 6 * i);
      if (!cursor.Take(',')) break;
    }
    if (!cursor.Take(')')) return At(cursor.column(), "expected ')'");
    return {};
  }

  Expected<void> Field(const InstrInfo& info, std::string_view name, size_t column, Cursor& cursor,
                       Word& word) {
    size_t index = 0;
    while (index < info.fields.size() &&
           (info.fields[index].name != name || info.fields[index].kind == FieldKind::kAreg))
      ++index;
    if (index == info.fields.size()) {
      return At(column, fmt::format("{} has no field '{}'", info.mnemonic, name));
    }
    const FieldInfo& field = info.fields[index];
    if (!cursor.Take('=')) return At(cursor.column(), fmt::format("expected '=' after {}", name));
    cursor.SkipSpace();
    const size_t value_column = cursor.column();
    if (field.enumeration != nullptr) {
      const std::string_view token = cursor.Token();
      const EnumValueInfo* value = field.enumeration->FindText(token);
      if (value == nullptr)
        return At(value_column, fmt::format("'{}' is not a {}", token, field.enumeration->name));
      WriteField(word, field, value->value);
      return {};
    }
    const bool is_signed = field.kind == FieldKind::kInt;
    const int64_t span = int64_t{1} << field.bits;
    // Bit patterns (f:1.5) may stand in a signed field of 32 bits.
    const int64_t high = is_signed && field.bits < 32 ? span / 2 - 1 : span - 1;
    ACME_ASSIGN_OR_RETURN(const int64_t value, Number(cursor, is_signed ? -span / 2 : 0, high));
    WriteField(word, field, value);
    if (cursor.Peek() != '+') return {};
    const bool takes_register =
        index + 1 < info.fields.size() && info.fields[index + 1].kind == FieldKind::kAreg;
    if (!takes_register)
      return At(cursor.column(), fmt::format("{} takes no address register", name));
    cursor.Take('+');
    return Register(info.fields[index + 1], cursor, word);
  }

  Expected<void> Register(const FieldInfo& field, Cursor& cursor, Word& word) {
    const size_t column = cursor.column();
    const std::string_view token = cursor.Token();
    const std::optional<int64_t> number =
        token.starts_with("a") ? ParseNumber(token.substr(1)) : std::nullopt;
    if (!number || *number < 0 || *number >= kAddressRegisterCount) {
      return At(column, fmt::format("expected a register a0 .. a15, found '{}'", token));
    }
    WriteField(word, field, *number);
    return {};
  }

  std::string_view text_;
  std::string_view source_;
  int line_ = 0;
  TextProgram program_;
};

}  // namespace

Expected<TextProgram> Assemble(std::string_view text, std::string_view source) {
  return Assembler(text, source).Run();
}

std::string EscapedName(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text;
}

std::string NameText(std::string_view name) {
  const bool is_token = !name.empty() && std::all_of(name.begin(), name.end(), IsTokenChar);
  return is_token ? std::string(name) : '"' + EscapedName(name) + '"';
}

}  // namespace acme
