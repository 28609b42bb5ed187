// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the stages ask of an operation of the network. Each kind of operation is a struct of its own
// in lower/ that derives from LayerOp; no stage has a list of them.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_LAYER_OP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_LAYER_OP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/isa/expected.h"
#include "simulator/isa/types.h"

namespace acme::compiler {

using ValueId = int32_t;
inline constexpr ValueId kNoValue = -1;

struct Network;
struct Value;
class LoweringContext;

// The work of an operation: what utilisation and the roofline count.
struct LayerWork {
  uint64_t macs = 0;            // of the matrix engine
  uint64_t depthwise_macs = 0;  // of the vector engine's windows
  uint64_t padding_macs = 0;    // of these, those with padding: a compiler may leave them out
  uint64_t vector_elems = 0;    // results that go through vector lanes
  uint64_t functions = 0;  // float32 of these that are exponentials and the like: IsTranscendental
  Dtype dtype = Dtype::kI8;  // of the operands
};

// Rows [begin, end) of an image.
struct RowRange {
  int32_t begin = 0;
  int32_t end = 0;
  int32_t size() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

class LayerOp;

// Some rows of an image, in a value of their own.
struct HeldRows {
  ValueId image = kNoValue;
  ValueId value = kNoValue;
  RowRange rows;
};

// What operations on images of [1, rows, columns, channels] can do whose rows can be computed
// apart.
class RowWise {
 public:
  virtual ~RowWise() = default;
  // Of the first image and of the result, as the operation walks them: one that walks a matrix, or a
  // row of pixels, may take them from values of other shapes. Nothing: the values' own.
  struct Walked {
    int32_t in_rows = 0;
    int32_t rows = 0;
  };
  virtual std::optional<Walked> WalkedRows() const { return std::nullopt; }
  // The images of which it reads rows; other operands are read as a whole.
  virtual std::vector<ValueId> Images() const = 0;
  // Rows of an image that these rows of the result depend on. More rows of the result never depend
  // on fewer.
  virtual RowRange RowsRead(ValueId image, const RowRange& result) const = 0;
  // The operation that computes those rows only. `held`: the images that are not there as a whole.
  virtual std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                              std::span<const HeldRows> held) const = 0;
};

// Some columns of a matrix, its innermost dimension, in a value of their own.
struct HeldColumns {
  ValueId matrix = kNoValue;
  ValueId value = kNoValue;
};

// Columns [begin, end) of `all` that a result has.
struct ColumnPart {
  int32_t all = 0;
  int32_t begin = 0;
  int32_t end = 0;
  bool alone = false;  // the value that they go to holds them alone, without gaps; else `all`
  int32_t size() const { return end - begin; }
  // From one row to the next where they go.
  int32_t Pitch() const { return alone ? size() : all; }
};

// What operations can do whose results are matrices of which some columns can be computed apart.
class ColumnWise {
 public:
  virtual ~ColumnWise() = default;
  // The matrices, as large as the result, of which it reads the columns that it computes. Other
  // operands are there as a whole.
  virtual std::vector<ValueId> Matrices(int32_t cols) const = 0;
  // The operation that computes those columns only; its result's first element is that of the first
  // of them. `held`: the matrices of which these columns alone are there.
  virtual std::shared_ptr<const LayerOp> Columns(const ColumnPart& part,
                                                 std::span<const HeldColumns> held) const = 0;
};

// What is held of a matrix's columns; kNoValue if it is there as a whole.
inline ValueId FindColumns(ValueId matrix, std::span<const HeldColumns> held) {
  for (const HeldColumns& columns : held) {
    if (columns.matrix == matrix) return columns.value;
  }
  return kNoValue;
}

// Where rows of an image are: what is held of it, or all of it.
inline HeldRows FindRows(ValueId image, std::span<const HeldRows> held) {
  for (const HeldRows& rows : held) {
    if (rows.image == image) return rows;
  }
  return {image, image, {}};
}

// A reduction of all of `x`, float32, by rows of so many elements, each to one result.
struct RowReduction {
  ValueId x = kNoValue;
  ReduceOp op = ReduceOp::kSum;
  int64_t row_elems = 0;
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
  // Of its operands and result, those that must stand in DRAM alone, for the DMA engines to address
  // them by data.
  virtual std::vector<ValueId> ValuesInDram(ValueId /*output*/) const { return {}; }
  // One line without its end: name, then parameters. For --dump-dir and golden tests; two layers of
  // one description compute the same.
  virtual std::string Describe() const = 0;
  // Appends the tasks that compute `output`. Errors only if it can't be tiled to the hardware,
  // which legalising asks first by the same functions.
  virtual Expected<void> Lower(ValueId output, LoweringContext& context) const = 0;
  // Nothing if it is something else. What makes `x` may reduce it, too, as it comes (v.epilogue).
  virtual std::optional<RowReduction> AsRowReduction() const { return std::nullopt; }
  // Whether its tasks, which make all of a value or some of it, find extremes of that on the way
  // (drained_extremes.h).
  virtual bool FindsExtremes(const Value& /*whole*/) const { return false; }
  // Nothing if rows can't be computed apart.
  virtual const RowWise* AsRowWise() const { return nullptr; }
  // Nothing if columns can't be computed apart, of so many that its result has.
  virtual const ColumnWise* AsColumnWise(int32_t /*cols*/) const { return nullptr; }
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_LAYER_OP_H_
