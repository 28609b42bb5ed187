// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdio>

#include "simulator/isa/codec.h"
#include "simulator/isa/info.h"
#include "simulator/isa/text.h"

namespace acme {
namespace {

std::string Hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string WordText(const Word& word) {
  char text[64];
  std::snprintf(text, sizeof(text), ".word 0x%08x 0x%08x 0x%08x 0x%08x", word.w[0], word.w[1],
                word.w[2], word.w[3]);
  return text;
}

std::string ValueText(const Word& word, const FieldInfo& field) {
  const int64_t value = ReadField(word, field);
  if (field.enumeration != nullptr)
    return std::string(field.enumeration->FindValue(static_cast<uint32_t>(value))->text);
  if (field.kind == FieldKind::kSpm || field.kind == FieldKind::kDram)
    return Hex(static_cast<uint64_t>(value));
  return std::to_string(value);
}

void AppendSemaphores(std::string_view keyword, const std::array<uint8_t, 2>& list,
                      std::string& text) {
  if (list[0] == 0 && list[1] == 0) return;
  text += ' ';
  text += keyword;
  text += '(' + std::to_string(list[0]);
  if (list[1] != 0) text += ", " + std::to_string(list[1]);
  text += ')';
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
      if (value != 0) text += "+a" + std::to_string(value);
      continue;
    }
    const bool has_register =
        i + 1 < info.fields.size() && info.fields[i + 1].kind == FieldKind::kAreg;
    const bool register_used = has_register && ReadField(word, info.fields[i + 1]) != 0;
    // Zeros go without saying, except where they name something.
    if (value == 0 && !register_used && field.enumeration == nullptr) continue;
    text += ' ';
    text += field.name;
    text += '=';
    text += ValueText(word, field);
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
    text += std::string(static_cast<size_t>(depth) * 2, ' ') + DisassembleInstruction(code[pc]);
    if (opcode == Opcode::kCpLoop) ++depth;
    const std::string note = comment ? comment(pc) : std::string();
    if (!note.empty()) text += "  # " + note;
    text += '\n';
  }
  return text;
}

}  // namespace acme
