// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/doctor/copy_size.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace npukit::tools {
namespace {

// Bytes that the x86-64 store with its opcode at `at` writes; 0: another instruction.
//
// No decoder: instructions have no fixed length, so every byte is tried as an opcode, and what
// stands before and after it has to fit. A byte of a constant can look like a store; it would have
// to lie beyond the furthest real one to matter, and only sizes that mean something are made use of
// (library_file.cc).
//
//   48, 4c    REX.W: 64 bits, of a register up to rdi or from r8 on
//   0f        the two-byte opcodes of SSE, whatever prefix makes them one type or another
uint64_t StoredBytes(std::span<const uint8_t> code, size_t at) {
  const uint8_t before = at > 0 ? code[at - 1] : 0;
  const uint8_t opcode = code[at];
  if (opcode == 0x89 && (before == 0x48 || before == 0x4c)) return 8;  // mov
  if (opcode == 0xc7 && before == 0x48) return 8;                      // mov of a constant
  const bool is_half = opcode == 0x13 || opcode == 0x17 || opcode == 0xd6;
  if (is_half && before == 0x0f) return 8;  // movlps, movhps, movq
  const bool is_vector = opcode == 0x11 || opcode == 0x29 || opcode == 0x7f;
  if (is_vector && before == 0x0f) return 16;  // movups, movaps, movdqu
  // The same as AVX: C5 and a byte whose bit 2 says 32 bytes.
  if (is_vector && at > 1 && code[at - 2] == 0xc5) return (before & 4) != 0 ? 32 : 16;
  return 0;
}

std::optional<uint64_t> CopySizeX86(std::span<const uint8_t> code) {
  uint64_t furthest = 0;
  for (size_t at = 1; at + 2 < code.size(); ++at) {
    const uint64_t stored = StoredBytes(code, at);
    const uint8_t operand = code[at + 1];
    const uint8_t base = operand & 7;  // rdi, or rbx that holds it after a call
    if (stored == 0 || (base != 7 && base != 3)) continue;
    // Of the ModRM byte: mode 0 has no displacement, mode 1 one of a signed byte. A table of some
    // fifty bytes needs no more.
    const uint8_t mode = operand >> 6;
    if (mode == 0) furthest = std::max(furthest, stored);
    if (mode == 1 && code[at + 2] < 0x80) furthest = std::max(furthest, code[at + 2] + stored);
  }
  return furthest == 0 ? std::nullopt : std::optional(furthest);
}

std::optional<uint64_t> CopySizeArm(std::span<const uint8_t> code) {
  // Instructions have four bytes here, and those of one form differ from each other outside of
  // `mask` alone: the field of the offset, which counts units, and the registers.
  struct Store {
    uint32_t bits, mask, field_bits, shift, unit_bytes, stored_bytes;
  };
  static constexpr Store kStores[] = {
      {0xa9000000, 0xffc00000, 7, 15, 8, 16},    // stp x, x
      {0xad000000, 0xffc00000, 7, 15, 16, 32},   // stp q, q
      {0xf9000000, 0xffc00000, 12, 10, 8, 8},    // str x
      {0x3d800000, 0xffc00000, 12, 10, 16, 16},  // str q
      {0x3c800000, 0xffe00c00, 9, 12, 1, 16},    // stur q
  };
  uint64_t furthest = 0;
  for (size_t at = 0; at + 4 <= code.size(); at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, code.data() + at, sizeof word);
    const uint32_t base = word >> 5 & 31;  // x0, or x19 that holds it after a call
    if (base != 0 && base != 19) continue;
    for (const Store& store : kStores) {
      const uint32_t field = word >> store.shift & ((1u << store.field_bits) - 1);
      const bool is_negative = store.field_bits != 12 && field >> (store.field_bits - 1) != 0;
      if ((word & store.mask) != store.bits || is_negative) continue;
      furthest = std::max<uint64_t>(furthest, field * store.unit_bytes + store.stored_bytes);
    }
  }
  return furthest == 0 ? std::nullopt : std::optional(furthest);
}

}  // namespace

std::optional<uint64_t> CopySize(std::string_view machine, std::span<const uint8_t> code) {
  if (machine == "x86-64") return CopySizeX86(code);
  if (machine == "aarch64") return CopySizeArm(code);
  return std::nullopt;
}

}  // namespace npukit::tools
