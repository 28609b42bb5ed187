// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/elf_facts.h"

#include <fmt/format.h>

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

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

// Parts of a file, read when they are asked for. What a header says of places and sizes is of no
// trust: what lies outside of the file is not there.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status = {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) return;
    is_file_ = S_ISREG(status.st_mode);
    size_bytes_ = static_cast<uint64_t>(status.st_size);
    is_elf_ = is_file_ && ReadInto(0, &header_, sizeof header_) &&
              std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0;
    if (is_elf_) ReadSectionHeaders();
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  bool opened() const { return descriptor_ >= 0; }
  bool is_file() const { return is_file_; }
  bool is_elf() const { return is_elf_; }
  uint64_t size_bytes() const { return size_bytes_; }
  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Shdr>& sections() const { return sections_; }

  // nullopt for a segment that the file does not hold the header of.
  std::optional<Elf64_Phdr> Segment(size_t index) const {
    Elf64_Phdr segment = {};
    const uint64_t offset = header_.e_phoff + index * sizeof segment;
    if (header_.e_phentsize != sizeof segment || offset < header_.e_phoff) return std::nullopt;
    if (!ReadInto(offset, &segment, sizeof segment)) return std::nullopt;
    return segment;
  }
  // With as many as a 16-bit number does not hold, the first section has it.
  size_t segment_count() const {
    if (header_.e_phnum != PN_XNUM) return header_.e_phnum;
    return sections_.empty() ? 0 : sections_.front().sh_info;
  }

  // Empty if the section has no bytes in the file, or not all of them.
  std::vector<char> Bytes(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || !Holds(section.sh_offset, section.sh_size)) return {};
    std::vector<char> bytes(section.sh_size);
    if (!ReadInto(section.sh_offset, bytes.data(), bytes.size())) bytes.clear();
    return bytes;
  }
  // The table of strings that a section refers to.
  std::vector<char> StringsOf(const Elf64_Shdr& section) const {
    if (section.sh_link >= sections_.size()) return {};
    const Elf64_Shdr& strings = sections_[section.sh_link];
    return strings.sh_type == SHT_STRTAB ? Bytes(strings) : std::vector<char>();
  }

 private:
  bool Holds(uint64_t offset, uint64_t size) const {
    return offset <= size_bytes_ && size <= size_bytes_ - offset;
  }
  bool ReadInto(uint64_t offset, void* to, size_t size) const {
    if (!Holds(offset, size)) return false;
    auto* at = static_cast<char*>(to);
    while (size > 0) {
      const ssize_t got = pread(descriptor_, at, size, static_cast<off_t>(offset));
      if (got <= 0) return false;
      at += got;
      offset += static_cast<uint64_t>(got);
      size -= static_cast<size_t>(got);
    }
    return true;
  }
  void ReadSectionHeaders() {
    Elf64_Shdr first = {};
    if (header_.e_shoff == 0 || header_.e_shentsize != sizeof first) return;
    if (!ReadInto(header_.e_shoff, &first, sizeof first)) return;
    // As with segments.
    const uint64_t count = header_.e_shnum != 0 ? header_.e_shnum : first.sh_size;
    if (count > (size_bytes_ - header_.e_shoff) / sizeof first) return;
    sections_.resize(count);
    if (!ReadInto(header_.e_shoff, sections_.data(), count * sizeof first)) sections_.clear();
  }

  int descriptor_ = -1;
  bool is_file_ = false;
  bool is_elf_ = false;
  uint64_t size_bytes_ = 0;
  Elf64_Ehdr header_ = {};
  std::vector<Elf64_Shdr> sections_;
};

// Null if it does not end within the table.
const char* StringAt(const std::vector<char>& strings, uint64_t offset) {
  if (offset >= strings.size()) return nullptr;
  const char* text = strings.data() + offset;
  return std::memchr(text, '\0', strings.size() - offset) == nullptr ? nullptr : text;
}

// The entries of a table of T, as many as are whole.
template <typename T>
std::vector<T> Entries(const ElfFile& file, const Elf64_Shdr& section) {
  if (section.sh_entsize != sizeof(T)) return {};
  const std::vector<char> bytes = file.Bytes(section);
  std::vector<T> entries(bytes.size() / sizeof(T));
  if (!entries.empty()) std::memcpy(entries.data(), bytes.data(), entries.size() * sizeof(T));
  return entries;
}

litert::Expected<void> CheckHeader(const std::string& path, const ElfFile& file) {
  if (!file.opened()) {
    return NotLoadable(path, std::string("can't be opened: ") + std::strerror(errno));
  }
  if (!file.is_file()) return NotLoadable(path, "not a file");
  if (!file.is_elf()) return NotLoadable(path, "not an ELF file");
  const Elf64_Ehdr& header = file.header();
  if (header.e_type != ET_DYN) {
    return NotLoadable(path,
                       fmt::format("ELF type {}: expected a shared library (3)", header.e_type));
  }
  if (header.e_machine != kMachine || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return NotLoadable(
        path, fmt::format("built for machine {}: expected {}", header.e_machine, kMachine));
  }
  return {};
}

litert::Expected<void> CheckSegments(const std::string& path, const ElfFile& file) {
  const size_t count = file.segment_count();
  if (count == 0) return NotLoadable(path, "no program headers");
  for (size_t i = 0; i < count; ++i) {
    const std::optional<Elf64_Phdr> segment = file.Segment(i);
    if (!segment) return NotLoadable(path, "cut off in its program headers");
    if (segment->p_type != PT_LOAD && segment->p_type != PT_DYNAMIC) continue;
    if (segment->p_offset > file.size_bytes() ||
        segment->p_filesz > file.size_bytes() - segment->p_offset) {
      return NotLoadable(path,
                         fmt::format("cut off: segment {} ends at byte {}, the file at {}", i,
                                     segment->p_offset + segment->p_filesz, file.size_bytes()));
    }
  }
  return {};
}

void ReadSymbols(const ElfFile& file, const Elf64_Shdr& section, ElfFacts& facts) {
  const std::vector<char> strings = file.StringsOf(section);
  for (const Elf64_Sym& symbol : Entries<Elf64_Sym>(file, section)) {
    const int binding = ELF64_ST_BIND(symbol.st_info);
    if (binding != STB_GLOBAL && binding != STB_WEAK) continue;
    const char* name = StringAt(strings, symbol.st_name);
    if (name == nullptr || *name == '\0') continue;
    const bool imported = symbol.st_shndx == SHN_UNDEF;
    (imported ? facts.imports : facts.exports).emplace_back(name);
  }
}

void ReadDynamic(const ElfFile& file, const Elf64_Shdr& section, ElfFacts& facts) {
  const std::vector<char> strings = file.StringsOf(section);
  for (const Elf64_Dyn& entry : Entries<Elf64_Dyn>(file, section)) {
    const bool is_runpath = entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH;
    if (entry.d_tag != DT_SONAME && entry.d_tag != DT_NEEDED && !is_runpath) continue;
    const char* text = StringAt(strings, entry.d_un.d_val);
    if (text == nullptr) continue;
    if (entry.d_tag == DT_SONAME) {
      facts.soname = text;
    } else if (is_runpath) {
      facts.runpath = text;
    } else {
      facts.needed.emplace_back(text);
    }
  }
}

// A note is its header, its name and its bytes, each padded to a multiple of `alignment`.
void ReadNotes(const std::vector<char>& bytes, size_t alignment, ElfFacts& facts) {
  const auto padded = [&](size_t size) { return (size + alignment - 1) / alignment * alignment; };
  size_t at = 0;
  Elf64_Nhdr note = {};
  while (at < bytes.size() && bytes.size() - at >= sizeof note) {
    std::memcpy(&note, bytes.data() + at, sizeof note);
    const size_t name_begin = at + sizeof note;
    const size_t begin = name_begin + padded(note.n_namesz);
    if (begin > bytes.size() || note.n_descsz > bytes.size() - begin) return;
    at = begin + padded(note.n_descsz);
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
        std::memcmp(bytes.data() + name_begin, "GNU", 4) != 0) {
      continue;
    }
    facts.build_id.clear();
    for (size_t i = 0; i < note.n_descsz; ++i)
      facts.build_id += fmt::format("{:02x}", static_cast<uint8_t>(bytes[begin + i]));
  }
}

void ReadSections(const ElfFile& file, ElfFacts& facts) {
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type == SHT_DYNSYM) ReadSymbols(file, section, facts);
    if (section.sh_type == SHT_DYNAMIC) ReadDynamic(file, section, facts);
    if (section.sh_type == SHT_NOTE)
      ReadNotes(file.Bytes(section), section.sh_addralign == 8 ? 8 : 4, facts);
  }
  std::sort(facts.exports.begin(), facts.exports.end());
  std::sort(facts.imports.begin(), facts.imports.end());
}

// `names` are sorted.
bool AnyBegins(const std::vector<std::string>& names, std::string_view prefix) {
  const auto first = std::lower_bound(names.begin(), names.end(), prefix);
  return first != names.end() && first->starts_with(prefix);
}

// Visits (symbol, its section) of all tables of symbols, until a visit returns false.
template <typename Visit>
void ForEachSymbol(const ElfFile& file, Visit visit) {
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    for (const Elf64_Sym& symbol : Entries<Elf64_Sym>(file, section)) {
      if (!visit(symbol, section)) return;
    }
  }
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

litert::Expected<ElfFacts> ReadElfFacts(const std::string& path) {
  const ElfFile file(path);
  if (auto checked = CheckHeader(path, file); !checked) return checked.Error();
  if (auto checked = CheckSegments(path, file); !checked) {
    return checked.Error();
  }
  ElfFacts facts;
  ReadSections(file, facts);
  return facts;
}

std::optional<uint64_t> ReadObjectSize(const std::string& path, uint64_t address) {
  const ElfFile file(path);
  if (!CheckHeader(path, file)) return std::nullopt;
  std::optional<uint64_t> size_bytes;
  ForEachSymbol(file, [&](const Elf64_Sym& symbol, const Elf64_Shdr&) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF &&
        symbol.st_value == address) {
      size_bytes = symbol.st_size;
    }
    return !size_bytes;
  });
  return size_bytes;
}

std::vector<ElfFunction> ReadFunctions(const std::string& path) {
  const ElfFile file(path);
  if (!CheckHeader(path, file)) return {};
  std::vector<ElfFunction> all;
  std::vector<ElfFunction> exported;
  const Elf64_Shdr* of_strings = nullptr;
  std::vector<char> strings;
  ForEachSymbol(file, [&](const Elf64_Sym& symbol, const Elf64_Shdr& section) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) return true;
    if (std::exchange(of_strings, &section) != &section) strings = file.StringsOf(section);
    const char* name = StringAt(strings, symbol.st_name);
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
