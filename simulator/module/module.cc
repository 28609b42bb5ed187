// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "simulator/module/module_checksum.h"
#include "simulator/module/module_generated.h"

namespace acme {
namespace {

// FlatBuffers puts the identifier behind the root's offset.
constexpr size_t kIdentifierAt = 4;

// FlatBuffers reads in place and wants the alignment of its largest scalar; callers' bytes have any.
constexpr size_t kAlignment = 8;

// The bytes, or an aligned copy, whose owner is then another.
ModuleSource Aligned(const ModuleSource& source) {
  const std::span<const uint8_t> bytes = source.bytes;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % kAlignment == 0) return source;
  const auto words = std::make_shared<std::vector<uint64_t>>((bytes.size() + 7) / 8);
  std::memcpy(words->data(), bytes.data(), bytes.size());
  const auto* start = reinterpret_cast<const uint8_t*>(words->data());
  return {.bytes = {start, bytes.size()}, .owner = words, .passed = {}};
}

// Whether the tables are sound; says nothing about contents. The bytes must be aligned.
bool TablesAreSound(std::span<const uint8_t> bytes) {
  if (bytes.size() > kMaxModuleBytes) return false;
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), 64, 1000000);
  return fb::VerifyModuleBuffer(verifier);
}

Error Broken(const std::string& what) {
  return Error(ErrorCode::kInvalidProgram, "not a sound Acme module: " + what);
}

// Copies what tables hold. They may share it, a small file's entries one large program: what would
// come to more bytes than the file has is refused.
class Reader {
 public:
  explicit Reader(const ModuleSource& source) : source_(source), left_bytes_(source.bytes.size()) {}

  Expected<void> ReadInto(Module& module, const fb::Module& from) {
    ACME_ASSIGN_OR_RETURN(module.soc_model, Text(from.soc_model()));
    ACME_ASSIGN_OR_RETURN(module.producer, Text(from.producer()));
    if (const auto* constants = from.constants(); constants != nullptr) {
      ACME_RETURN_IF_ERROR(Take(constants->size()));
      module.constants = ConstantBytes({constants->data(), constants->size()}, source_.owner);
    }
    ACME_ASSIGN_OR_RETURN(const auto entries, Range(from.entries()));
    for (const fb::EntryPoint* entry : entries) {
      ACME_ASSIGN_OR_RETURN(ModuleEntry read, Entry(*entry));
      module.entries.push_back(std::move(read));
    }
    ACME_ASSIGN_OR_RETURN(const auto records, Range(from.debug()));
    for (const fb::DebugRecord* record : records) {
      DebugRecord read;
      ACME_ASSIGN_OR_RETURN(read.name, Text(record->name()));
      ACME_ASSIGN_OR_RETURN(read.op_indices, Range(record->op_indices()));
      module.debug.push_back(std::move(read));
    }
    return {};
  }

 private:
  Expected<void> Take(size_t size_bytes) {
    if (size_bytes > left_bytes_) return Broken("what it holds is larger than its file");
    left_bytes_ -= size_bytes;
    return {};
  }

  Expected<std::string> Text(const flatbuffers::String* text) {
    if (text == nullptr) return std::string();
    ACME_RETURN_IF_ERROR(Take(text->size()));
    return text->str();
  }

  template <class T>
  auto Range(const flatbuffers::Vector<T>* vector)
      -> Expected<std::vector<typename flatbuffers::Vector<T>::return_type>> {
    std::vector<typename flatbuffers::Vector<T>::return_type> all;
    if (vector == nullptr) return all;
    ACME_RETURN_IF_ERROR(Take(vector->size() * sizeof(T)));
    all.assign(vector->begin(), vector->end());
    return all;
  }

  Expected<std::vector<Word>> Code(const flatbuffers::Vector<uint8_t>* bytes,
                                   const std::string& of) {
    std::vector<Word> code;
    if (bytes == nullptr) return code;
    if (bytes->size() % kInstructionBytes != 0)
      return Broken("the code of " + of + " is not a whole number of instructions");
    ACME_RETURN_IF_ERROR(Take(bytes->size()));
    code.resize(bytes->size() / kInstructionBytes);
    if (!code.empty()) std::memcpy(code.data(), bytes->data(), bytes->size());
    return code;
  }

  Expected<ModuleVariant> Variant(const fb::Variant& from, const std::string& entry) {
    ModuleVariant variant;
    ACME_ASSIGN_OR_RETURN(const auto guards, Range(from.guards()));
    for (const fb::Guard* guard : guards) {
      if (guard->kind() > fb::GuardKind::MAX)
        return Broken("a guard of " + entry + " is of an unknown kind");
      variant.guards.push_back({static_cast<ModuleGuard::Kind>(guard->kind()), guard->binding(),
                                guard->limit(), guard->row_elems(), guard->margin()});
    }
    ACME_ASSIGN_OR_RETURN(variant.code, Code(from.code(), "a variant of " + entry));
    ACME_ASSIGN_OR_RETURN(variant.roofline_cycles, Range(from.roofline_cycles()));
    variant.macs = from.macs();
    return variant;
  }

  Expected<ModuleEntry> Entry(const fb::EntryPoint& from) {
    ModuleEntry entry;
    ACME_ASSIGN_OR_RETURN(entry.name, Text(from.name()));
    ACME_ASSIGN_OR_RETURN(const auto bindings, Range(from.bindings()));
    for (const fb::Binding* binding : bindings) {
      ACME_ASSIGN_OR_RETURN(std::string name, Text(binding->name()));
      entry.bindings.push_back(
          {std::move(name), binding->size_bytes(), binding->output(), binding->initial()});
    }
    entry.workspace_bytes = from.workspace_bytes();
    entry.macs = from.macs();
    ACME_ASSIGN_OR_RETURN(entry.roofline_cycles, Range(from.roofline_cycles()));
    ACME_ASSIGN_OR_RETURN(entry.code, Code(from.code(), entry.name));
    ACME_ASSIGN_OR_RETURN(const auto variants, Range(from.variants()));
    for (const fb::Variant* variant : variants) {
      ACME_ASSIGN_OR_RETURN(ModuleVariant read, Variant(*variant, entry.name));
      entry.variants.push_back(std::move(read));
    }
    return entry;
  }

  const ModuleSource& source_;
  size_t left_bytes_;
};

// Whether a FlatBuffer may begin there: its first four bytes are where its root stands.
bool HasRoot(std::span<const uint8_t> bytes) {
  uint32_t root;
  if (bytes.size() < sizeof(root)) return false;
  std::memcpy(&root, bytes.data(), sizeof(root));
  return root % sizeof(root) == 0 && root <= bytes.size() - sizeof(root);
}

// The module that begins there, if one does. The bytes around a module are untrusted as well: only what parses
// whole, with its checksum, is one.
std::optional<Module> ModuleAt(const ModuleSource& source, size_t begin) {
  ModuleSource rest = source;
  rest.bytes = source.bytes.subspan(begin);
  if (rest.bytes.size() > kMaxModuleBytes) rest.bytes = rest.bytes.first(kMaxModuleBytes);
  if (!HasRoot(rest.bytes)) return std::nullopt;  // before what is not aligned is copied
  ModuleSource module = Aligned(rest);
  if (!TablesAreSound(module.bytes)) return std::nullopt;
  const uint64_t size_bytes = fb::GetModule(module.bytes.data())->size_bytes();
  if (size_bytes > module.bytes.size()) return std::nullopt;
  module.bytes = module.bytes.first(size_bytes);
  Expected<Module> parsed = ParseModuleInPlace(module);
  if (!parsed) return std::nullopt;
  return std::move(*parsed);
}

}  // namespace

const ModuleEntry* Module::FindEntry(std::string_view name) const {
  for (const ModuleEntry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

Expected<void> ResealModule(std::span<uint8_t> bytes) {
  const ModuleSource aligned = Aligned({.bytes = bytes});
  if (!LooksLikeModule(bytes)) return Broken("it does not begin like one");
  if (!TablesAreSound(aligned.bytes)) return Broken("its tables are damaged");
  // An offset in the copy is one in the caller's bytes, which are what is changed.
  const size_t at = ChecksumOffset(aligned.bytes, *fb::GetModule(aligned.bytes.data()));
  if (at >= bytes.size()) return Broken("it has no checksum");
  WriteChecksum(bytes, at);
  return {};
}

bool LooksLikeModule(std::span<const uint8_t> bytes) {
  return bytes.size() >= 8 &&
         std::memcmp(bytes.data() + kIdentifierAt, fb::ModuleIdentifier(), 4) == 0;
}

Expected<Module> ParseModule(std::span<const uint8_t> bytes) {
  ACME_ASSIGN_OR_RETURN(Module module, ParseModuleInPlace({.bytes = bytes}));
  module.constants = module.constants.Kept();
  return module;
}

Expected<Module> ParseModuleInPlace(const ModuleSource& any_source) {
  const ModuleSource source = Aligned(any_source);
  const std::span<const uint8_t> bytes = source.bytes;
  if (!LooksLikeModule(bytes)) return Broken("it does not begin like one");
  if (!TablesAreSound(bytes)) return Broken("its tables are damaged");
  const fb::Module& from = *fb::GetModule(bytes.data());
  if (from.size_bytes() != bytes.size()) return Broken("wrong size");
  const size_t at = ChecksumOffset(bytes, from);
  if (at >= bytes.size() || Checksum(source, at) != from.checksum())
    return Broken("wrong checksum");
  if (from.isa_major() != kIsaVersionMajor || from.isa_minor() > kIsaVersionMinor) {
    return Error(ErrorCode::kIncompatible,
                 fmt::format("made for ISA version {}.{}, this is {}.{}", from.isa_major(),
                             from.isa_minor(), kIsaVersionMajor, kIsaVersionMinor));
  }
  Module module;
  module.isa_major = from.isa_major();
  module.isa_minor = from.isa_minor();
  module.program_key = from.program_key();
  ACME_RETURN_IF_ERROR(Reader(source).ReadInto(module, from));
  return module;
}

std::vector<Module> FindModules(const ModuleSource& source) {
  std::vector<Module> found;
  const std::string_view text(reinterpret_cast<const char*>(source.bytes.data()),
                              source.bytes.size());
  constexpr size_t kIdentifierBytes = flatbuffers::FlatBufferBuilder::kFileIdentifierLength;
  for (size_t begin = 0; begin < text.size(); begin += kStretchBytes) {
    // An identifier may begin in this stretch and end in the next.
    const std::string_view stretch = text.substr(begin, kStretchBytes + kIdentifierBytes - 1);
    for (size_t at = stretch.find(fb::ModuleIdentifier()); at != std::string_view::npos;
         at = stretch.find(fb::ModuleIdentifier(), at + 1)) {
      if (begin + at < kIdentifierAt) continue;
      if (std::optional<Module> module = ModuleAt(source, begin + at - kIdentifierAt))
        found.push_back(std::move(*module));
    }
    if (source.passed)
      source.passed(source.bytes.subspan(begin, std::min(kStretchBytes, stretch.size())));
  }
  return found;
}

}  // namespace acme
