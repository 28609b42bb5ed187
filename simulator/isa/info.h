// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// isa.def as data: for the assembler, the disassembler, the documentation and error messages.

#ifndef NPUKIT_SIMULATOR_ISA_INFO_H_
#define NPUKIT_SIMULATOR_ISA_INFO_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "simulator/isa/instruction.h"

namespace acme {

struct FieldInfo {
  std::string_view name;
  int lsb;   // bit in the 128-bit word, >= 32
  int bits;  // <= 32
  FieldKind kind;
  const EnumInfo* enumeration;  // for kEnum
  std::string_view doc;
};

struct InstrInfo {
  Opcode opcode;
  Engine engine;
  std::string_view name;      // of the struct: "MStream"
  std::string_view mnemonic;  // "m.stream"
  std::string_view summary;
  std::span<const FieldInfo> fields;
  std::string_view semantics;
  std::string_view timing;
  std::string_view traps;
};

// Every instruction, in the order of isa.def.
std::span<const InstrInfo> AllInstructions();

// Of an opcode that exists.
const InstrInfo& InfoOf(Opcode opcode);

// nullptr when there is none.
const InstrInfo* FindMnemonic(std::string_view mnemonic);

// The raw bits of a field, sign-extended for kInt.
int64_t ReadField(const Word& word, const FieldInfo& field);
// Overwrites a field with the low bits of value.
void WriteField(Word& word, const FieldInfo& field, int64_t value);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_INFO_H_
