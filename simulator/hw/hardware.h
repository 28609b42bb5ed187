// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A description of one chip: a value, so that two different chips run in one process. The numbers,
// their YAML keys, limits and units stand in hardware_fields.def.

#ifndef NPUKIT_SIMULATOR_HW_HARDWARE_H_
#define NPUKIT_SIMULATOR_HW_HARDWARE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/isa/expected.h"

namespace acme {

// Picojoules per event. Sources stand in the SoC files.
struct Energy {
  double mac_int8_pj = 0;
  double mac_int16_pj = 0;
  double mac_f32_pj = 0;
  double vector_int_pj = 0;
  double vector_f32_pj = 0;
  double scratchpad_byte_pj = 0;
  double accumulator_byte_pj = 0;
  double dram_byte_pj = 0;
  double instruction_pj = 0;
  double static_pj_per_cycle = 0;
  friend bool operator==(const Energy&, const Energy&) = default;
};

struct Hardware {
  std::string name;
#define ACME_HW_INT(section, key, member, lo, hi, compile, doc) int64_t member = lo;
#define ACME_HW_REAL(section, key, member, doc)
#define ACME_HW_FLAG(section, key, member, doc) bool member = true;
#define ACME_HW_OPTIONAL_INT(section, key, member, lo, hi, initial, doc) int64_t member = initial;
#define ACME_HW_OPTIONAL_FLAG(section, key, member, initial, doc) bool member = initial;
#include "simulator/hw/hardware_fields.def"
  Energy energy;

  // Multiply-accumulates a cycle of the matrix engine for 8-bit operands.
  int64_t PeakMacsPerCycle() const { return array_rows * array_cols / int8_cycles_per_row; }
  // Bytes of one accumulator row.
  int64_t AccumulatorRowBytes() const { return array_cols * 4; }

  // Equal for hardware that runs the same programs: made from the members that a program depends on
  // (not from the name). Modules carry it, and a device refuses a module with another key.
  uint64_t ProgramKey() const;

  friend bool operator==(const Hardware&, const Hardware&) = default;
};

// Reads a description. `source` names the text in errors, which carry line and column:
// "my.yaml:7:12: array.rows: 0 is not in 1 .. 256".
Expected<Hardware> ParseHardware(std::string_view yaml, std::string_view source);
// The base of a file may be another file, *.yaml, beside it.
Expected<Hardware> ReadHardwareFile(const std::string& path);

// The SoC models built into the library, of simulator/hw/soc: acme_a0, acme_a1 (the default), acme_a2,
// acme_edge128, acme_edge256, gemmini_like.
inline constexpr std::string_view kDefaultSocModel = "acme_a1";
std::span<const std::string_view> BuiltinSocModels();
// Error kNotFound names the known models. An empty name is the default model.
Expected<Hardware> BuiltinHardware(std::string_view soc_model);
// The YAML that a built-in model was read from.
Expected<std::string_view> BuiltinHardwareYaml(std::string_view soc_model);

// Changes one number, named by its YAML path ("dram.bytes_per_cycle") or by its key alone where
// that is unambiguous. Errors: unknown name; a value that is no number or outside the limits.
Expected<void> SetHardwareField(Hardware& hardware, std::string_view name, std::string_view value);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_HW_HARDWARE_H_
