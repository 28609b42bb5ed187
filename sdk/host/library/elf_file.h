// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a 64-bit, little-endian ELF file of whatever machine. They are read when they are
// asked for, and nothing that the file says of places and sizes is trusted: what lies outside of
// the file is not there.

#ifndef NPUKIT_SDK_HOST_LIBRARY_ELF_FILE_H_
#define NPUKIT_SDK_HOST_LIBRARY_ELF_FILE_H_

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit {

class ElfFile {
 public:
  // What its dynamic section names.
  struct Names {
    std::string soname;               // empty: none
    std::vector<std::string> needed;  // in the file's order
    std::string runpath;              // of RUNPATH or RPATH, with its colons; empty: none
  };

  // Errors: it can't be opened, is no file, or has no headers of a 64-bit little-endian ELF file.
  static litert::Expected<ElfFile> Open(const std::string& path);
  // `bytes` outlive it.
  static litert::Expected<ElfFile> Of(std::span<const uint8_t> bytes);

  ElfFile(ElfFile&& other) noexcept;
  ElfFile& operator=(ElfFile&&) = delete;
  ~ElfFile();

  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  uint64_t size_bytes() const { return size_bytes_; }

  // Errors: a loaded segment ends behind the file (a process that opens such a file is ended by a
  // bus error), or there is none.
  litert::Expected<void> CheckIsWhole() const;

  // False if the file does not hold all of the value.
  template <typename T>
  bool At(uint64_t offset, T* value) const {
    return Read(offset, value, sizeof(T));
  }
  // As many whole entries as the file holds of a table.
  template <typename T>
  std::vector<T> Entries(const Elf64_Shdr& table) const {
    if (table.sh_entsize != sizeof(T)) return {};
    return EntriesAt<T>(table.sh_offset, table.sh_size);
  }
  template <typename T>
  std::vector<T> EntriesAt(uint64_t offset, uint64_t size_bytes) const {
    const std::vector<uint8_t> bytes = Bytes(offset, size_bytes);
    std::vector<T> entries(bytes.size() / sizeof(T));
    if (!entries.empty()) std::memcpy(entries.data(), bytes.data(), entries.size() * sizeof(T));
    return entries;
  }
  // As many as the file holds.
  std::vector<uint8_t> Bytes(uint64_t offset, uint64_t size_bytes) const;
  std::vector<uint8_t> Bytes(const Elf64_Shdr& section) const;
  // The table of strings that a section refers to; empty if there is none.
  std::vector<uint8_t> StringsOf(const Elf64_Shdr& section) const;
  // Where in the file a loaded address stands; nullopt outside and in memory without bytes.
  std::optional<uint64_t> OffsetOf(uint64_t address) const;

  std::vector<Elf64_Dyn> DynamicEntries() const;
  Names ReadNames() const;
  std::string BuildId() const;  // hexadecimal; empty: none

 private:
  ElfFile() = default;
  litert::Expected<void> ReadHeaders();
  bool Read(uint64_t offset, void* to, size_t size) const;

  int descriptor_ = -1;  // -1: of bytes
  std::span<const uint8_t> bytes_;
  uint64_t size_bytes_ = 0;
  Elf64_Ehdr header_ = {};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
};

// The string that begins there and ends within the table; null if none does.
const char* ElfString(const std::vector<uint8_t>& strings, uint64_t offset);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_ELF_FILE_H_
