// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Instructions as C++ values, made from isa.def, and their 128-bit form.
//
//   bits   0..7    opcode: engine (3 bits) << 5 | op (5 bits)
//   bits   8..13   first semaphore to wait for, 14..19 second (0: none)
//   bits  20..25   first semaphore to post when done, 26..31 second (0: none)
//   bits  32..127  payload: the fields from bit 32 upwards, in the order of isa.def; then zeros
//
// An instruction begins when every earlier instruction of its engine has begun, its unit is free
// and both semaphores are above zero; it then takes one from each. It posts when its results can be
// seen by every engine.

#ifndef NPUKIT_SIMULATOR_ISA_INSTRUCTION_H_
#define NPUKIT_SIMULATOR_ISA_INSTRUCTION_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

#include "simulator/isa/types.h"

namespace acme {

inline constexpr int kInstructionBytes = 16;
inline constexpr int kPayloadBits = 96;

// One encoded instruction; in memory and in modules four little-endian 32-bit words.
struct Word {
  std::array<uint32_t, 4> w = {};
  friend bool operator==(const Word&, const Word&) = default;
};
static_assert(sizeof(Word) == kInstructionBytes);

enum class Opcode : uint8_t {
#define ACME_INSTR_BEGIN(Name, mnemonic, engine, op, summary) \
  k##Name = (static_cast<int>(Engine::k##engine) << 5) | op,
#define ACME_FIELD(type, name, bits, kind, doc)
#define ACME_TEXT(semantics, timing, traps)
#define ACME_INSTR_END(Name)
#include "simulator/isa/isa.def"
#undef ACME_INSTR_BEGIN
#undef ACME_FIELD
#undef ACME_INSTR_END
};

constexpr Engine EngineOf(Opcode opcode) {
  return static_cast<Engine>(static_cast<uint8_t>(opcode) >> 5);
}

// Semaphores of an instruction; 0 is none.
struct Sync {
  std::array<uint8_t, 2> wait = {};
  std::array<uint8_t, 2> post = {};
  friend bool operator==(const Sync&, const Sync&) = default;
};

// What a field holds: decides the operand checks, the assembly syntax and the documentation.
enum class FieldKind : uint8_t {
  kUint,        // any unsigned value
  kInt,         // two's complement
  kSize,        // unsigned, not zero
  kFlag,        // one bit
  kEnum,        // a value of the field's C++ enumeration
  kSpm,         // scratchpad byte address
  kAcc,         // accumulator row
  kDram,        // byte offset in a binding
  kBinding,     // buffer number, readable
  kBindingOut,  // buffer number, writable
  kAreg,        // address register added to the field before; 0 is none
  kAregTarget,  // address register that is written; not 0
};

namespace isa {

// The structs: isa::LdCopy, isa::MStream, ... one member per field, all zero at first.
#define ACME_INSTR_BEGIN(Name, mnemonic, engine, op, summary) \
  struct Name {                                               \
    static constexpr Opcode kOpcode = Opcode::k##Name;
#define ACME_FIELD(type, name, bits, kind, doc) type name = {};
#define ACME_INSTR_END(Name)                                  \
  friend bool operator==(const Name&, const Name&) = default; \
  }                                                           \
  ;
#include "simulator/isa/isa.def"
#undef ACME_INSTR_BEGIN
#undef ACME_FIELD
#undef ACME_INSTR_END

// VisitFields(instruction, visitor): calls visitor.template Field<bits, kind>(member) for every
// field, in order.
#define ACME_INSTR_BEGIN(Name, mnemonic, engine, op, summary) \
  template <class I, class V>                                 \
  requires std::is_same_v<std::remove_const_t<I>, Name>       \
  constexpr void VisitFields([[maybe_unused]] I& instr, [[maybe_unused]] V&& visitor) {
#define ACME_FIELD(type, name, bits, kind, doc) \
  visitor.template Field<bits, FieldKind::k##kind>(instr.name);
#define ACME_INSTR_END(Name) }
#include "simulator/isa/isa.def"
#undef ACME_INSTR_BEGIN
#undef ACME_FIELD
#undef ACME_INSTR_END

}  // namespace isa

// Whether v.chain has the operation.
constexpr bool IsChained(BinaryOp op) {
  return op == BinaryOp::kAdd || op == BinaryOp::kSub || op == BinaryOp::kMul ||
         op == BinaryOp::kMax || op == BinaryOp::kMin;
}

// Whether a reduction picks one of its elements, or its magnitude.
constexpr bool IsExtreme(ReduceOp op) {
  return op == ReduceOp::kMax || op == ReduceOp::kMin || op == ReduceOp::kMaxMagnitude;
}

// Whether a lane divides integers: nothing but int32.
constexpr bool DividesIntegers(BinaryOp op) {
  return op == BinaryOp::kFloorDiv || op == BinaryOp::kFloorMod;
}

// Whether a lane divides.
constexpr bool IsDivision(BinaryOp op) { return op == BinaryOp::kDiv || DividesIntegers(op); }

// Of which types its operands and its result are.
constexpr Dtype FirstOf(const isa::VBinary& instr) {
  return instr.convert_a ? Dtype::kI8 : instr.dtype;
}
constexpr Dtype SecondOf(const isa::VBinary& instr) {
  return instr.convert_b ? Dtype::kI8 : instr.dtype;
}
constexpr Dtype ResultOf(const isa::VBinary& instr) {
  return instr.op == BinaryOp::kMulRound || instr.convert_dst ? Dtype::kI8 : instr.dtype;
}
constexpr Dtype ResultOf(const isa::VDrain& instr) { return instr.out; }
constexpr Dtype ResultOf(const isa::VDepthwise& instr) {
  return instr.scaled ? Dtype::kF32 : instr.dtype;
}
constexpr Dtype ResultOf(const isa::VChain& instr) {
  return instr.convert_dst ? Dtype::kI8 : Dtype::kF32;
}

// Any instruction. The monostate at the end only lets the list below end in a comma.
using AnyInstr = std::variant<
#define ACME_INSTR_BEGIN(Name, mnemonic, engine, op, summary) isa::Name,
#define ACME_FIELD(type, name, bits, kind, doc)
#define ACME_INSTR_END(Name)
#include "simulator/isa/isa.def"
#undef ACME_INSTR_BEGIN
#undef ACME_FIELD
#undef ACME_TEXT
#undef ACME_INSTR_END
    std::monostate>;

// A decoded instruction.
struct Instr {
  Sync sync;
  AnyInstr op;
  friend bool operator==(const Instr&, const Instr&) = default;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_INSTRUCTION_H_
