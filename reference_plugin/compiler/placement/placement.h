// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Placement. In: a network and how the scratchpad is to be shared. Out: where values live while the
// program runs: in the scratchpad from their producer to their last reader if they fit, else in
// DRAM; and how much of the scratchpad is left for tiles that stream through. Addresses in the
// scratchpad are symbolic: the order of the tasks, and so who may have whose memory, is not known yet
// (scratchpad_plan.h).

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_PLACEMENT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_PLACEMENT_H_

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/drained_extremes.h"
#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/placement/alignment.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// A place in a DRAM buffer, as instructions name it.
struct DramPlace {
  uint32_t binding = kConstantsBinding;
  int64_t offset_bytes = 0;
  bool operator==(const DramPlace&) const = default;
};

// A buffer in the scratchpad at a symbolic address. Symbolic addresses are given away once;
// scratchpad_plan.h turns them into real ones.
struct ScratchpadBuffer {
  int64_t begin = 0;
  int64_t bytes = 0;
  bool operator==(const ScratchpadBuffer&) const = default;
};
// The first symbolic address behind them.
int64_t EndOf(std::span<const ScratchpadBuffer> buffers);
// Appends a buffer behind the others; its address. None crosses a multiple of 2^32 (SymbolicAddresses), and
// none stands less than `first`, which is aligned, behind one: there are the values that last.
int64_t AddBuffer(int64_t bytes, std::vector<ScratchpadBuffer>& buffers,
                  int64_t first = kBufferAlignBytes);

// A value's homes. Inputs and outputs of the partition always have one in DRAM (their binding); an
// input or output with a scratchpad home too is loaded once, or stored as it is computed.
struct ValuePlace {
  std::optional<DramPlace> dram;
  std::optional<int64_t> scratchpad_offset;  // symbolic
  bool operator==(const ValuePlace&) const = default;
};

struct Placement {
  std::vector<ValuePlace> values;         // by ValueId; constants have none here (see ConstantPool)
  std::vector<ScratchpadBuffer> buffers;  // of the values that live in the scratchpad
  int64_t workspace_bytes = 0;
  int64_t step_bytes = 0;           // for what a layer streams through the scratchpad
  bool has_strips_in_dram = false;  // there was no room for rows that one region makes and reads
  // Found on the way of the values that they are of, beside which they have their places.
  std::map<ValueId, DrainedExtremes> extremes;

  std::string ToString() const;
};

// Lifetime of a value in layers: from its producer (0 for inputs) to its last reader (the last
// layer for outputs). A value that stands in another's storage counts for that; one that no layer
// makes or reads any more has none, and no place.
struct Lifetime {
  int32_t first = std::numeric_limits<int32_t>::max();
  int32_t last = -1;
  bool is_used() const { return last >= 0; }
};
std::vector<Lifetime> PlanLifetimes(const Network& network,
                                    const std::map<ValueId, DrainedExtremes>& extremes);

// How the scratchpad is shared: values that live in it may take so much at a time, the buffers of a
// layer so much.
struct ScratchpadShares {
  int64_t resident_bytes = 0;
  int64_t step_bytes = 0;
  // Rows that one region alone makes and reads go before whole values.
  bool strips_first = false;
  bool operator==(const ScratchpadShares&) const = default;
};

// Values go to the scratchpad while all that live at a time fit their share, large ones last.
Placement PlanPlacement(const Network& network, const ScratchpadShares& shares);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_PLACEMENT_H_
