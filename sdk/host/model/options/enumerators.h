// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The enumerators of the schema's enums, for what takes them by name.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_ENUMERATORS_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_ENUMERATORS_H_

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sdk/host/model/options/op_options.h"

namespace npukit {

// With their names, in the order of their values.
template <typename E>
std::vector<std::pair<E, std::string>> Enumerators() {
  std::vector<std::pair<E, std::string>> enumerators;
  for (int number = 0; number <= std::numeric_limits<int8_t>::max(); ++number) {
    const auto candidate = static_cast<E>(static_cast<std::underlying_type_t<E>>(number));
    std::string name = EnumName(candidate);
    // What is no enumerator has its number for a name.
    if (name != fmt::format("{}", number)) enumerators.emplace_back(candidate, std::move(name));
  }
  return enumerators;
}

template <typename E>
std::optional<E> EnumeratorOf(std::string_view name) {
  for (const auto& [enumerator, known] : Enumerators<E>()) {
    if (known == name) return enumerator;
  }
  return std::nullopt;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_ENUMERATORS_H_
