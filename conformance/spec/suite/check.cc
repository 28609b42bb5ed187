// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/suite/check.h"

#include <algorithm>

namespace npukit::conformance {
namespace {

constexpr CheckInfo kChecks[] = {
#define CHECK(klass, name, needs, asks) {#klass "." #name, #klass, CheckNeeds::needs, asks},
#include "conformance/spec/suite/checks.def"
};

}  // namespace

std::span<const CheckInfo> AllChecks() { return kChecks; }

const CheckInfo* FindCheck(std::string_view id) {
  const auto* found = std::find_if(std::begin(kChecks), std::end(kChecks),
                                   [&](const CheckInfo& c) { return c.id == id; });
  return found == std::end(kChecks) ? nullptr : found;
}

bool IsCheckClass(std::string_view klass) {
  return std::any_of(std::begin(kChecks), std::end(kChecks),
                     [&](const CheckInfo& c) { return c.klass == klass; });
}

std::string CheckClassList() {
  std::string list;
  std::string_view last;
  for (const CheckInfo& check : kChecks) {
    if (check.klass == last) continue;
    if (!list.empty()) list += ", ";
    list += last = check.klass;
  }
  return list;
}

}  // namespace npukit::conformance
