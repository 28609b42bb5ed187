// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.compare and v.select.

#include <cstring>

#include "simulator/units/vector_row.h"
#include "simulator/units/vector_unit.h"

namespace acme {
namespace {

template <class T>
bool Holds(CompareOp op, T a, T b) {
  switch (op) {
    case CompareOp::kEqual:
      return a == b;
    case CompareOp::kNotEqual:
      return a != b;
    case CompareOp::kLess:
      return a < b;
    case CompareOp::kLessEqual:
      return a <= b;
    case CompareOp::kGreater:
      return a > b;
    case CompareOp::kGreaterEqual:
      return a >= b;
  }
  return false;
}

struct Row {
  uint8_t* dst;
  const uint8_t* a;
  const uint8_t* b;
};

// Calls visit(row) for every row; strides of dimension 0 are left to it.
template <class F>
void ForEachOperandRow(const VectorState& state, Row first, F&& visit) {
  ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    visit(Row{first.dst + RowOffset(state.StrideOf(View::kDst), i1, i2, i3),
              first.a + RowOffset(state.StrideOf(View::kA), i1, i2, i3),
              first.b + RowOffset(state.StrideOf(View::kB), i1, i2, i3)});
  });
}

}  // namespace

void VectorUnit::Run(const isa::VCompare& instr, const VectorState& state, Memory& memory) {
  const int64_t to_stride = state.StrideOf(View::kDst)[0];
  const int64_t a_stride = state.StrideOf(View::kA)[0];
  const int64_t b_stride = state.StrideOf(View::kB)[0];
  const Row first{memory.Scratchpad(instr.dst), memory.Scratchpad(instr.a),
                  memory.Scratchpad(instr.b)};
  ForEachOperandRow(state, first, [&](const Row& row) {
    for (int64_t i = 0; i < state.shape[0]; ++i) {
      const uint8_t* a = row.a + i * a_stride;
      const uint8_t* b = row.b + i * b_stride;
      const bool holds =
          instr.dtype == Dtype::kF32
              ? Holds(instr.op, LoadAs<float>(a), LoadAs<float>(b))
              : Holds(instr.op, LoadInteger(a, instr.dtype), LoadInteger(b, instr.dtype));
      row.dst[i * to_stride] = holds ? 1 : 0;
    }
  });
}

void VectorUnit::Run(const isa::VSelect& instr, const VectorState& state, Memory& memory) {
  const size_t bytes = SizeBytes(instr.dtype);
  const int64_t to_stride = state.StrideOf(View::kDst)[0];
  const int64_t a_stride = state.StrideOf(View::kA)[0];
  const int64_t mask_stride = state.StrideOf(View::kB)[0];
  const Row first{memory.Scratchpad(instr.dst), memory.Scratchpad(instr.a),
                  memory.Scratchpad(instr.b)};
  ForEachOperandRow(state, first, [&](const Row& row) {
    for (int64_t i = 0; i < state.shape[0]; ++i) {
      if (row.b[i * mask_stride] == 0) continue;
      std::memcpy(row.dst + i * to_stride, row.a + i * a_stride, bytes);
    }
  });
}

}  // namespace acme
