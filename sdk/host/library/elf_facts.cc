// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/elf_facts.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>

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

// An open file and libelf's view of it.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    static std::once_flag once;
    std::call_once(once, [] { elf_version(EV_CURRENT); });
    struct stat status = {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) return;
    is_file_ = S_ISREG(status.st_mode);
    size_bytes_ = static_cast<uint64_t>(status.st_size);
    if (is_file_) elf_ = elf_begin(descriptor_, ELF_C_READ, nullptr);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile() {
    if (elf_ != nullptr) elf_end(elf_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  bool opened() const { return descriptor_ >= 0; }
  bool is_file() const { return is_file_; }
  uint64_t size_bytes() const { return size_bytes_; }
  Elf* elf() const { return elf_; }

 private:
  int descriptor_ = -1;
  bool is_file_ = false;
  uint64_t size_bytes_ = 0;
  Elf* elf_ = nullptr;
};

litert::Expected<void> CheckHeader(const std::string& path, const ElfFile& file) {
  if (!file.opened()) {
    return NotLoadable(path, std::string("can't be opened: ") + std::strerror(errno));
  }
  if (!file.is_file()) return NotLoadable(path, "not a file");
  GElf_Ehdr header = {};
  if (file.elf() == nullptr || elf_kind(file.elf()) != ELF_K_ELF ||
      gelf_getehdr(file.elf(), &header) == nullptr) {
    return NotLoadable(path, "not an ELF file");
  }
  if (header.e_type != ET_DYN) {
    return NotLoadable(path,
                       fmt::format("ELF type {}: expected a shared library (3)", header.e_type));
  }
  if (header.e_machine != kMachine ||
      gelf_getclass(file.elf()) != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32)) {
    return NotLoadable(
        path, fmt::format("built for machine {}: expected {}", header.e_machine, kMachine));
  }
  return {};
}

litert::Expected<void> CheckSegments(const std::string& path, const ElfFile& file) {
  size_t count = 0;
  if (elf_getphdrnum(file.elf(), &count) != 0 || count == 0) {
    return NotLoadable(path, "no program headers");
  }
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment = {};
    if (gelf_getphdr(file.elf(), static_cast<int>(i), &segment) == nullptr) {
      return NotLoadable(path, "cut off in its program headers");
    }
    if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) continue;
    if (segment.p_offset > file.size_bytes() ||
        segment.p_filesz > file.size_bytes() - segment.p_offset) {
      return NotLoadable(path, fmt::format("cut off: segment {} ends at byte {}, the file at {}", i,
                                           segment.p_offset + segment.p_filesz, file.size_bytes()));
    }
  }
  return {};
}

void ReadSymbols(Elf* elf, Elf_Data* data, const GElf_Shdr& section, ElfFacts& facts) {
  if (section.sh_entsize == 0) return;
  const auto count = static_cast<int>(section.sh_size / section.sh_entsize);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol = {};
    if (gelf_getsym(data, i, &symbol) == nullptr) return;
    const int binding = GELF_ST_BIND(symbol.st_info);
    if (binding != STB_GLOBAL && binding != STB_WEAK) continue;
    const char* name = elf_strptr(elf, section.sh_link, symbol.st_name);
    if (name == nullptr || *name == '\0') continue;
    const bool imported = symbol.st_shndx == SHN_UNDEF;
    (imported ? facts.imports : facts.exports).emplace_back(name);
  }
}

void ReadDynamic(Elf* elf, Elf_Data* data, const GElf_Shdr& section, ElfFacts& facts) {
  if (section.sh_entsize == 0) return;
  const auto count = static_cast<int>(section.sh_size / section.sh_entsize);
  for (int i = 0; i < count; ++i) {
    GElf_Dyn entry = {};
    if (gelf_getdyn(data, i, &entry) == nullptr) return;
    const bool is_runpath = entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH;
    if (entry.d_tag != DT_SONAME && entry.d_tag != DT_NEEDED && !is_runpath) continue;
    const char* text = elf_strptr(elf, section.sh_link, entry.d_un.d_val);
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

void ReadNotes(Elf_Data* data, ElfFacts& facts) {
  size_t offset = 0;
  GElf_Nhdr note = {};
  size_t name_offset = 0;
  size_t bytes_offset = 0;
  while ((offset = gelf_getnote(data, offset, &note, &name_offset, &bytes_offset)) != 0) {
    const auto* start = static_cast<const char*>(data->d_buf);
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
        std::memcmp(start + name_offset, "GNU", 4) != 0) {
      continue;
    }
    static constexpr char kDigits[] = "0123456789abcdef";
    facts.build_id.clear();
    for (size_t i = 0; i < note.n_descsz; ++i) {
      const auto byte = static_cast<uint8_t>(start[bytes_offset + i]);
      facts.build_id += kDigits[byte >> 4];
      facts.build_id += kDigits[byte & 15];
    }
  }
}

void ReadSections(Elf* elf, ElfFacts& facts) {
  for (Elf_Scn* scan = elf_nextscn(elf, nullptr); scan != nullptr; scan = elf_nextscn(elf, scan)) {
    GElf_Shdr section = {};
    if (gelf_getshdr(scan, &section) == nullptr) continue;
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_DYNAMIC &&
        section.sh_type != SHT_NOTE) {
      continue;
    }
    Elf_Data* data = elf_getdata(scan, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    if (section.sh_type == SHT_DYNSYM) ReadSymbols(elf, data, section, facts);
    if (section.sh_type == SHT_DYNAMIC) ReadDynamic(elf, data, section, facts);
    if (section.sh_type == SHT_NOTE) ReadNotes(data, facts);
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
void ForEachSymbol(Elf* elf, Visit visit) {
  for (Elf_Scn* scan = elf_nextscn(elf, nullptr); scan != nullptr; scan = elf_nextscn(elf, scan)) {
    GElf_Shdr section = {};
    if (gelf_getshdr(scan, &section) == nullptr || section.sh_entsize == 0) continue;
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    Elf_Data* data = elf_getdata(scan, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    const auto count = static_cast<int>(section.sh_size / section.sh_entsize);
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol = {};
      if (gelf_getsym(data, i, &symbol) == nullptr) break;
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
  ReadSections(file.elf(), facts);
  return facts;
}

std::optional<uint64_t> ReadObjectSize(const std::string& path, uint64_t address) {
  const ElfFile file(path);
  if (!CheckHeader(path, file)) return std::nullopt;
  std::optional<uint64_t> size_bytes;
  ForEachSymbol(file.elf(), [&](const GElf_Sym& symbol, const GElf_Shdr&) {
    if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF &&
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
  ForEachSymbol(file.elf(), [&](const GElf_Sym& symbol, const GElf_Shdr& section) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) return true;
    const char* name = elf_strptr(file.elf(), section.sh_link, symbol.st_name);
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
