// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/control/handle_kernel.h"

#include <fmt/format.h>

namespace npukit {
namespace {

int32_t NumberOf(std::span<const uint8_t> handle) {
  int32_t number = 0;
  std::memcpy(&number, handle.data(), sizeof(number));
  return number;
}

}  // namespace

litert::Expected<HashTable*> HandleUser::TableOf(std::span<const uint8_t> handle) const {
  const int32_t number = NumberOf(handle);
  HashTable* table = state_.FindTable(number);
  if (table == nullptr) return Invalid(fmt::format("there is no table {}", number));
  return table;
}

litert::Expected<ResourceVariable*> HandleUser::VariableOf(std::span<const uint8_t> handle) const {
  const int32_t number = NumberOf(handle);
  ResourceVariable* variable = state_.FindVariable(number);
  if (variable == nullptr) return Invalid(fmt::format("there is no variable {}", number));
  return variable;
}

litert::Unexpected HandleUser::Invalid(std::string_view what) const {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, fmt::format("{}: {}", name_, what));
}

}  // namespace npukit
