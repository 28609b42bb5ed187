// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The compiler's own graph: what a partition computes, in the NPU's terms. Every later stage works
// on it alone; only legalize/ knows LiteRT.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_NETWORK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_NETWORK_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/layer_op.h"
#include "simulator/isa/types.h"

namespace acme::compiler {

// A tensor. Constants point into the model that is compiled, which outlives the network, or into
// `owned`.
struct Value {
  std::string name;
  Dtype dtype = Dtype::kI8;
  std::vector<int32_t> shape;
  std::span<const uint8_t> constant;  // empty: computed at run time
  std::shared_ptr<const std::vector<uint8_t>> owned;
  // A constant of two elements a byte, the lower half first, sign-extended to dtype by the load
  // engine.
  bool int4 = false;
  int32_t input_index = -1;   // among the partition's inputs
  int32_t output_index = -1;  // among the partition's outputs
  // A part of another value's storage, from an offset on: the same elements under another shape, or
  // some of its rows or columns. kNoValue: storage of its own.
  ValueId base = kNoValue;
  int64_t base_offset_bytes = 0;

  int64_t Elems() const;
  int64_t Bytes() const { return int4 ? (Elems() + 1) / 2 : Elems() * SizeBytes(dtype); }
  bool is_constant() const { return !constant.empty(); }
};

struct Layer {
  std::string name;        // of the source op's output: what people know it by
  int32_t source_op = 0;   // index among the partition's ops
  uint32_t handle = 0;     // debug handle in the module
  bool is_result = false;  // gives the source op's first output
  int32_t strips = -1;     // the same for all strips of a chain of layers (strips.h)
  ValueId output = kNoValue;
  std::shared_ptr<const LayerOp> op;

  // The operation if it is of that kind.
  template <class T>
  const T* As() const {
    return dynamic_cast<const T*>(op.get());
  }
  // Run-time and constant operands, each once.
  std::vector<ValueId> Inputs() const;
};

// Layers stand in an order in which they can run.
struct Network {
  std::string name;
  std::vector<Value> values;
  std::vector<Layer> layers;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;

  const Value& value(ValueId id) const { return values[static_cast<size_t>(id)]; }
  // The value whose storage it uses, and where in it.
  struct Storage {
    ValueId value = kNoValue;
    int64_t offset_bytes = 0;
  };
  Storage RootOf(ValueId id) const;
  // The layer that makes the value; null if none does.
  const Layer* WriterOf(ValueId id) const;
  // One line a value and layer, for --dump-dir and golden tests.
  std::string ToString() const;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_NETWORK_H_
