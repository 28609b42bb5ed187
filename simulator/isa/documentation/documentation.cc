// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/documentation/documentation.h"

#include <fmt/format.h>

#include <string_view>

#include "simulator/isa/info.h"
#include "simulator/isa/types.h"

namespace acme {
namespace {

constexpr std::string_view kPreface =
    R"(This page is made from simulator/isa/isa.def by `ninja isa_doc`; a test fails when the two differ. Why it is as it is stands in
adr/0003-acme-isa.md, what instructions cost in timing.md.

## Machine

Five engines work at the same time: a command processor (cp) that fetches, runs loops and dispatches, and load (ld), matrix
(m), vector (v) and store (st), each with an in-order queue. They share

- the scratchpad: bytes, little-endian, no alignment rules, in word-interleaved banks; undefined at the start;
- the accumulators: rows of C 32-bit words, C the array's columns; written by the matrix engine, read by the vector engine;
- DRAM, seen as numbered buffers: 0 the module's constants, 1 a workspace, 2 + i the entry point's i-th binding;
- 63 counting semaphores of 0 to 255, all 0 at the start.

**Order.** An engine begins its instructions in program order and completes them in program order; what an instruction writes
is seen by every later instruction of the same engine. Between engines nothing is ordered but by semaphores: an instruction
waits until both semaphores it names are above zero and takes one from each (the same one named twice: two), and posts
its two when its results can be seen by all. Two accesses of different engines to the same bytes, one of them a write, with no chain of
semaphores between them are a race; the result is undefined, and the simulator's race checker reports it.

**Configuration** instructions set registers of their engine; they stay until changed and act on later instructions only.

**Loops** (cp.loop, cp.endloop) nest 8 deep. **Address registers** a1 .. a15 (a0 is zero) belong to the command processor, which adds the
one named after an address field (`spm=0x100+a3`) when it dispatches the instruction.

**Traps.** There are none at run time: what could go wrong is refused by the verifier before the program starts (listed as "refused" below),
except a deadlock, a semaphore above 255 and the end of the caller's cycle budget, which end the run with a report.

## Encoding

128 bits, four little-endian 32-bit words.

| bits | field |
| --- | --- |
| 0..7 | opcode: engine << 5 \| operation |
| 8..13, 14..19 | semaphores to wait for; 0 is none |
| 20..25, 26..31 | semaphores to post; 0 is none |
| 32..127 | payload: fields from bit 32 upwards; bits beyond the last field are zero |

## Arithmetic

**MBQM**, MultiplyByQuantizedMultiplier(x, mult, shift), with mult a fraction of 31 bits:

- double: h = (x * 2^max(shift, 0) modulo 2^32) * mult, h = floor((h + 2^30) / 2^31), saturated when both factors are -2^31; then h / 2^max(-shift, 0), rounded half away from zero;
- single: floor((x * mult + 2^(30 - shift)) / 2^(31 - shift));
- wide: x of 64 bits, m = mult rounded to 16 bits ((mult + 2^15) >> 16, at most 0x7FFF): (x * m + 2^(14 - shift)) >> (15 - shift), shift at most 7;
- real: x of 64 bits: binary64(x) times the scale, rounded to binary64, then half away from zero; -2^31 where that is not in 32 bits.
  The scale is mult * 2^(shift - 31); records have it as binary64.

Integer sums wrap modulo 2^32 (2^64 where 64 bits are said). **binary32**: every product, sum, difference and quotient is rounded to nearest
even on its own; there is no fused multiply-add; sums have the order given below. max and min return the second operand when one is NaN.
The functions of v.unary are computed in binary64 and rounded once: at most 1 ULP from the true value (exp, log, tanh, logistic, gelu, elu, sin, cos),
sqrt, recip, floor, ceil, round exact.

)";

std::string_view KindText(const FieldInfo& field) {
  switch (field.kind) {
    case FieldKind::kUint:
      return "unsigned";
    case FieldKind::kInt:
      return "signed";
    case FieldKind::kSize:
      return "unsigned, not 0";
    case FieldKind::kFlag:
      return "flag";
    case FieldKind::kEnum:
      return field.enumeration->name;
    case FieldKind::kSpm:
      return "scratchpad address";
    case FieldKind::kAcc:
      return "accumulator row";
    case FieldKind::kDram:
      return "DRAM offset";
    case FieldKind::kBinding:
      return "buffer";
    case FieldKind::kBindingOut:
      return "writable buffer";
    case FieldKind::kAreg:
      return "address register";
    case FieldKind::kAregTarget:
      return "address register, not a0";
  }
  return "";
}

// Text for a table cell: a bar would end it.
std::string Cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void AppendEnum(const EnumInfo& info, std::string& page) {
  page += fmt::format("### {}\n\n{}\n\n| value | text | meaning |\n| --- | --- | --- |\n",
                      info.name, info.doc);
  for (const EnumValueInfo& value : info.values)
    page += fmt::format("| {} | {} | {} |\n", value.value, value.text, Cell(value.doc));
  page += "\n";
}

void AppendInstruction(const InstrInfo& info, std::string& page) {
  page += fmt::format("### {}\n\n{}. Opcode {}.\n\n", info.mnemonic, info.summary,
                      static_cast<int>(info.opcode));
  if (!info.fields.empty()) {
    page += "| bits | field | kind | meaning |\n| --- | --- | --- | --- |\n";
    for (const FieldInfo& field : info.fields) {
      const int last = field.lsb + field.bits - 1;
      const std::string bits =
          field.bits == 1 ? fmt::format("{}", field.lsb) : fmt::format("{}..{}", field.lsb, last);
      page += fmt::format("| {} | {} | {} | {} |\n", bits, field.name, KindText(field),
                          Cell(field.doc));
    }
    page += "\n";
  }
  if (!info.semantics.empty()) page += fmt::format("```\n{}\n```\n\n", info.semantics);
  page += fmt::format("Time: {}.\nRefused: {}.\n\n", info.timing, info.traps);
}

}  // namespace

std::string IsaDocumentation() {
  std::string page = fmt::format("# The Acme instruction set, version {}.{}\n\n", kIsaVersionMajor,
                                 kIsaVersionMinor);
  page += kPreface;
  page += "## Enumerations\n\n";
  for (const EnumInfo* info : AllEnums()) AppendEnum(*info, page);
  for (const EnumValueInfo& engine : EnumInfoOf<Engine>().values) {
    page += fmt::format("## {}: {}\n\n", engine.text, engine.doc);
    for (const InstrInfo& info : AllInstructions()) {
      if (static_cast<uint8_t>(info.engine) == engine.value) AppendInstruction(info, page);
    }
  }
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace acme
