// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs as text (.acm files) and back.
//
// One instruction a line: mnemonic, fields as name=value in any order, then semaphores:
//
//   # comment to the end of the line
//   .soc acme_a1                     which hardware the program is for
//   .binding in x 1024               the entry point's bindings, in order: in or out, name, bytes
//   .binding out y 1024
//   .workspace 4096                  DRAM workspace bytes
//   .constant 00 01 ff               appends bytes to the constants (hex), or
//   .constant_fill 0x00 64           value and count
//   .handle 1 "conv_1"               names debug handle 1
//   cp.mark handle=1
//   ld.copy binding=0 dram=0 spm=0x100+a3 bytes=64 post(1)
//   m.stream addr=0 acc=0 m=8 row_stride=32 swap=1 wait(1, 2) post(3)
//   cp.halt
//
// Names of the program, of bindings and of handles may hold anything within quotes: \" and \\ stand
// for one character, \x and two hexadecimal digits for any byte. Those of letters, digits, '.', '_',
// ':' and '-' need no quotes, but for a handle's.
//
// Fields that are not given are zero (fields of kind "size" must be given). Numbers are decimal or
// 0x hexadecimal; f32 values may be written f:1.5. An address field takes its register as a suffix:
// spm=0x100+a3.

#ifndef NPUKIT_SIMULATOR_ISA_TEXT_H_
#define NPUKIT_SIMULATOR_ISA_TEXT_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/isa/expected.h"
#include "simulator/isa/instruction.h"

namespace acme {

struct TextBinding {
  std::string name;
  uint64_t size_bytes = 0;
  bool output = false;
};

// What a .acm file holds: an entry point without its container.
struct TextProgram {
  std::string soc_model;
  std::vector<TextBinding> bindings;
  uint64_t workspace_bytes = 0;
  std::vector<uint8_t> constants;
  std::vector<std::string> handle_names;  // [h - 1]
  std::vector<Word> code;
  std::vector<int> lines;  // source line of each instruction
};

// Reads text. Errors: "source:line:column: what".
Expected<TextProgram> Assemble(std::string_view text, std::string_view source);

// A name as it stands between quotes, on one line; and as a directive takes it, in quotes where it needs
// them.
std::string EscapedName(std::string_view name);
std::string NameText(std::string_view name);

// One instruction as text, without a newline. Bits that no field covers or values that no name has
// are shown so that assembling gives an error, never another instruction.
std::string DisassembleInstruction(const Word& word);

// Code as text, loops indented. comment(pc), if given, is appended to lines as a comment where it
// is not empty.
std::string DisassembleCode(std::span<const Word> code,
                            const std::function<std::string(uint32_t pc)>& comment = {});

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_TEXT_H_
