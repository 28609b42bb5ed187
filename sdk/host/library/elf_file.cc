// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/elf_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace npukit {
namespace {

litert::Unexpected NotLoadable(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorDynamicLoading, what);
}

// The build id among notes, each of which is a header, a name and bytes, both padded to a multiple
// of `alignment`; empty if there is none.
std::string BuildIdOf(const std::vector<uint8_t>& notes, size_t alignment) {
  const auto padded = [&](size_t size) { return (size + alignment - 1) / alignment * alignment; };
  size_t at = 0;
  Elf64_Nhdr note = {};
  while (at < notes.size() && notes.size() - at >= sizeof note) {
    std::memcpy(&note, notes.data() + at, sizeof note);
    const size_t name = at + sizeof note;
    const size_t begin = name + padded(note.n_namesz);
    // Sizes are the file's word: nothing is added before it is known to fit. (n_namesz has 32 bits,
    // so the sum above can't wrap.)
    if (begin > notes.size() || note.n_descsz > notes.size() - begin) break;
    at = begin + padded(note.n_descsz);
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
        std::memcmp(notes.data() + name, "GNU", 4) != 0) {
      continue;
    }
    std::string id;
    for (size_t i = 0; i < note.n_descsz; ++i) id += fmt::format("{:02x}", notes[begin + i]);
    return id;
  }
  return "";
}

}  // namespace

const char* ElfString(const std::vector<uint8_t>& strings, uint64_t offset) {
  if (offset >= strings.size()) return nullptr;
  const uint8_t* text = strings.data() + offset;
  if (std::memchr(text, '\0', strings.size() - offset) == nullptr) return nullptr;
  return reinterpret_cast<const char*>(text);
}

litert::Expected<ElfFile> ElfFile::Open(const std::string& path) {
  ElfFile file;
  file.descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (file.descriptor_ < 0 || fstat(file.descriptor_, &status) != 0) {
    return NotLoadable(std::string("can't be opened: ") + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) return NotLoadable("not a file");
  file.size_bytes_ = static_cast<uint64_t>(status.st_size);
  if (auto read = file.ReadHeaders(); !read) return read.Error();
  return file;
}

litert::Expected<ElfFile> ElfFile::Of(std::span<const uint8_t> bytes) {
  ElfFile file;
  file.bytes_ = bytes;
  file.size_bytes_ = bytes.size();
  if (auto read = file.ReadHeaders(); !read) return read.Error();
  return file;
}

ElfFile::ElfFile(ElfFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(other.bytes_),
      size_bytes_(other.size_bytes_),
      header_(other.header_),
      segments_(std::move(other.segments_)),
      sections_(std::move(other.sections_)) {}

ElfFile::~ElfFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

litert::Expected<void> ElfFile::ReadHeaders() {
  if (!At(0, &header_) || std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0) {
    return NotLoadable("not an ELF file");
  }
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
    return NotLoadable("expected 64 bits, little-endian");
  }
  if (header_.e_type != ET_DYN) {
    return NotLoadable(fmt::format("ELF type {}: expected a shared library (3)", header_.e_type));
  }
  // Counts that their 16 bits do not hold stand in the first section.
  Elf64_Shdr first = {};
  const bool has_sections =
      header_.e_shoff != 0 && header_.e_shentsize == sizeof first && At(header_.e_shoff, &first);
  if (has_sections) {
    const uint64_t count = header_.e_shnum != 0 ? header_.e_shnum : first.sh_size;
    // Sections may be stripped, and a file without them still loads: what can't be read of them is
    // passed over. Without segments nothing loads.
    if (count <= (size_bytes_ - header_.e_shoff) / sizeof first) {
      sections_ = EntriesAt<Elf64_Shdr>(header_.e_shoff, count * sizeof first);
    }
  }
  const uint64_t count = header_.e_phnum != PN_XNUM ? header_.e_phnum : first.sh_info;
  if (count == 0) return NotLoadable("no program headers");
  if (header_.e_phentsize == sizeof(Elf64_Phdr)) {
    segments_ = EntriesAt<Elf64_Phdr>(header_.e_phoff, count * sizeof(Elf64_Phdr));
  }
  if (segments_.size() != count) return NotLoadable("cut off in its program headers");
  return {};
}

litert::Expected<void> ElfFile::CheckIsWhole() const {
  for (size_t i = 0; i < segments_.size(); ++i) {
    const Elf64_Phdr& segment = segments_[i];
    // What the loader maps: it would succeed on a file that is cut off there, and the process would
    // end with SIGBUS at the first touch.
    if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) continue;
    if (segment.p_offset > size_bytes_ || segment.p_filesz > size_bytes_ - segment.p_offset) {
      return NotLoadable(fmt::format("cut off: segment {} ends at byte {}, the file at {}", i,
                                     segment.p_offset + segment.p_filesz, size_bytes_));
    }
  }
  return {};
}

bool ElfFile::Read(uint64_t offset, void* to, size_t size) const {
  if (offset > size_bytes_ || size > size_bytes_ - offset) return false;
  if (descriptor_ < 0) {
    if (size > 0) std::memcpy(to, bytes_.data() + offset, size);
    return true;
  }
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

std::vector<uint8_t> ElfFile::Bytes(uint64_t offset, uint64_t size_bytes) const {
  if (offset >= size_bytes_) return {};
  std::vector<uint8_t> bytes(std::min(size_bytes, size_bytes_ - offset));
  if (!Read(offset, bytes.data(), bytes.size())) bytes.clear();
  return bytes;
}

std::vector<uint8_t> ElfFile::Bytes(const Elf64_Shdr& section) const {
  if (section.sh_type == SHT_NOBITS) return {};
  return Bytes(section.sh_offset, section.sh_size);
}

std::vector<uint8_t> ElfFile::StringsOf(const Elf64_Shdr& section) const {
  if (section.sh_link >= sections_.size()) return {};
  const Elf64_Shdr& strings = sections_[section.sh_link];
  return strings.sh_type == SHT_STRTAB ? Bytes(strings) : std::vector<uint8_t>();
}

std::optional<uint64_t> ElfFile::OffsetOf(uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  return std::nullopt;
}

std::vector<Elf64_Dyn> ElfFile::DynamicEntries() const {
  std::vector<Elf64_Dyn> entries;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_DYNAMIC) continue;
    entries = EntriesAt<Elf64_Dyn>(segment.p_offset, segment.p_filesz);
  }
  const auto end = std::find_if(entries.begin(), entries.end(),
                                [](const Elf64_Dyn& entry) { return entry.d_tag == DT_NULL; });
  entries.erase(end, entries.end());
  return entries;
}

ElfFile::Names ElfFile::ReadNames() const {
  const std::vector<Elf64_Dyn> entries = DynamicEntries();
  std::optional<uint64_t> offset;
  uint64_t size_bytes = size_bytes_;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_STRTAB) offset = OffsetOf(entry.d_un.d_ptr);
    if (entry.d_tag == DT_STRSZ) size_bytes = entry.d_un.d_val;
  }
  if (!offset) return {};
  const std::vector<uint8_t> strings = Bytes(*offset, size_bytes);
  Names names;
  for (const Elf64_Dyn& entry : entries) {
    const char* text = ElfString(strings, entry.d_un.d_val);
    if (text == nullptr) continue;
    if (entry.d_tag == DT_SONAME) names.soname = text;
    if (entry.d_tag == DT_NEEDED) names.needed.emplace_back(text);
    // The loader ignores the older of the two where both stand.
    if (entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && names.runpath.empty())) {
      names.runpath = text;
    }
  }
  return names;
}

std::string ElfFile::BuildId() const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_NOTE) continue;
    const std::string id =
        BuildIdOf(Bytes(segment.p_offset, segment.p_filesz), segment.p_align == 8 ? 8 : 4);
    if (!id.empty()) return id;
  }
  return "";
}

}  // namespace npukit
