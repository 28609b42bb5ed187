// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/program_builder.h"

#include <fmt/format.h>

#include <utility>

namespace acme {

void ProgramBuilder::Append(const Instr& instr) {
  Expected<Word> word = Encode(instr);
  if (word) {
    code_.push_back(*word);
    return;
  }
  if (!error_) {
    error_ = Error(word.Error().Code(),
                   fmt::format("instruction {}: {}", code_.size(), word.Error().Message()),
                   static_cast<int64_t>(code_.size()) * kInstructionBytes);
  }
  code_.push_back(Word{});  // keeps later indices right
}

Expected<std::vector<Word>> ProgramBuilder::Finish() {
  std::vector<Word> code = std::exchange(code_, {});
  if (std::optional<Error> error = std::exchange(error_, std::nullopt)) return *error;
  return code;
}

}  // namespace acme
