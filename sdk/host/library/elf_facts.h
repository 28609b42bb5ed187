// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a shared library's file says about itself, read without running any of
// it: a plugin is looked at before it is opened.

#ifndef NPUKIT_SDK_HOST_LIBRARY_ELF_FACTS_H_
#define NPUKIT_SDK_HOST_LIBRARY_ELF_FACTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit {

struct ElfFacts {
  std::string soname;                // empty: none
  std::string build_id;              // hexadecimal; empty: none
  std::vector<std::string> needed;   // libraries, in the file's order
  std::string runpath;               // of RUNPATH or RPATH, with its colons; empty: none
  std::vector<std::string> exports;  // defined dynamic symbols, sorted
  // Undefined dynamic symbols, sorted; without weak ones, which may be missing.
  std::vector<std::string> imports;

  bool Exports(std::string_view symbol) const;
  bool Imports(std::string_view symbol) const;
  // Whether any export, or import, begins so.
  bool ExportsPrefix(std::string_view prefix) const;
  bool ImportsPrefix(std::string_view prefix) const;
};

// kAny: also one that is for another processor, of a device.
enum class ElfMachine { kThis, kAny };

// Errors: the file can't be read; it is no ELF shared library of this machine;
// it is shorter than its headers say (opening such a file would end the process
// by a bus error). Of a file of this machine that has not changed since it was
// read, by its size and times, what was read is given again. Thread-safe.
litert::Expected<ElfFacts> ReadElfFacts(const std::string& path,
                                        ElfMachine machine = ElfMachine::kThis);

// How many bytes the object at an address, counted from where the file is
// loaded, has by its full table of symbols; nullopt if there is no such object,
// or no such table since the file has been stripped.
std::optional<uint64_t> ReadObjectSize(const std::string& path, uint64_t address);

// One function that the file defines. The address counts from where the file is loaded.
struct ElfFunction {
  uint64_t address = 0;
  uint64_t size_bytes = 0;
  std::string name;  // as the linker knows it
};

// By address; of its full table of symbols where it has one, else those it exports. None of a file
// that ReadElfFacts refuses for its header.
std::vector<ElfFunction> ReadFunctions(const std::string& path);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_ELF_FACTS_H_
