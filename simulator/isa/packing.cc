// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/packing.h"

#include <array>

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

}  // namespace acme
