// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that the NPU computes in several layers: each call adds one, and gives the value that it
// computes. Values between two layers are named after the op's result.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_STEPS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_STEPS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {

class Steps {
 public:
  using Shape = std::vector<int32_t>;

  // `result`: the tensor that the op computes.
  Steps(std::string result, NetworkBuilder& builder)
      : name_(std::move(result)), builder_(builder) {}

  // Computed values go to `into`, a value of that type and as many elements, or to one of their own
  // without it. Elementwise operations broadcast their operands.
  ValueId Function(UnaryOp op, ValueId x, ValueId into = kNoValue);  // float32
  ValueId Cast(ValueId x, Dtype to, ValueId into = kNoValue);
  // float32 and int32, as stored.
  ValueId Both(BinaryOp op, ValueId a, ValueId b, ValueId into = kNoValue);
  ValueId Compare(CompareOp op, ValueId a, ValueId b, ValueId into = kNoValue);
  ValueId Select(ValueId mask, ValueId yes, ValueId no, ValueId into = kNoValue);
  // Over one dimension, which stays with extent 1; as stored.
  ValueId Reduce(ReduceOp op, ValueId x, size_t axis, ValueId into = kNoValue);
  // i32: where along the axis the first of the largest (kMax), or smallest (kMin), stands.
  ValueId PlaceOf(ReduceOp op, ValueId x, size_t axis, ValueId into = kNoValue);
  // Integers as int32 or int64.
  ValueId Widen(ValueId x, Dtype to, ValueId into = kNoValue);
  // Elements brought to other places.
  ValueId Rearrange(std::vector<MovePiece> pieces, Dtype dtype, const Shape& shape,
                    ValueId into = kNoValue);

  // A constant.
  template <class T>
  ValueId Numbers(Dtype dtype, Shape shape, const std::vector<T>& numbers) {
    return builder_.AddNumbers(name_, dtype, std::move(shape), numbers);
  }

  const Value& value(ValueId id) const { return builder_.network().value(id); }

 private:
  // The value to compute, for an operation.
  ValueId Add(std::shared_ptr<const LayerOp> op, Dtype dtype, const Shape& shape, ValueId into);
  ValueId AddReduce(ReduceOp op, bool place, ValueId x, size_t axis, ValueId into);

  std::string name_;
  NetworkBuilder& builder_;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_STEPS_H_
