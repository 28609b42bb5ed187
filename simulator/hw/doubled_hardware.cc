// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/hw/doubled_hardware.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace acme {
namespace {

struct DoubledField {
  std::string_view resource;
  std::string_view path;
  int64_t Hardware::*member;
};

constexpr DoubledField kDoubledFields[] = {
    {"array", "array.cols", &Hardware::array_cols},
    {"vector", "vector.lanes", &Hardware::vector_lanes},
    {"vector", "vector.lanes_16", &Hardware::vector_lanes_16},
    {"vector", "vector.lanes_32", &Hardware::vector_lanes_32},
    {"bandwidth", "dram.bytes_per_cycle", &Hardware::dram_bytes_per_cycle},
    {"scratchpad", "scratchpad.bytes", &Hardware::scratchpad_bytes},
};
constexpr std::string_view kResources[] = {"array", "vector", "bandwidth", "scratchpad"};

// Between double quotes of YAML.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

}  // namespace

std::span<const std::string_view> DoubledResources() { return kResources; }

Expected<Hardware> Doubled(const Hardware& hardware, std::string_view resource) {
  Hardware doubled = hardware;
  bool is_known = false;
  for (const DoubledField& field : kDoubledFields) {
    if (field.resource != resource) continue;
    is_known = true;
    const std::string value = fmt::format("{}", 2 * hardware.*field.member);
    ACME_RETURN_IF_ERROR(SetHardwareField(doubled, field.path, value));
  }
  if (!is_known)
    return Error(ErrorCode::kNotFound, fmt::format("there is no resource {}", resource));
  doubled.name = fmt::format("{} with twice the {}", hardware.name, resource);
  return doubled;
}

std::string HardwareYaml(const Hardware& hardware) {
  std::string yaml = fmt::format("name: \"{}\"\n", Quoted(hardware.name));
  std::string_view open;
  const auto add = [&](std::string_view section, std::string_view key, const auto& value) {
    if (section != open) yaml += fmt::format("{}:\n", section);
    open = section;
    yaml += fmt::format("  {}: {}\n", key, value);
  };
#define ACME_HW_INT(section, key, member, lo, hi, compile, doc) add(section, key, hardware.member);
#define ACME_HW_REAL(section, key, member, doc) add(section, key, hardware.member);
#define ACME_HW_FLAG(section, key, member, doc) add(section, key, hardware.member);
#include "simulator/hw/hardware_fields.def"
  return yaml;
}

}  // namespace acme
