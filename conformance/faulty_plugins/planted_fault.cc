// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The section that plant_faults.cmake rewrites in each copy of the libraries: the fault's name,
// padded with spaces.

#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "conformance/faulty_plugins/fault.h"

namespace npukit::conformance::mimic {
namespace {

constexpr size_t kSectionBytes = 64;
// Volatile, so that no compiler takes the name that is written here for the one in the copies,
// which plant_faults.cmake writes over it.
__attribute__((section(".npukit_fault"), used)) const volatile char kSection[kSectionBytes] =
    "healthy ";

Fault ReadFault() {
  char text[kSectionBytes];
  for (size_t i = 0; i < kSectionBytes; ++i) text[i] = kSection[i];
  const std::string_view padded(text, kSectionBytes);
  const std::string_view name = padded.substr(0, padded.find(' '));
  if (name == "healthy") return Fault::healthy;
#define FAULT(fault, found_by, description) \
  if (name == #fault) return Fault::fault;
#include "conformance/faulty_plugins/faults.def"
  std::abort();  // the copy was made with another faults.def
}

}  // namespace

Fault PlantedFault() {
  static const Fault fault = ReadFault();
  return fault;
}

}  // namespace npukit::conformance::mimic
