// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options as lines of TOML: key = true, key = 7, key = "text", key = [1, 2], key = ["a", "b"].

#ifndef NPUKIT_SDK_HOST_C_API_SUPPORT_TOML_OPTIONS_H_
#define NPUKIT_SDK_HOST_C_API_SUPPORT_TOML_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "litert/c/litert_common.h"

namespace npukit {

using TomlValue =
    std::variant<bool, int64_t, std::string, std::vector<int32_t>, std::vector<std::string>>;

// Visits each line's key and value; values of other kinds are left out.
// kLiteRtStatusErrorInvalidArgument for a line that is none of TOML's.
LiteRtStatus ParseTomlLines(
    std::string_view text,
    const std::function<void(std::string_view key, const TomlValue& value)>& visit);

class TomlOptions {
 public:
  void Set(std::string_view key, TomlValue value) { values_[std::string(key)] = std::move(value); }
  void Erase(std::string_view key) {
    if (const auto found = values_.find(key); found != values_.end()) values_.erase(found);
  }
  // Null if it was never set. Lives until it is set again.
  const TomlValue* Find(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }

  // Visits (key, value), by key.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const auto& [key, value] : values_) visit(key, value);
  }

  // Sets what the text says, which is of no trust; values of other kinds are left out.
  // kLiteRtStatusErrorInvalidArgument for a line that is none of TOML's.
  LiteRtStatus Parse(std::string_view text);
  std::string Text() const;

 private:
  std::map<std::string, TomlValue, std::less<>> values_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_SUPPORT_TOML_OPTIONS_H_
