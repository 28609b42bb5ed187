// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/elf_facts.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/elf_file.h"

namespace npukit {
namespace {

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#else
#error "name this machine's ELF number here"
#endif

litert::Unexpected NotLoadable(const std::string& path, const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorDynamicLoading, path + ": " + what);
}

// A library that this machine can load, as far as its headers say, or another one.
litert::Expected<ElfFile> OpenLibrary(const std::string& path,
                                      ElfMachine machine = ElfMachine::kThis) {
  auto file = ElfFile::Open(path);
  if (!file) return NotLoadable(path, file.Error().Message());
  if (machine == ElfMachine::kThis && file->header().e_machine != kMachine) {
    return NotLoadable(
        path, fmt::format("built for machine {}: expected {}", file->header().e_machine, kMachine));
  }
  return file;
}

// Visits (symbol, its section) of all tables of symbols, until a visit returns false.
template <typename Visit>
void ForEachSymbol(const ElfFile& file, Visit visit) {
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    for (const Elf64_Sym& symbol : file.Entries<Elf64_Sym>(section)) {
      if (!visit(symbol, section)) return;
    }
  }
}

void ReadSymbols(const ElfFile& file, const Elf64_Shdr& section, ElfFacts& facts) {
  const std::vector<uint8_t> strings = file.StringsOf(section);
  for (const Elf64_Sym& symbol : file.Entries<Elf64_Sym>(section)) {
    const int binding = ELF64_ST_BIND(symbol.st_info);
    if (binding != STB_GLOBAL && binding != STB_WEAK) continue;
    const char* name = ElfString(strings, symbol.st_name);
    if (name == nullptr || *name == '\0') continue;
    if (symbol.st_shndx != SHN_UNDEF) {
      facts.exports.emplace_back(name);
    } else if (binding == STB_GLOBAL) {
      facts.imports.emplace_back(name);
    }
  }
}

litert::Expected<ElfFacts> ReadFacts(const std::string& path, ElfMachine machine) {
  const auto file = OpenLibrary(path, machine);
  if (!file) return file.Error();
  if (auto whole = file->CheckIsWhole(); !whole) return NotLoadable(path, whole.Error().Message());
  ElfFile::Names names = file->ReadNames();
  ElfFacts facts;
  facts.soname = std::move(names.soname);
  facts.needed = std::move(names.needed);
  facts.runpath = std::move(names.runpath);
  facts.build_id = file->BuildId();
  for (const Elf64_Shdr& section : file->sections()) {
    if (section.sh_type == SHT_DYNSYM) ReadSymbols(*file, section, facts);
  }
  std::sort(facts.exports.begin(), facts.exports.end());
  std::sort(facts.imports.begin(), facts.imports.end());
  return facts;
}

// What changes when a file is written or replaced.
struct FileState {
  uint64_t device;
  uint64_t inode;
  int64_t size_bytes;
  // Of its contents or its entry; nobody can set it back, as the other one.
  int64_t changed_seconds;
  int64_t changed_nanoseconds;
  bool operator==(const FileState&) const = default;
};

std::optional<FileState> StateOf(const std::string& path) {
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0) return std::nullopt;
  return FileState{.device = about.st_dev,
                   .inode = about.st_ino,
                   .size_bytes = about.st_size,
                   .changed_seconds = about.st_ctim.tv_sec,
                   .changed_nanoseconds = about.st_ctim.tv_nsec};
}

// Clocks of file systems tick in milliseconds: one that was written just now may be written again without a trace.
bool IsSettled(const FileState& state) {
  constexpr int64_t kSettlingSeconds = 2;
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec >= state.changed_seconds + kSettlingSeconds;
}

// Of libraries that were read before: whoever judges a plugin opens the same two thousands of times.
class KnownLibraries {
 public:
  std::optional<ElfFacts> Find(const std::string& path, const FileState& state) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = known_.find(path);
    if (found == known_.end() || found->second.first != state) return std::nullopt;
    return found->second.second;
  }
  void Add(const std::string& path, const FileState& state, const ElfFacts& facts) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (known_.size() >= kMostLibraries) known_.clear();
    known_.insert_or_assign(path, std::pair(state, facts));
  }

 private:
  static constexpr size_t kMostLibraries = 64;
  std::mutex mutex_;
  std::map<std::string, std::pair<FileState, ElfFacts>> known_;
};

KnownLibraries& Known() {
  static auto* const known = new KnownLibraries;  // used by whatever closes libraries at the end
  return *known;
}

// `names` are sorted.
bool AnyBegins(const std::vector<std::string>& names, std::string_view prefix) {
  const auto first = std::lower_bound(names.begin(), names.end(), prefix);
  return first != names.end() && first->starts_with(prefix);
}

}  // namespace

bool ElfFacts::Exports(std::string_view symbol) const {
  return std::binary_search(exports.begin(), exports.end(), symbol);
}

bool ElfFacts::Imports(std::string_view symbol) const {
  return std::binary_search(imports.begin(), imports.end(), symbol);
}

bool ElfFacts::ExportsPrefix(std::string_view prefix) const { return AnyBegins(exports, prefix); }

bool ElfFacts::ImportsPrefix(std::string_view prefix) const { return AnyBegins(imports, prefix); }

litert::Expected<ElfFacts> ReadElfFacts(const std::string& path, ElfMachine machine) {
  if (machine == ElfMachine::kAny) return ReadFacts(path, machine);
  const std::optional<FileState> before = StateOf(path);
  if (before) {
    if (auto known = Known().Find(path, *before)) return std::move(*known);
  }
  LITERT_ASSIGN_OR_RETURN(ElfFacts facts, ReadFacts(path, machine));
  // One that was written in the meantime is read again the next time.
  if (before && IsSettled(*before) && StateOf(path) == before) Known().Add(path, *before, facts);
  return facts;
}

std::optional<uint64_t> ReadObjectSize(const std::string& path, uint64_t address) {
  const auto file = OpenLibrary(path);
  if (!file) return std::nullopt;
  std::optional<uint64_t> size_bytes;
  ForEachSymbol(*file, [&](const Elf64_Sym& symbol, const Elf64_Shdr&) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF &&
        symbol.st_value == address) {
      size_bytes = symbol.st_size;
    }
    return !size_bytes;
  });
  return size_bytes;
}

std::vector<ElfFunction> ReadFunctions(const std::string& path) {
  const auto file = OpenLibrary(path);
  if (!file) return {};
  std::vector<ElfFunction> all;
  std::vector<ElfFunction> exported;
  const Elf64_Shdr* of_strings = nullptr;
  std::vector<uint8_t> strings;
  ForEachSymbol(*file, [&](const Elf64_Sym& symbol, const Elf64_Shdr& section) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) return true;
    if (std::exchange(of_strings, &section) != &section) strings = file->StringsOf(section);
    const char* name = ElfString(strings, symbol.st_name);
    auto& table = section.sh_type == SHT_SYMTAB ? all : exported;
    if (name != nullptr) table.push_back({symbol.st_value, symbol.st_size, name});
    return true;
  });
  std::vector<ElfFunction> functions = std::move(all.empty() ? exported : all);
  std::stable_sort(functions.begin(), functions.end(),
                   [](const auto& a, const auto& b) { return a.address < b.address; });
  return functions;
}

}  // namespace npukit
