// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where values live while a partition runs: in the scratchpad from their producer to their last
// reader if they fit, else in DRAM; and how much of the scratchpad is left for tiles that stream
// through.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// A place in a DRAM buffer, as instructions name it.
struct DramPlace {
  uint32_t binding = kConstantsBinding;
  int64_t offset_bytes = 0;
  bool operator==(const DramPlace&) const = default;
};

// A value's homes. Inputs and outputs of the partition always have one in DRAM (their binding); an
// input or output with a scratchpad home too is loaded once, or stored as it is computed.
struct ValuePlace {
  std::optional<DramPlace> dram;
  std::optional<int64_t> scratchpad_offset;
  bool operator==(const ValuePlace&) const = default;
};

struct Placement {
  std::vector<ValuePlace> values;  // by ValueId; constants have none here (see ConstantPool)
  int64_t workspace_bytes = 0;
  // Tiles that stream through use [stream_begin, stream_end) of the scratchpad in turn.
  int64_t stream_begin = 0;
  int64_t stream_end = 0;

  std::string ToString() const;
};

// Lifetime of a value in layers: from its producer (0 for inputs) to its last reader (the last
// layer for outputs).
struct Lifetime {
  int32_t first = 0;
  int32_t last = 0;
};
std::vector<Lifetime> PlanLifetimes(const Network& network);

// At least half of the scratchpad stays for streaming. Offsets are multiples of 64 bytes.
Placement PlanPlacement(const Network& network, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_H_
