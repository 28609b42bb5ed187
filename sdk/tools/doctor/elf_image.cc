// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/doctor/elf_image.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sdk/host/library/elf_file.h"

namespace npukit::tools {
namespace {

constexpr uint64_t kDtRelr = 36, kDtRelrSize = 35;
constexpr uint64_t kDtAndroidRela = 0x60000011, kDtAndroidRel = 0x6000000f;

// Relocation types that make a word an address within the file.
struct PointerTypes {
  uint32_t relative, absolute;
};
PointerTypes TypesOf(uint16_t machine) {
  return machine == EM_AARCH64 ? PointerTypes{R_AARCH64_RELATIVE, R_AARCH64_ABS64}
                               : PointerTypes{R_X86_64_RELATIVE, R_X86_64_64};
}

}  // namespace

// Reads an image's parts. What lies outside the file is left out.
class ElfReader {
 public:
  ElfReader(const ElfFile& file, ElfImage& image) : file_(file), image_(image) {}

  void Read() {
    const uint16_t machine = file_.header().e_machine;
    image_.machine = machine == EM_X86_64    ? "x86-64"
                     : machine == EM_AARCH64 ? "aarch64"
                                             : fmt::format("{}", machine);
    ElfFile::Names names = file_.ReadNames();
    image_.soname = std::move(names.soname);
    image_.needed = std::move(names.needed);
    image_.runpath = std::move(names.runpath);
    image_.build_id = file_.BuildId();
    for (const Elf64_Phdr& segment : file_.segments()) {
      if (segment.p_type != PT_LOAD) continue;
      image_.segments_.push_back({segment.p_vaddr, segment.p_offset, segment.p_filesz,
                                  segment.p_memsz, (segment.p_flags & PF_X) != 0});
    }
    ReadRelocations();
    ReadSections();
  }

 private:
  std::string TextAt(uint64_t offset) const {
    const auto& bytes = image_.bytes_;
    if (offset >= bytes.size()) return "";
    const auto* start = reinterpret_cast<const char*>(bytes.data() + offset);
    return std::string(start, strnlen(start, bytes.size() - offset));
  }

  void ReadRelocations() {
    // A tag that is not there reads as 0: a table at 0 of 0 bytes, in which nothing is found.
    std::map<uint64_t, uint64_t> tags;
    for (const Elf64_Dyn& entry : file_.DynamicEntries())
      tags[static_cast<uint64_t>(entry.d_tag)] = entry.d_un.d_val;
    symbols_ = file_.OffsetOf(tags[DT_SYMTAB]).value_or(0);
    image_.has_unread_relocations = tags.contains(kDtAndroidRela) || tags.contains(kDtAndroidRel);
    ReadRela(tags[DT_RELA], tags[DT_RELASZ]);
    ReadRelr(tags[kDtRelr], tags[kDtRelrSize]);
  }

  void ReadRela(uint64_t address, uint64_t size_bytes) {
    const auto offset = file_.OffsetOf(address);
    if (!offset) return;
    const PointerTypes types = TypesOf(file_.header().e_machine);
    for (const Elf64_Rela& relocation : file_.EntriesAt<Elf64_Rela>(*offset, size_bytes)) {
      const uint64_t type = ELF64_R_TYPE(relocation.r_info);
      // The word itself is zero in the file, or anything: with RELA its value is the addend.
      if (type == types.relative) {
        image_.pointers_[relocation.r_offset] = static_cast<uint64_t>(relocation.r_addend);
      } else if (type == types.absolute && symbols_ != 0) {
        Elf64_Sym symbol = {};
        if (file_.At(symbols_ + ELF64_R_SYM(relocation.r_info) * sizeof symbol, &symbol) &&
            symbol.st_shndx != SHN_UNDEF) {
          image_.pointers_[relocation.r_offset] =
              symbol.st_value + static_cast<uint64_t>(relocation.r_addend);
        }
      }
    }
  }

  // An even entry is the address of a word, an odd one a bitmap of the 63 words that follow. Here
  // the value stands in the word.
  void ReadRelr(uint64_t address, uint64_t size_bytes) {
    const auto offset = file_.OffsetOf(address);
    if (!offset) return;
    uint64_t next = 0;
    const auto add = [&](uint64_t word) {
      if (const auto target = image_.Word(word)) image_.pointers_[word] = *target;
    };
    for (const uint64_t entry : file_.EntriesAt<uint64_t>(*offset, size_bytes)) {
      if ((entry & 1) == 0) {
        add(entry);
        next = entry + 8;
        continue;
      }
      for (uint64_t bit = 1; bit < 64; ++bit) {
        if ((entry >> bit & 1) != 0) add(next + (bit - 1) * 8);
      }
      next += 63 * 8;
    }
  }

  void ReadSections() {
    const std::vector<Elf64_Shdr>& sections = file_.sections();
    Elf64_Shdr names = {};
    if (file_.header().e_shstrndx < sections.size()) names = sections[file_.header().e_shstrndx];
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type == SHT_GNU_versym) versions_ = section.sh_offset;
      if (section.sh_type == SHT_GNU_verneed && section.sh_link < sections.size()) {
        ReadVersions(section, sections[section.sh_link].sh_offset);
      }
    }
    for (const Elf64_Shdr& section : sections) {
      if ((section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB) &&
          section.sh_link < sections.size()) {
        ReadSymbols(section, sections[section.sh_link].sh_offset);
      }
      if (TextAt(names.sh_offset + section.sh_name) == ".comment") ReadComment(section);
    }
  }

  void ReadComment(const Elf64_Shdr& section) {
    std::set<std::string> compilers;
    const uint64_t file_bytes = image_.bytes_.size();
    if (section.sh_offset >= file_bytes) return;
    const uint64_t end = std::min<uint64_t>(section.sh_size, file_bytes - section.sh_offset);
    for (uint64_t at = 0; at < end;) {
      const std::string text = TextAt(section.sh_offset + at);
      if (!text.empty()) compilers.insert(text);
      at += text.size() + 1;
    }
    for (const std::string& text : compilers) {
      image_.compiler += (image_.compiler.empty() ? "" : ", ") + text;
    }
  }

  void ReadVersions(const Elf64_Shdr& section, uint64_t strings) {
    uint64_t at = section.sh_offset;
    // Entries name the place of the next one, and a file of no trust may lead in a circle.
    constexpr uint64_t kMostVersions = 4096;
    uint64_t read = 0;
    for (uint64_t i = 0; i < std::min<uint64_t>(section.sh_info, kMostVersions); ++i) {
      Elf64_Verneed need = {};
      if (!file_.At(at, &need)) return;
      uint64_t entry_at = at + need.vn_aux;
      for (uint64_t j = 0; j < need.vn_cnt; ++j) {
        Elf64_Vernaux entry = {};
        if (++read > kMostVersions || !file_.At(entry_at, &entry)) return;
        version_names_[entry.vna_other] = TextAt(strings + entry.vna_name);
        if (entry.vna_next == 0) break;
        entry_at += entry.vna_next;
      }
      if (need.vn_next == 0) return;
      at += need.vn_next;
    }
  }

  void ReadSymbols(const Elf64_Shdr& section, uint64_t strings) {
    const bool is_dynamic = section.sh_type == SHT_DYNSYM;
    uint64_t index = 0;
    for (const Elf64_Sym& symbol : file_.Entries<Elf64_Sym>(section)) {
      const uint64_t i = index++;
      const int type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_OBJECT && symbol.st_shndx != SHN_UNDEF && symbol.st_size > 0) {
        image_.objects_[symbol.st_value] = symbol.st_size;
      }
      if (!is_dynamic || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
      const std::string name = TextAt(strings + symbol.st_name);
      if (name.empty()) continue;
      if (symbol.st_shndx != SHN_UNDEF) {
        image_.exports[name] = {symbol.st_value, symbol.st_size, type == STT_FUNC};
        continue;
      }
      if (ELF64_ST_BIND(symbol.st_info) == STB_WEAK) continue;  // may be missing
      uint16_t version = 0;
      if (versions_ != 0) file_.At(versions_ + i * sizeof version, &version);
      // The highest bit hides a symbol from those that ask for no version.
      const auto found = version_names_.find(version & 0x7fff);
      image_.imports[name] = found == version_names_.end() ? "" : found->second;
    }
  }

  const ElfFile& file_;
  ElfImage& image_;
  uint64_t symbols_ = 0;   // offset of the dynamic symbols
  uint64_t versions_ = 0;  // offset of their versions; 0: none
  std::map<uint16_t, std::string> version_names_;
};

litert::Expected<ElfImage> ElfImage::Parse(std::vector<uint8_t> bytes) {
  ElfImage image;
  image.bytes_ = std::move(bytes);
  const auto file = ElfFile::Of(image.bytes_);
  if (!file) return file.Error();
  if (auto whole = file->CheckIsWhole(); !whole) return whole.Error();
  ElfReader(*file, image).Read();
  return image;
}

bool ElfImage::IsCopyOf(const ElfImage& other) const {
  return build_id == other.build_id && (!build_id.empty() || bytes_ == other.bytes_);
}

bool ElfImage::ImportsPrefix(std::string_view prefix) const {
  const auto first = imports.lower_bound(prefix);
  return first != imports.end() && first->first.starts_with(prefix);
}

const ElfImage::Segment* ElfImage::SegmentOf(uint64_t address) const {
  for (const Segment& segment : segments_) {
    // Written so that no sum of the file's own numbers can wrap.
    if (address >= segment.address && address - segment.address < segment.memory_bytes) {
      return &segment;
    }
  }
  return nullptr;
}

std::span<const uint8_t> ElfImage::BytesAt(uint64_t address, size_t count) const {
  const Segment* segment = SegmentOf(address);
  if (segment == nullptr || address - segment->address >= segment->file_bytes) return {};
  const uint64_t at = address - segment->address;
  return std::span(bytes_).subspan(segment->offset + at,
                                   std::min<uint64_t>(count, segment->file_bytes - at));
}

std::optional<uint64_t> ElfImage::Word(uint64_t address) const {
  const auto bytes = BytesAt(address, sizeof(uint64_t));
  if (bytes.size() < sizeof(uint64_t)) return std::nullopt;
  uint64_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

std::optional<uint64_t> ElfImage::Pointer(uint64_t address) const {
  const auto found = pointers_.find(address);
  if (found == pointers_.end()) return std::nullopt;
  return found->second;
}

bool ElfImage::IsCode(uint64_t address) const {
  const Segment* segment = SegmentOf(address);
  return segment != nullptr && segment->is_code;
}

std::optional<uint64_t> ElfImage::ObjectSize(uint64_t address) const {
  const auto found = objects_.find(address);
  if (found == objects_.end()) return std::nullopt;
  return found->second;
}

std::set<std::string> ElfImage::Strings(size_t shortest) const {
  std::set<std::string> strings;
  for (const Segment& segment : segments_) {
    size_t start = segment.offset;
    const size_t end = segment.offset + segment.file_bytes;
    for (size_t at = start; at < end; ++at) {
      const uint8_t byte = bytes_[at];
      if (byte >= 0x20 && byte < 0x7f) continue;
      if (byte == 0 && at - start >= shortest) {
        strings.emplace(reinterpret_cast<const char*>(bytes_.data() + start), at - start);
      }
      start = at + 1;
    }
  }
  return strings;
}

}  // namespace npukit::tools
