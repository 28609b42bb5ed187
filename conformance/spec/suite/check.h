// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The checks that the kit knows: checks.def as a table.

#ifndef NPUKIT_CONFORMANCE_SPEC_SUITE_CHECK_H_
#define NPUKIT_CONFORMANCE_SPEC_SUITE_CHECK_H_

#include <span>
#include <string>
#include <string_view>

namespace npukit::conformance {

enum class CheckNeeds { kNothing, kGraph, kClaimed };

struct CheckInfo {
  std::string_view id;     // "partition.selection"
  std::string_view klass;  // "partition"
  CheckNeeds needs = CheckNeeds::kNothing;
  std::string_view asks;
};

// In the order of checks.def, which is also the order in which they run.
std::span<const CheckInfo> AllChecks();
// Null if there is none of that id.
const CheckInfo* FindCheck(std::string_view id);
bool IsCheckClass(std::string_view klass);
// "abi, partition, compile, ...".
std::string CheckClassList();

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_SUITE_CHECK_H_
