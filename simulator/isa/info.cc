// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/info.h"

#include <array>
#include <vector>

namespace acme {
namespace {

template <class T>
const EnumInfo* EnumOrNull() {
  if constexpr (std::is_enum_v<T>) {
    return &EnumInfoOf<T>();
  } else {
    return nullptr;
  }
}

struct RawField {
  std::string_view name;
  int bits;
  FieldKind kind;
  const EnumInfo* enumeration;
  std::string_view doc;
};

struct RawInstr {
  InstrInfo info;
  std::vector<RawField> fields;
};

std::vector<RawInstr> ReadDefinition() {
  std::vector<RawInstr> all;
#define ACME_INSTR_BEGIN(Name, mnemonic, engine, op, summary) \
  all.push_back(                                              \
      {{Opcode::k##Name, Engine::k##engine, #Name, mnemonic, summary, {}, {}, {}, {}}, {}});
#define ACME_FIELD(type, name, bits, kind, doc) \
  all.back().fields.push_back({#name, bits, FieldKind::k##kind, EnumOrNull<type>(), doc});
#define ACME_TEXT(semantics_text, timing_text, traps_text) \
  all.back().info.semantics = semantics_text;              \
  all.back().info.timing = timing_text;                    \
  all.back().info.traps = traps_text;
#define ACME_INSTR_END(Name)
#include "simulator/isa/isa.def"
#undef ACME_INSTR_BEGIN
#undef ACME_FIELD
#undef ACME_TEXT
#undef ACME_INSTR_END
  return all;
}

// Owns the tables that the spans point into; built once, never changed.
struct Tables {
  Tables() {
    for (const RawInstr& raw : ReadDefinition()) {
      int lsb = 32;
      std::vector<FieldInfo>& list = fields.emplace_back();
      for (const RawField& field : raw.fields) {
        list.push_back({field.name, lsb, field.bits, field.kind, field.enumeration, field.doc});
        lsb += field.bits;
      }
      instrs.push_back(raw.info);
    }
    by_opcode.fill(0);
    for (size_t i = 0; i < instrs.size(); ++i) {
      instrs[i].fields = fields[i];
      by_opcode[static_cast<uint8_t>(instrs[i].opcode)] = static_cast<int>(i);
    }
  }
  std::vector<std::vector<FieldInfo>> fields;
  std::vector<InstrInfo> instrs;
  std::array<int, 256> by_opcode;
};

const Tables& TheTables() {
  static const Tables tables;
  return tables;
}

#define ACME_INSTR_BEGIN(Name, mnemonic, engine, op, summary) static_assert(op < 32 && (0
#define ACME_FIELD(type, name, bits, kind, doc) +bits
#define ACME_TEXT(semantics, timing, traps)
#define ACME_INSTR_END(Name) ) <= kPayloadBits, #Name " does not fit its payload");
#include "simulator/isa/isa.def"
#undef ACME_INSTR_BEGIN
#undef ACME_FIELD
#undef ACME_TEXT
#undef ACME_INSTR_END

}  // namespace

std::span<const InstrInfo> AllInstructions() { return TheTables().instrs; }

const InstrInfo& InfoOf(Opcode opcode) {
  const Tables& tables = TheTables();
  return tables.instrs[tables.by_opcode[static_cast<uint8_t>(opcode)]];
}

const InstrInfo* FindMnemonic(std::string_view mnemonic) {
  for (const InstrInfo& info : AllInstructions()) {
    if (info.mnemonic == mnemonic) return &info;
  }
  return nullptr;
}

int64_t ReadField(const Word& word, const FieldInfo& field) {
  const int at = field.lsb / 32;
  const int shift = field.lsb % 32;
  uint64_t raw = word.w[at] >> shift;
  if (shift + field.bits > 32) raw |= static_cast<uint64_t>(word.w[at + 1]) << (32 - shift);
  raw &= (uint64_t{1} << field.bits) - 1;
  int64_t value = static_cast<int64_t>(raw);
  if (field.kind == FieldKind::kInt && (raw >> (field.bits - 1)) != 0)
    value -= int64_t{1} << field.bits;
  return value;
}

void WriteField(Word& word, const FieldInfo& field, int64_t value) {
  for (int i = 0; i < field.bits; ++i) {
    const int bit = field.lsb + i;
    const uint32_t mask = uint32_t{1} << (bit % 32);
    if ((static_cast<uint64_t>(value) >> i) & 1) {
      word.w[bit / 32] |= mask;
    } else {
      word.w[bit / 32] &= ~mask;
    }
  }
}

}  // namespace acme
