// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the stages ask of an operation of the network. Each kind of operation is a struct of its own
// in lower/ that derives from LayerOp; no stage has a list of them.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_LAYER_OP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_LAYER_OP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/isa/expected.h"
#include "simulator/isa/types.h"

namespace acme::compiler {

using ValueId = int32_t;
inline constexpr ValueId kNoValue = -1;

struct Network;
class LoweringContext;

// The work of an operation: what utilisation and the roofline count.
struct LayerWork {
  uint64_t macs = 0;            // of the matrix engine
  uint64_t depthwise_macs = 0;  // of the vector engine's windows
  uint64_t padding_macs = 0;    // of these, those with padding: a compiler may leave them out
  uint64_t vector_elems = 0;    // results that go through vector lanes
  Dtype dtype = Dtype::kI8;     // of the operands
};

// Rows [begin, end) of an image.
struct RowRange {
  int32_t begin = 0;
  int32_t end = 0;
  int32_t size() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

class LayerOp;

// What operations on one image can do whose rows can be computed apart.
class RowWise {
 public:
  virtual ~RowWise() = default;
  // The image that it reads; its other operands are constants.
  virtual ValueId Image() const = 0;
  // Rows of the image that these rows of the result depend on.
  virtual RowRange RowsRead(const RowRange& result) const = 0;
  // The operation that computes those rows only, from a value that holds rows `held` of the image.
  virtual std::shared_ptr<const LayerOp> Rows(const RowRange& result, ValueId image,
                                              const RowRange& held) const = 0;
};

class LayerOp {
 public:
  virtual ~LayerOp() = default;
  // Values that it reads, run-time and constant; kNoValue and repetitions are allowed.
  virtual std::vector<ValueId> Operands() const = 0;
  virtual LayerWork Work(const Network& network, ValueId output) const = 0;
  // How many elements of an operand the result depends on, or fewer; all, unless an operation says
  // otherwise.
  virtual uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const;
  // One line without its end: name, then parameters. For --dump-dir and golden tests; two layers of
  // one description compute the same.
  virtual std::string Describe() const = 0;
  // Appends the tasks that compute `output`. Errors only if it can't be tiled to the hardware,
  // which legalising asks first by the same functions.
  virtual Expected<void> Lower(ValueId output, LoweringContext& context) const = 0;
  // Nothing if rows can't be computed apart.
  virtual const RowWise* AsRowWise() const { return nullptr; }
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_LAYER_OP_H_
