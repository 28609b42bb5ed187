// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/module.h"
#include "simulator/module/module_checksum.h"
#include "simulator/module/module_generated.h"

namespace acme {
namespace {

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

// Of a table, or of a vector beside its elements: offsets, sizes and alignment.
constexpr uint64_t kTableBytes = 128;

uint64_t MostBytesOfCode(const std::vector<Word>& code, const std::vector<uint64_t>& cycles) {
  return code.size() * kInstructionBytes + cycles.size() * sizeof(uint64_t) + 2 * kTableBytes;
}

}  // namespace

uint64_t MostBytes(const Module& module) {
  uint64_t bytes =
      module.constants.size() + module.soc_model.size() + module.producer.size() + 4 * kTableBytes;
  for (const ModuleEntry& entry : module.entries) {
    bytes += entry.name.size() + MostBytesOfCode(entry.code, entry.roofline_cycles) + kTableBytes;
    for (const ModuleBinding& binding : entry.bindings) bytes += binding.name.size() + kTableBytes;
    for (const ModuleVariant& variant : entry.variants) {
      bytes += MostBytesOfCode(variant.code, variant.roofline_cycles) +
               (variant.guards.size() + 1) * kTableBytes;
    }
  }
  for (const DebugRecord& record : module.debug)
    bytes += record.name.size() + record.op_indices.size() * sizeof(uint32_t) + kTableBytes;
  return bytes;
}

std::vector<uint8_t> SerializeModule(const Module& module) {
  // A builder that grows copies all that it has.
  flatbuffers::FlatBufferBuilder builder(MostBytes(module));
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
  const auto constants = builder.CreateVector(module.constants.data(), module.constants.size());
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
  Seal(bytes, *fb::GetModule(bytes.data()));
  return bytes;
}

}  // namespace acme
