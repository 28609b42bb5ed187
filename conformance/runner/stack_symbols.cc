// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/stack_symbols.h"

#include <cxxabi.h>
#include <elf.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace npukit::conformance {
namespace {

// The functions of one ELF file by address. Files are not trusted: what does not fit is left out.
class SymbolTable {
 public:
  explicit SymbolTable(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    bytes_ = text.str();
    Read();
  }

  // The function that holds the address, and how far into it that is.
  std::optional<std::pair<std::string, uint64_t>> Find(uint64_t address) const {
    auto after = functions_.upper_bound(address);
    if (after == functions_.begin()) return std::nullopt;
    const auto& [start, function] = *--after;
    if (address >= start + function.size_bytes) return std::nullopt;
    return std::pair(function.name, address - start);
  }

 private:
  struct Function {
    std::string name;
    uint64_t size_bytes = 0;
  };

  template <typename T>
  std::optional<T> At(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  void Read() {
    const auto header = At<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64) {
      return;
    }
    for (uint64_t i = 0; i < header->e_shnum; ++i) {
      const auto section = At<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section || (section->sh_type != SHT_SYMTAB && section->sh_type != SHT_DYNSYM)) continue;
      const auto names = At<Elf64_Shdr>(header->e_shoff + section->sh_link * sizeof(Elf64_Shdr));
      if (names) ReadSymbols(*section, *names);
    }
  }

  void ReadSymbols(const Elf64_Shdr& section, const Elf64_Shdr& names) {
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = At<Elf64_Sym>(section.sh_offset + at);
      if (!symbol) return;
      if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size == 0) continue;
      const uint64_t name_at = names.sh_offset + symbol->st_name;
      const size_t end = name_at < bytes_.size() ? bytes_.find('\0', name_at) : std::string::npos;
      if (end == std::string::npos) continue;
      functions_[symbol->st_value] = {bytes_.substr(name_at, end - name_at), symbol->st_size};
    }
  }

  std::string bytes_;
  std::map<uint64_t, Function> functions_;
};

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

std::string Hexadecimal(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

using Tables = std::map<std::string, SymbolTable>;

std::string NameFrame(const std::string& line, Tables& tables) {
  const size_t open = line.find('(');
  const size_t plus = line.find("+0x", open == std::string::npos ? 0 : open);
  const size_t close = plus == std::string::npos ? plus : line.find(')', plus);
  if (open == std::string::npos || close == std::string::npos) return line;
  const std::string file = line.substr(0, open);
  const std::string symbol = line.substr(open + 1, plus - open - 1);
  if (!symbol.empty()) return file + "(" + Demangled(symbol) + line.substr(plus);
  uint64_t offset = 0;
  const char* end = line.data() + close;
  const auto [stop, code] = std::from_chars(line.data() + plus + 3, end, offset, 16);
  if (code != std::errc() || stop != end) return line;
  const SymbolTable& table = tables.try_emplace(file, file).first->second;
  // A return address may be the first of the next function: the call before it counts.
  const auto found = table.Find(offset == 0 ? 0 : offset - 1);
  if (!found) return line;
  return file + "(" + Demangled(found->first) + "+" + Hexadecimal(found->second + 1) +
         line.substr(close);
}

}  // namespace

std::string NameFrames(const std::string& stack) {
  Tables tables;
  std::istringstream lines(stack);
  std::string named;
  for (std::string line; std::getline(lines, line);) named += NameFrame(line, tables) + "\n";
  return named;
}

}  // namespace npukit::conformance
