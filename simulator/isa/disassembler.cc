// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/codec.h"

#include <fmt/format.h>
#include "simulator/isa/info.h"
#include "simulator/isa/text.h"

namespace acme {
namespace {

std::string WordText(const Word& word) {
  return fmt::format(".word {:#010x} {:#010x} {:#010x} {:#010x}", word.w[0], word.w[1], word.w[2],
                     word.w[3]);
}

std::string ValueText(const Word& word, const FieldInfo& field) {
  const int64_t value = ReadField(word, field);
  if (field.enumeration != nullptr)
    return std::string(field.enumeration->FindValue(static_cast<uint32_t>(value))->text);
  if (field.kind == FieldKind::kSpm || field.kind == FieldKind::kDram)
    return fmt::format("{:#x}", static_cast<uint64_t>(value));
  return fmt::format("{}", value);
}

void AppendSemaphores(std::string_view keyword, const std::array<uint8_t, 2>& list,
                      std::string& text) {
  if (list[0] == 0 && list[1] == 0) return;
  text += list[1] == 0 ? fmt::format(" {}({})", keyword, list[0])
                       : fmt::format(" {}({}, {})", keyword, list[0], list[1]);
}

}  // namespace

std::string DisassembleInstruction(const Word& word) {
  Expected<Instr> instr = Decode(word);
  // Raw words keep a damaged program readable; the assembler takes them as they are, and the
  // verifier refuses them.
  if (!instr) return WordText(word) + "  # " + instr.Error().Message();
  const InstrInfo& info = InfoOf(OpcodeOf(*instr));
  std::string text(info.mnemonic);
  for (size_t i = 0; i < info.fields.size(); ++i) {
    const FieldInfo& field = info.fields[i];
    const int64_t value = ReadField(word, field);
    if (field.kind == FieldKind::kAreg) {
      if (value != 0) text += fmt::format("+a{}", value);
      continue;
    }
    const bool has_register =
        i + 1 < info.fields.size() && info.fields[i + 1].kind == FieldKind::kAreg;
    const bool register_used = has_register && ReadField(word, info.fields[i + 1]) != 0;
    // Zeros go without saying, except where they name something.
    if (value == 0 && !register_used && field.enumeration == nullptr) continue;
    text += fmt::format(" {}={}", field.name, ValueText(word, field));
  }
  AppendSemaphores("wait", instr->sync.wait, text);
  AppendSemaphores("post", instr->sync.post, text);
  return text;
}

std::string DisassembleCode(std::span<const Word> code,
                            const std::function<std::string(uint32_t pc)>& comment) {
  std::string text;
  int depth = 0;
  for (uint32_t pc = 0; pc < code.size(); ++pc) {
    const Opcode opcode = static_cast<Opcode>(code[pc].w[0] & 0xFF);
    if (opcode == Opcode::kCpEndLoop && depth > 0) --depth;
    text += fmt::format("{:{}}{}", "", 2 * depth, DisassembleInstruction(code[pc]));
    if (opcode == Opcode::kCpLoop) ++depth;
    const std::string note = comment ? comment(pc) : std::string();
    if (!note.empty()) text += "  # " + note;
    text += '\n';
  }
  return text;
}

}  // namespace acme
