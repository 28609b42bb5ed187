// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "simulator/module/module_generated.h"

namespace acme {
namespace {

static_assert(std::endian::native == std::endian::little,
              "modules are read in place as little-endian words");

// A 64-bit mixing hash over 8-byte words, the tail padded with zeros; finds flips and cuts, not
// attacks.
// The constants are 2^64 over the golden ratio and a multiplier of MurmurHash3's finalizer. The
// size is part of the start, or zeros at the end would not be seen. The checksum's own eight bytes
// count as zeros.
uint64_t Hash(std::span<const uint8_t> bytes, size_t zeroed_at) {
  uint64_t hash = 0x9E3779B97F4A7C15u ^ bytes.size();
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint8_t chunk[8] = {};
    std::memcpy(chunk, bytes.data() + at, std::min<size_t>(8, bytes.size() - at));
    if (at + 8 > zeroed_at && at < zeroed_at + 8) {
      for (size_t i = 0; i < 8; ++i) {
        if (at + i >= zeroed_at && at + i < zeroed_at + 8) chunk[i] = 0;
      }
    }
    uint64_t word;
    std::memcpy(&word, chunk, 8);
    hash = (hash ^ word) * 0xFF51AFD7ED558CCDu;
    hash ^= hash >> 32;
  }
  return hash;
}

// Where a field of eight bytes stands in verified bytes.
size_t FieldOffset(std::span<const uint8_t> bytes, const fb::Module& module,
                   flatbuffers::voffset_t which) {
  // Generated tables inherit Table privately, and only the object API would copy all the constants.
  const auto& table = reinterpret_cast<const flatbuffers::Table&>(module);
  const uint8_t* field = table.GetAddressOf(which);
  return field == nullptr ? bytes.size() : static_cast<size_t>(field - bytes.data());
}

size_t ChecksumOffset(std::span<const uint8_t> bytes, const fb::Module& module) {
  return FieldOffset(bytes, module, fb::Module::VT_CHECKSUM);
}

void WriteChecksum(std::span<uint8_t> bytes, size_t at) {
  const uint64_t checksum = Hash(bytes, at);
  std::memcpy(bytes.data() + at, &checksum, sizeof(checksum));
}

// FlatBuffers reads in place and wants the alignment of its largest vector; callers' bytes have
// any.
constexpr size_t kAlignment = 32;

class AlignedBytes {
 public:
  explicit AlignedBytes(std::span<const uint8_t> bytes) : bytes_(bytes) {
    if (reinterpret_cast<uintptr_t>(bytes.data()) % kAlignment == 0) return;
    copy_.resize(bytes.size() + kAlignment);
    void* start = copy_.data();
    size_t room = copy_.size();
    std::align(kAlignment, bytes.size(), start, room);
    std::memcpy(start, bytes.data(), bytes.size());
    bytes_ = {static_cast<const uint8_t*>(start), bytes.size()};
  }
  std::span<const uint8_t> get() const { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
  std::vector<uint8_t> copy_;
};

// Whether the tables are sound; says nothing about contents. The bytes must be aligned.
bool TablesAreSound(std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), 64, 1000000);
  return fb::VerifyModuleBuffer(verifier);
}

Error Broken(const std::string& what) {
  return Error(ErrorCode::kInvalidProgram, "not a sound Acme module: " + what);
}

flatbuffers::Offset<flatbuffers::Vector<uint8_t>> WriteCode(
    const std::vector<Word>& code, flatbuffers::FlatBufferBuilder& builder) {
  const size_t bytes = code.size() * kInstructionBytes;
  builder.ForceVectorAlignment(bytes, 1, kInstructionBytes);
  return builder.CreateVector(reinterpret_cast<const uint8_t*>(code.data()), bytes);
}

flatbuffers::Offset<fb::Variant> WriteVariant(const ModuleVariant& variant,
                                              flatbuffers::FlatBufferBuilder& builder) {
  std::vector<flatbuffers::Offset<fb::Guard>> guards;
  for (const ModuleGuard& guard : variant.guards) {
    guards.push_back(fb::CreateGuard(builder, static_cast<fb::GuardKind>(guard.kind), guard.binding,
                                     guard.limit, guard.row_elems, guard.margin));
  }
  const auto guard_list = builder.CreateVector(guards);
  const auto code = WriteCode(variant.code, builder);
  const auto roofline = builder.CreateVector(variant.roofline_cycles);
  return fb::CreateVariant(builder, guard_list, code, roofline, variant.macs);
}

// Copies what tables hold. They may share it, a small file's entries one large program: what would
// come to more bytes than the file has is refused.
class Reader {
 public:
  explicit Reader(size_t file_bytes) : left_bytes_(file_bytes) {}

  Expected<void> ReadInto(Module& module, const fb::Module& from) {
    ACME_ASSIGN_OR_RETURN(module.soc_model, Text(from.soc_model()));
    ACME_ASSIGN_OR_RETURN(module.producer, Text(from.producer()));
    ACME_ASSIGN_OR_RETURN(module.constants, Range(from.constants()));
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

  size_t left_bytes_;
};

}  // namespace

const ModuleEntry* Module::FindEntry(std::string_view name) const {
  for (const ModuleEntry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::vector<uint8_t> SerializeModule(const Module& module) {
  flatbuffers::FlatBufferBuilder builder(module.constants.size() + 4096);
  builder.ForceDefaults(true);  // the checksum field must be there to be filled in
  std::vector<flatbuffers::Offset<fb::EntryPoint>> entries;
  for (const ModuleEntry& entry : module.entries) {
    std::vector<flatbuffers::Offset<fb::Binding>> bindings;
    for (const ModuleBinding& binding : entry.bindings) {
      bindings.push_back(fb::CreateBinding(builder, builder.CreateString(binding.name),
                                           binding.size_bytes, binding.output, binding.initial));
    }
    const auto binding_list = builder.CreateVector(bindings);
    const auto name = builder.CreateString(entry.name);
    const auto code = WriteCode(entry.code, builder);
    const auto roofline = builder.CreateVector(entry.roofline_cycles);
    std::vector<flatbuffers::Offset<fb::Variant>> variants;
    for (const ModuleVariant& variant : entry.variants)
      variants.push_back(WriteVariant(variant, builder));
    // Modules without them are as they were before there were any.
    const auto variant_list =
        variants.empty()
            ? flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::Variant>>>()
            : builder.CreateVector(variants);
    entries.push_back(fb::CreateEntryPoint(builder, name, binding_list, entry.workspace_bytes, code,
                                           roofline, entry.macs, variant_list));
  }
  std::vector<flatbuffers::Offset<fb::DebugRecord>> debug;
  for (const DebugRecord& record : module.debug) {
    const auto name = builder.CreateString(record.name);
    debug.push_back(fb::CreateDebugRecord(builder, name, builder.CreateVector(record.op_indices)));
  }
  builder.ForceVectorAlignment(module.constants.size(), 1, 32);
  const auto constants = builder.CreateVector(module.constants);
  const auto entry_list = builder.CreateVector(entries);
  const auto debug_list = builder.CreateVector(debug);
  const auto soc_model = builder.CreateString(module.soc_model);
  const auto producer = builder.CreateString(module.producer);
  fb::FinishModuleBuffer(builder, fb::CreateModule(builder, module.isa_major, module.isa_minor,
                                                   soc_model, module.program_key, entry_list,
                                                   constants, debug_list, producer, 0, 0));
  std::vector<uint8_t> bytes(builder.GetBufferPointer(),
                             builder.GetBufferPointer() + builder.GetSize());
  // Size and checksum are about finished bytes: their fields were made with zeros, and are filled
  // in.
  const fb::Module& written = *fb::GetModule(bytes.data());
  const uint64_t size_bytes = bytes.size();
  std::memcpy(bytes.data() + FieldOffset(bytes, written, fb::Module::VT_SIZE_BYTES), &size_bytes,
              sizeof(size_bytes));
  WriteChecksum(bytes, ChecksumOffset(bytes, written));
  return bytes;
}

Expected<void> ResealModule(std::span<uint8_t> bytes) {
  const AlignedBytes aligned(bytes);
  if (!LooksLikeModule(bytes)) return Broken("it does not begin like one");
  if (!TablesAreSound(aligned.get())) return Broken("its tables are damaged");
  // An offset in the copy is one in the caller's bytes, which are what is changed.
  const size_t at = ChecksumOffset(aligned.get(), *fb::GetModule(aligned.get().data()));
  if (at >= bytes.size()) return Broken("it has no checksum");
  WriteChecksum(bytes, at);
  return {};
}

bool LooksLikeModule(std::span<const uint8_t> bytes) {
  return bytes.size() >= 8 && std::memcmp(bytes.data() + 4, fb::ModuleIdentifier(), 4) == 0;
}

Expected<Module> ParseModule(std::span<const uint8_t> any_bytes) {
  const AlignedBytes aligned(any_bytes);
  const std::span<const uint8_t> bytes = aligned.get();
  if (!LooksLikeModule(bytes)) return Broken("it does not begin like one");
  if (!TablesAreSound(bytes)) return Broken("its tables are damaged");
  const fb::Module& from = *fb::GetModule(bytes.data());
  if (from.size_bytes() != bytes.size()) return Broken("wrong size");
  const size_t at = ChecksumOffset(bytes, from);
  if (at >= bytes.size() || Hash(bytes, at) != from.checksum()) return Broken("wrong checksum");
  if (from.isa_major() != kIsaVersionMajor || from.isa_minor() > kIsaVersionMinor) {
    return Error(ErrorCode::kIncompatible,
                 fmt::format("made for ISA version {}.{}, this is {}.{}", from.isa_major(),
                             from.isa_minor(), kIsaVersionMajor, kIsaVersionMinor));
  }
  Module module;
  module.isa_major = from.isa_major();
  module.isa_minor = from.isa_minor();
  module.program_key = from.program_key();
  ACME_RETURN_IF_ERROR(Reader(bytes.size()).ReadInto(module, from));
  return module;
}

std::vector<std::span<const uint8_t>> FindModules(std::span<const uint8_t> bytes) {
  std::vector<std::span<const uint8_t>> found;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // FlatBuffers puts the identifier behind four bytes, the root's offset. The bytes around a module
  // are untrusted as well: only what parses whole, with its checksum, is one.
  for (size_t at = text.find(fb::ModuleIdentifier(), 4); at != std::string_view::npos;
       at = text.find(fb::ModuleIdentifier(), at + 1)) {
    const std::span<const uint8_t> rest = bytes.subspan(at - 4);
    const AlignedBytes aligned(rest);
    if (!TablesAreSound(aligned.get())) continue;
    const uint64_t size_bytes = fb::GetModule(aligned.get().data())->size_bytes();
    if (size_bytes <= rest.size() && ParseModule(aligned.get().first(size_bytes))) {
      found.push_back(rest.first(size_bytes));
    }
  }
  return found;
}

}  // namespace acme
