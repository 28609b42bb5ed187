// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/hw/hardware.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace acme {
namespace {

struct FieldSpec {
  std::string_view section;
  std::string_view key;
};

constexpr FieldSpec kFields[] = {
#define ACME_HW_INT(section, key, member, lo, hi, compile, doc) {section, key},
#define ACME_HW_REAL(section, key, member, doc) {section, key},
#define ACME_HW_FLAG(section, key, member, doc) {section, key},
#include "simulator/hw/hardware_fields.def"
};

// Whether `name` is section, separator and key, put together. Text is not built for it: a device is
// opened often, and its description has dozens of fields.
bool IsPath(std::string_view name, const FieldSpec& field, std::string_view separator) {
  return name.size() == field.section.size() + separator.size() + field.key.size() &&
         name.starts_with(field.section) && name.ends_with(field.key) &&
         name.substr(field.section.size(), separator.size()) == separator;
}

// "section.key", or "key" where only one section has it.
Expected<const FieldSpec*> FindField(std::string_view name) {
  const FieldSpec* found = nullptr;
  for (const FieldSpec& field : kFields) {
    if (IsPath(name, field, ".")) return &field;
    // "dram_bytes_per_cycle" is accepted for "dram.bytes_per_cycle", too.
    if (IsPath(name, field, "_")) return &field;
    if (field.key == name || IsPath(name, field, "s_")) {
      if (found != nullptr) {
        return Error(ErrorCode::kInvalidArgument,
                     fmt::format("hardware field {} is ambiguous: {} and {} have it", name,
                                 found->section, field.section));
      }
      found = &field;
    }
  }
  if (found == nullptr) {
    return Error(ErrorCode::kNotFound, fmt::format("there is no hardware field {}", name));
  }
  return found;
}

std::optional<int64_t> ToInt(std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> ToReal(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0) {
    return std::nullopt;
  }
  return value;
}

Error BadValue(const FieldSpec& field, std::string_view value, std::string_view expected) {
  return Error(ErrorCode::kInvalidArgument,
               fmt::format("{}.{}: {} is not {}", field.section, field.key, value, expected));
}

}  // namespace

Expected<void> SetHardwareField(Hardware& hardware, std::string_view name, std::string_view value) {
  ACME_ASSIGN_OR_RETURN(const FieldSpec* field, FindField(name));
  const FieldSpec* next = kFields;  // the fields as they follow each other below
#define ACME_HW_INT(section_name, key_name, member, lo, hi, compile, doc) \
  if (field == next++) {                                                  \
    std::optional<int64_t> number = ToInt(value);                         \
    if (!number || *number < lo || *number > hi)                          \
      return BadValue(*field, value, "in " #lo " .. " #hi);               \
    hardware.member = *number;                                            \
    return {};                                                            \
  }
#define ACME_HW_REAL(section_name, key_name, member, doc)                  \
  if (field == next++) {                                                   \
    std::optional<double> number = ToReal(value);                          \
    if (!number) return BadValue(*field, value, "a number of at least 0"); \
    hardware.member = *number;                                             \
    return {};                                                             \
  }
#define ACME_HW_FLAG(section_name, key_name, member, doc)                                     \
  if (field == next++) {                                                                      \
    if (value != "true" && value != "false") return BadValue(*field, value, "true or false"); \
    hardware.member = value == "true";                                                        \
    return {};                                                                                \
  }
#include "simulator/hw/hardware_fields.def"
  return Error(ErrorCode::kNotFound, fmt::format("there is no hardware field {}", name));
}

// Only of what a program's meaning depends on (`compile`): a module runs on a chip with other
// rates, banks or queues unchanged (docs/adr/0003-acme-isa.md).
uint64_t Hardware::ProgramKey() const {
  // FNV-1a over the members in the order of hardware_fields.def.
  uint64_t hash = 0xcbf29ce484222325u;
  auto mix = [&hash](int64_t value) {
    for (int i = 0; i < 8; ++i) {
      hash = (hash ^ ((static_cast<uint64_t>(value) >> (8 * i)) & 0xFF)) * 0x100000001b3u;
    }
  };
#define ACME_HW_INT(section, key, member, lo, hi, compile, doc) \
  if (compile) mix(member);
#define ACME_HW_REAL(section, key, member, doc)
#define ACME_HW_FLAG(section, key, member, doc)
#include "simulator/hw/hardware_fields.def"
  return hash;
}

}  // namespace acme
