// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.drain and v.fill.

#include "simulator/units/vector_unit.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/isa/footprint.h"
#include "simulator/units/binary_rows.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

void CopyRow(const uint8_t* from, int64_t stride, int64_t elem_bytes, int64_t count, uint8_t* to) {
  if (stride == elem_bytes) {
    std::memcpy(to, from, static_cast<size_t>(count * elem_bytes));
    return;
  }
  for (int64_t c = 0; c < count; ++c, from += stride, to += elem_bytes)
    std::memcpy(to, from, static_cast<size_t>(elem_bytes));
}

// Elements that stand for zero.
void FillZeros(uint8_t* to, int64_t count, Dtype dtype, int32_t zero_point) {
  const int64_t elem_bytes = SizeBytes(dtype);
  const uint32_t zero = dtype == Dtype::kF32 ? 0 : static_cast<uint32_t>(zero_point);
  for (int64_t c = 0; c < count; ++c, to += elem_bytes)
    std::memcpy(to, &zero, static_cast<size_t>(elem_bytes));
}

// In which a drain's sum with its residual is v.binary's.
VectorState SumState(const VectorState& state) {
  VectorState sum = state;
  sum.quant[static_cast<int>(View::kDst)] = state.QuantOf(View::kC);
  sum.clamp = {.lo = state.residual.lo, .hi = state.residual.hi};
  sum.clamp_set = true;
  return sum;
}

}  // namespace

float VectorUnit::ScaledSum(int32_t sum, const uint8_t* record, const VectorState& state) {
  if (state.params.offsets) {
    const auto offset = LoadAs<uint32_t>(record + kScaledRecordBytes);
    sum = static_cast<int32_t>(static_cast<uint32_t>(sum) - offset);
  }
  return static_cast<float>(sum) * LoadAs<float>(record);
}

void VectorUnit::DrainToFloats(const isa::VDrain& instr, const VectorState& state,
                               Memory& memory) const {
  const int64_t channels = state.shape[0];
  const Strides& stride = state.StrideOf(View::kDst);
  const int64_t record_stride = state.params.record_stride;
  const uint8_t* records = memory.Scratchpad(instr.params);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  const FloatClamp clamp = FloatClampOf(state);
  const bool adds = instr.acc_type == Dtype::kF32;
  const bool scales = ScalesRows(instr, state);
  const uint8_t* factors = memory.Scratchpad(state.params.addr);
  int64_t row = instr.acc;
  ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    const int32_t* sums = memory.AccumulatorRow(row++);
    uint8_t* to = dst + RowOffset(stride, i1, i2, i3);
    if (scales) {
      const auto factor = LoadAs<float>(factors + RowOffset(state.StrideOf(View::kB), i1, i2, i3));
      for (int64_t c = 0; c < channels; ++c) {
        const uint8_t* record = records + c * record_stride;
        const float scaled = ScaledSum(sums[c], record, state) * factor;
        StoreAs(to + c * stride[0], clamp.Apply(scaled + LoadAs<float>(record + sizeof(float))));
      }
      return;
    }
    for (int64_t c = 0; c < channels; ++c) {
      const auto record = LoadAs<float>(records + c * record_stride);
      const float result =
          adds ? std::bit_cast<float>(sums[c]) + record : static_cast<float>(sums[c]) * record;
      StoreAs(to + c * stride[0], clamp.Apply(result));
    }
  });
}

void VectorUnit::Drain(const isa::VDrain& instr, const VectorState& state, Memory& memory) {
  if (instr.out == Dtype::kF32) return DrainToFloats(instr, state, memory);
  const int64_t channels = state.shape[0];
  const Strides& stride = state.StrideOf(View::kDst);
  const int64_t record_stride = state.params.record_stride;
  const uint8_t* records = memory.Scratchpad(instr.params);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  int64_t row = instr.acc;
  if (instr.out == Dtype::kI32) {
    requantizer_.Plain(state, instr.out);
  } else {
    requantizer_.Unpack(records, record_stride, channels, state, instr.out);
  }
  if (instr.acc_type == Dtype::kI32) {
    ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
      requantizer_.Store(memory.AccumulatorRow(row++), channels,
                         dst + RowOffset(stride, i1, i2, i3), stride[0]);
    });
    return;
  }
  wide_sums_.resize(std::max<size_t>(wide_sums_.size(), channels));
  ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    const int32_t* low = memory.AccumulatorRow(row);
    const int32_t* high = memory.AccumulatorRow(row + 1);
    row += 2;
    for (int64_t c = 0; c < channels; ++c) {
      wide_sums_[c] =
          static_cast<int64_t>(static_cast<uint32_t>(low[c]) |
                               static_cast<uint64_t>(static_cast<uint32_t>(high[c])) << 32);
    }
    requantizer_.StoreWide(wide_sums_.data(), channels, dst + RowOffset(stride, i1, i2, i3),
                           stride[0]);
  });
}

void VectorUnit::Run(const isa::VDrain& instr, const VectorState& state, Memory& memory) {
  if (!instr.residual) return Drain(instr, state, memory);
  const int64_t elem_bytes = SizeBytes(instr.out);
  const int64_t row_bytes = state.shape[0] * elem_bytes;
  const int64_t there = state.shape[0] - instr.missing;
  residual_.resize(static_cast<size_t>(state.Elements() * elem_bytes));
  const uint8_t* from = memory.Scratchpad(state.residual.addr);
  const Strides& stride = state.StrideOf(View::kB);
  uint8_t* row = residual_.data();
  ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    CopyRow(from + RowOffset(stride, i1, i2, i3), stride[0], elem_bytes, there, row);
    FillZeros(row + there * elem_bytes, instr.missing, instr.out, state.QuantOf(View::kB).zp);
    row += row_bytes;
  });
  Drain(instr, state, memory);
  const VectorState sum_state = SumState(state);
  const BinaryRows sums({.op = BinaryOp::kAdd, .dtype = instr.out}, sum_state);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  const Strides& dst_stride = state.StrideOf(View::kDst);
  row = residual_.data();
  ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    Piece result{dst + RowOffset(dst_stride, i1, i2, i3), dst_stride[0]};
    for (int64_t begin = 0; begin < state.shape[0]; begin += kRowBlock) {
      const int64_t count = std::min(kRowBlock, state.shape[0] - begin);
      sums.Row(result, result, {row, elem_bytes}, count);
      result.at += count * result.stride;
      row += count * elem_bytes;
    }
  });
}

void VectorUnit::HoldTable(const VectorState& state, const Memory& memory) {
  std::memcpy(table_.data(), memory.Scratchpad(state.lookup.addr), table_.size());
}

void VectorUnit::LookUp(uint32_t dst, Dtype results, const VectorState& state,
                        Memory& memory) const {
  const uint8_t lowest = results == Dtype::kI8 ? 0x80 : 0;
  const Strides& stride = state.StrideOf(View::kDst);
  uint8_t* base = memory.Scratchpad(dst);
  ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    uint8_t* at = base + RowOffset(stride, i1, i2, i3);
    for (int64_t i0 = 0; i0 < state.shape[0]; ++i0, at += stride[0])
      *at = table_[static_cast<uint8_t>(*at - lowest)];
  });
}

void VectorUnit::Run(const isa::VFill& instr, const VectorState& state, Memory& memory) {
  const int64_t bytes = SizeBytes(instr.dtype);
  uint8_t value[8] = {};
  StoreAs(value, instr.value);
  const Strides& stride = state.StrideOf(View::kDst);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    uint8_t* to = dst + RowOffset(stride, i1, i2, i3);
    if (bytes == 1 && stride[0] == 1) {
      std::memset(to, value[0], state.shape[0]);
      return;
    }
    for (int64_t c = 0; c < state.shape[0]; ++c) std::memcpy(to + c * stride[0], value, bytes);
  });
}

}  // namespace acme
