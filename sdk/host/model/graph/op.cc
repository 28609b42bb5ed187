// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/op.h"

#include <fmt/format.h>

#include <array>

namespace npukit {
namespace {

constexpr std::string_view kOpNames[] = {
#define BUILTIN(name, value, options) #name,
#include "sdk/host/model/graph/builtin_operators.def"
};

constexpr LiteRtOpCode kOpCodes[] = {
#define BUILTIN(name, value, options) static_cast<LiteRtOpCode>(value),
#include "sdk/host/model/graph/builtin_operators.def"
};

constexpr OptionsKind kOptionsKinds[] = {
#define BUILTIN(name, value, options) kOptionsKind<options>,
#include "sdk/host/model/graph/builtin_operators.def"
};

// The table lists every value from 0 on, so that a code is its own position.
constexpr bool CodesAreDense() {
  for (size_t i = 0; i < std::size(kOpCodes); ++i) {
    if (kOpCodes[i] != static_cast<LiteRtOpCode>(i)) return false;
  }
  return true;
}
static_assert(CodesAreDense());
static_assert(kLiteRtOpCodeShloComposite == 206 && kLiteRtOpCodeTflCustom == 32);

}  // namespace

std::string OpName(const Op& op) {
  return op.code == kLiteRtOpCodeTflCustom ? op.custom_code : OpCodeName(op.code);
}

std::string OpCodeName(LiteRtOpCode code) {
  const auto index = static_cast<size_t>(code);
  if (index < std::size(kOpNames)) return std::string(kOpNames[index]);
  return fmt::format("BUILTIN {}", static_cast<int64_t>(code));
}

std::optional<LiteRtOpCode> OpCodeFromName(std::string_view name) {
  for (size_t i = 0; i < std::size(kOpNames); ++i) {
    if (kOpNames[i] == name) return kOpCodes[i];
  }
  return std::nullopt;
}

OpOptions DefaultOptions(LiteRtOpCode code) {
  const auto index = static_cast<size_t>(code);
  return index < std::size(kOptionsKinds) ? OpOptions::Default(kOptionsKinds[index]) : OpOptions();
}

std::span<const LiteRtOpCode> AllOpCodes() { return kOpCodes; }

}  // namespace npukit
