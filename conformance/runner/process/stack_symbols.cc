// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/stack_symbols.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "sdk/host/library/elf_facts.h"

namespace npukit::conformance {
namespace {

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

// By file.
using Tables = std::map<std::string, std::vector<ElfFunction>>;

// The function that holds the address; null if none does.
const ElfFunction* FindFunction(const std::vector<ElfFunction>& functions, uint64_t address) {
  const auto after = std::upper_bound(
      functions.begin(), functions.end(), address,
      [](uint64_t sought, const ElfFunction& function) { return sought < function.address; });
  if (after == functions.begin()) return nullptr;
  const ElfFunction& function = *std::prev(after);
  return address - function.address < function.size_bytes ? &function : nullptr;
}

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
  const auto [table, is_new] = tables.try_emplace(file);
  if (is_new) table->second = ReadFunctions(file);
  // A return address may be the first of the next function: the call before it counts.
  const uint64_t call = offset == 0 ? 0 : offset - 1;
  const ElfFunction* function = FindFunction(table->second, call);
  if (function == nullptr) return line;
  return fmt::format("{}({}+{:#x}{}", file, Demangled(function->name), call - function->address + 1,
                     line.substr(close));
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
