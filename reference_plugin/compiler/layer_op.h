// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the stages ask of an operation of the network. Each kind of operation is a struct of its own
// in lower/ that derives from LayerOp; no stage has a list of them.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LAYER_OP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LAYER_OP_H_

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "simulator/isa/expected.h"
#include "simulator/isa/types.h"

namespace acme::compiler {

using ValueId = int32_t;
inline constexpr ValueId kNoValue = -1;

struct Network;
class LoweringContext;

// The least work of an operation, whatever the compiler: what the roofline counts.
struct LayerWork {
  uint64_t macs = 0;            // of the matrix engine
  uint64_t depthwise_macs = 0;  // of the vector engine's windows
  uint64_t vector_elems = 0;    // results that go through vector lanes
  Dtype dtype = Dtype::kI8;     // of the operands
};

class LayerOp {
 public:
  virtual ~LayerOp() = default;
  // Values that it reads, run-time and constant; kNoValue and repetitions are allowed.
  virtual std::vector<ValueId> Operands() const = 0;
  virtual LayerWork Work(const Network& network, ValueId output) const = 0;
  // One line without its end: name, then parameters. For --dump-dir and golden tests.
  virtual void Print(std::ostream& out) const = 0;
  // Appends the tasks that compute `output`. Errors only if it can't be tiled to the hardware,
  // which legalising asks first by the same functions.
  virtual Expected<void> Lower(ValueId output, LoweringContext& context) const = 0;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LAYER_OP_H_
