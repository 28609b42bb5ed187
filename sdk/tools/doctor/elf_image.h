// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A 64-bit shared library of whatever machine, read as bytes: a vendor's library for a phone is
// looked at on a workstation. Nothing of it is loaded or run.

#ifndef NPUKIT_SDK_TOOLS_DOCTOR_ELF_IMAGE_H_
#define NPUKIT_SDK_TOOLS_DOCTOR_ELF_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

struct ElfSymbol {
  uint64_t address = 0;  // counted from where the file is loaded
  uint64_t size_bytes = 0;
  bool is_function = false;
};

class ElfImage {
 public:
  // Errors say what is wrong where: those of ElfFile. `bytes` are of no trust.
  static litert::Expected<ElfImage> Parse(std::vector<uint8_t> bytes);

  std::string machine;   // "x86-64", "aarch64", else the number
  std::string soname;    // empty: none
  std::string build_id;  // hexadecimal; empty: none
  std::string runpath;   // with its colons; empty: none
  std::string compiler;  // of .comment, one of several after the other with ", "
  std::vector<std::string> needed;
  std::map<std::string, ElfSymbol, std::less<>> exports;
  std::map<std::string, std::string, std::less<>>
      imports;  // but weak ones; with the version asked for, or ""
  // Some relocations are in Android's packed form, which is not read: words may be missing.
  bool has_unread_relocations = false;

  bool Exports(std::string_view name) const { return exports.contains(name); }
  // The same file: by the build id, or by all bytes where neither has one.
  bool IsCopyOf(const ElfImage& other) const;
  bool ImportsPrefix(std::string_view prefix) const;

  // The eight bytes at an address as they stand in the file; nullopt outside of it and in zeroed
  // memory that has no bytes (which are 0).
  std::optional<uint64_t> Word(uint64_t address) const;
  // Where the loader lets the word at an address point, if within this file; nullopt for a word
  // that is no pointer.
  std::optional<uint64_t> Pointer(uint64_t address) const;
  bool IsCode(uint64_t address) const;
  // Bytes of the object that begins there, by any table of symbols.
  std::optional<uint64_t> ObjectSize(uint64_t address) const;
  // The addresses of all words with pointers, ascending.
  const std::map<uint64_t, uint64_t>& pointers() const { return pointers_; }
  // The file's bytes from an address on, at most `count`; empty outside.
  std::span<const uint8_t> BytesAt(uint64_t address, size_t count) const;
  // Every run of printable characters of at least `shortest` that a zero ends.
  std::set<std::string> Strings(size_t shortest) const;

 private:
  struct Segment {
    uint64_t address, offset, file_bytes, memory_bytes;
    bool is_code;
  };
  friend class ElfReader;
  const Segment* SegmentOf(uint64_t address) const;

  std::vector<uint8_t> bytes_;
  std::vector<Segment> segments_;
  std::map<uint64_t, uint64_t> pointers_;
  std::map<uint64_t, uint64_t> objects_;  // size by address
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DOCTOR_ELF_IMAGE_H_
