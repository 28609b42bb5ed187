// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/packing.h"

#include <array>
#include <cstring>

namespace acme {
namespace {

constexpr size_t kHeadBytes = 3;

using Bytes = std::array<uint8_t, kInstructionBytes>;

Bytes BytesOf(const Word& word) {
  Bytes bytes;
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(word.w[i / 4] >> (8 * (i % 4)));
  return bytes;
}

Word WordOf(const Bytes& bytes) {
  Word word;
  for (size_t i = 0; i < bytes.size(); ++i)
    word.w[i / 4] |= static_cast<uint32_t>(bytes[i]) << (8 * (i % 4));
  return word;
}

// The last instruction of each opcode.
class LastOfOpcodes {
 public:
  // Of the instruction with that index in its program.
  Bytes& Of(uint8_t opcode, size_t index) {
    if (index % kPackedBlock == 0) last_.fill({});
    return last_[opcode];
  }

 private:
  std::array<Bytes, 256> last_ = {};
};

}  // namespace

std::vector<uint8_t> PackInstructions(std::span<const Word> code) {
  std::vector<uint8_t> packed;
  LastOfOpcodes last;
  for (size_t i = 0; i < code.size(); ++i) {
    const Bytes bytes = BytesOf(code[i]);
    Bytes& before = last.Of(bytes[0], i);
    const size_t head = packed.size();
    packed.insert(packed.end(), {bytes[0], 0, 0});
    uint16_t differs = 0;
    for (size_t b = 1; b < bytes.size(); ++b) {
      if (bytes[b] == before[b]) continue;
      differs = static_cast<uint16_t>(differs | 1 << (b - 1));
      packed.push_back(bytes[b]);
    }
    packed[head + 1] = static_cast<uint8_t>(differs);
    packed[head + 2] = static_cast<uint8_t>(differs >> 8);
    before = bytes;
  }
  return packed;
}

std::vector<uint32_t> PackedEnds(std::span<const Word> code) {
  std::vector<uint32_t> ends;
  ends.reserve(code.size());
  LastOfOpcodes last;
  uint32_t end = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    const Bytes bytes = BytesOf(code[i]);
    Bytes& before = last.Of(bytes[0], i);
    end += kHeadBytes;
    for (size_t b = 1; b < bytes.size(); ++b) end += bytes[b] != before[b] ? 1 : 0;
    before = bytes;
    ends.push_back(end);
  }
  return ends;
}

Expected<std::vector<Word>> UnpackInstructions(std::span<const uint8_t> packed) {
  std::vector<Word> code;
  LastOfOpcodes last;
  for (size_t at = 0; at < packed.size();) {
    const auto cut = [&] {
      return Error(ErrorCode::kInvalidProgram, "the packed code ends within an instruction",
                   static_cast<int64_t>(packed.size()));
    };
    if (at + kHeadBytes > packed.size()) return cut();
    Bytes& bytes = last.Of(packed[at], code.size());
    bytes[0] = packed[at];
    const int differs = packed[at + 1] | packed[at + 2] << 8;
    at += kHeadBytes;
    for (size_t b = 1; b < bytes.size(); ++b) {
      if ((differs >> (b - 1) & 1) == 0) continue;
      if (at == packed.size()) return cut();
      bytes[b] = packed[at++];
    }
    code.push_back(WordOf(bytes));
  }
  return code;
}

}  // namespace acme
