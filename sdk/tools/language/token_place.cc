// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/token_place.h"

#include <fmt/format.h>

#include <cstring>

namespace npukit::tools {

std::optional<TokenStep> FindTokenStep(const Model& model, const std::string& key) {
  const auto signatures = FindLanguageSignatures(model);
  const LanguageSignature* found = signatures ? FindLanguageSignature(*signatures, key) : nullptr;
  // A split model's takes neither tokens nor positions.
  if (found == nullptr || found->is_split()) return std::nullopt;
  return TokenStep{*found, signatures->caches, signatures->context};
}

void WritePositions(std::span<uint8_t> input, int32_t first) {
  for (size_t i = 0; i < input.size() / sizeof(int32_t); ++i) {
    const int32_t position = first + static_cast<int32_t>(i);
    std::memcpy(input.data() + i * sizeof(position), &position, sizeof(position));
  }
}

void WritePositions(const LanguageSignature& signature, int32_t first, SignatureRunner& runner) {
  WritePositions(runner.input(signature.positions_input), first);
}

litert::Expected<void> CheckPosition(const TokenStep& step, int32_t position) {
  if (position < 0 || position > step.LastPosition()) {
    return litert::Unexpected(
        litert::Status::kErrorInvalidArgument,
        fmt::format("position {}: the tokens of '{}' stand within the {} positions of the context "
                    "from 0 to {} on",
                    position, step.signature.key, step.context, step.LastPosition()));
  }
  return {};
}

int32_t PositionOf(const TokenStep& step, SignatureRunner& runner) {
  int32_t position = 0;
  std::memcpy(&position, runner.input(step.signature.positions_input).data(), sizeof(position));
  return position;
}

}  // namespace npukit::tools
