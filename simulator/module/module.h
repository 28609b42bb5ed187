// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The container of compiled programs: what a compiler writes, a driver loads and npukit-disasm
// reads.

#ifndef NPUKIT_SIMULATOR_MODULE_MODULE_H_
#define NPUKIT_SIMULATOR_MODULE_MODULE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "simulator/isa/expected.h"
#include "simulator/isa/instruction.h"
#include "simulator/module/constant_bytes.h"

namespace acme {

// A DRAM buffer that the caller provides.
struct ModuleBinding {
  std::string name;
  uint64_t size_bytes = 0;
  bool output = false;  // the program writes it; it is not read before
  // Of an output, above 0: before the program runs it holds what binding initial - 1 holds, an input
  // of its size, which the program does not read. The two may be one buffer.
  uint32_t initial = 0;
  friend bool operator==(const ModuleBinding&, const ModuleBinding&) = default;
};

// What must be so of the elements of an input binding.
struct ModuleGuard {
  enum class Kind : uint8_t {
    kBelow,   // int32: all are in [0, limit)
    kHidden,  // float32 rows: in each, the largest of [limit, row_elems) is at least `margin` below
              // the largest of [0, limit)
    kUnset,   // bool rows: in each, none of [limit, row_elems) is set, and one of [0, limit) is
  };
  Kind kind = Kind::kBelow;
  uint32_t binding = 0;
  uint32_t limit = 0;
  uint32_t row_elems = 0;  // not of kBelow
  float margin = 0;        // of kHidden
  friend bool operator==(const ModuleGuard&, const ModuleGuard&) = default;
};

// A program that takes less for the calls whose inputs pass all its guards, and gives the same
// results. It has the bindings and the workspace of its entry point.
struct ModuleVariant {
  std::vector<ModuleGuard> guards;
  std::vector<Word> code;
  std::vector<uint64_t> roofline_cycles;  // as ModuleEntry's
  uint64_t macs = 0;
  friend bool operator==(const ModuleVariant&, const ModuleVariant&) = default;
};

// One program, and shorter ones.
struct ModuleEntry {
  std::string name;
  std::vector<ModuleBinding> bindings;  // [i] is buffer kFirstIoBinding + i
  uint64_t workspace_bytes = 0;         // buffer kWorkspaceBinding
  std::vector<Word> code;
  // Lower bounds of busy cycles, by Engine, for roofline reports; empty or kEngineCount long.
  std::vector<uint64_t> roofline_cycles;
  uint64_t macs = 0;
  std::vector<ModuleVariant> variants;  // in the place of `code`: the first that passes
  friend bool operator==(const ModuleEntry&, const ModuleEntry&) = default;
};

// What a debug handle stands for.
struct DebugRecord {
  std::string name;
  std::vector<uint32_t> op_indices;  // of the partition's operators
  friend bool operator==(const DebugRecord&, const DebugRecord&) = default;
};

struct Module {
  uint16_t isa_major = kIsaVersionMajor;
  uint16_t isa_minor = kIsaVersionMinor;
  std::string soc_model;
  uint64_t program_key = 0;  // Hardware::ProgramKey()
  std::vector<ModuleEntry> entries;
  ConstantBytes constants;         // buffer kConstantsBinding
  std::vector<DebugRecord> debug;  // handle h is debug[h - 1]
  std::string producer;

  // nullptr when there is none.
  const ModuleEntry* FindEntry(std::string_view name) const;
  friend bool operator==(const Module&, const Module&) = default;
};

// A module's bytes are not more than this: as far as the offsets of its tables reach.
inline constexpr uint64_t kMaxModuleBytes = (uint64_t{1} << 31) - 2;

// The module as bytes; the same bytes for the same module. MostBytes(module) must not be above kMaxModuleBytes.
std::vector<uint8_t> SerializeModule(const Module& module);

// As many bytes as SerializeModule gives, or some more.
uint64_t MostBytes(const Module& module);

// Reads untrusted bytes. Errors: not a module, cut short, wrong checksum (kInvalidProgram); ISA
// version of another major or a newer minor (kIncompatible). The code itself is checked by
// simulator/module/verify.h, when a device loads the module.
Expected<Module> ParseModule(std::span<const uint8_t> bytes);

// Bytes that modules are read from, which keep their constants there.
struct ModuleSource {
  std::span<const uint8_t> bytes;
  // Keeps the bytes; without one they must outlive the modules.
  std::shared_ptr<const void> owner;
  // May be empty. Told of stretches that have been read to their end, of whole files in order, so that a
  // mapped file's memory can be given back. They may be read again.
  std::function<void(std::span<const uint8_t>)> passed;
};

// As ParseModule, but the constants stay in the source's bytes if these are aligned to eight bytes.
Expected<Module> ParseModuleInPlace(const ModuleSource& source);

// Makes the checksum of a module's bytes right again after others of them were changed. An error if
// its tables are not sound.
Expected<void> ResealModule(std::span<uint8_t> bytes);

// Whether the bytes begin like a module.
bool LooksLikeModule(std::span<const uint8_t> bytes);

// Modules inside other bytes (a compiled model carries them at its end): every sound one, as
// ParseModuleInPlace reads it.
std::vector<Module> FindModules(const ModuleSource& source);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_MODULE_MODULE_H_
