// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.dot.

#include <algorithm>

#include "simulator/units/vector_unit.h"

namespace acme {
namespace {

// Modulo 2^32.
template <class T>
int32_t Product(const uint8_t* a, int32_t a_zp, const uint8_t* b, int32_t b_zp, int64_t count) {
  uint32_t sum = 0;
  for (int64_t k = 0; k < count; ++k) {
    const int32_t x = static_cast<T>(a[k]) - a_zp;
    const int32_t y = static_cast<T>(b[k]) - b_zp;
    sum += static_cast<uint32_t>(x * y);
  }
  return static_cast<int32_t>(sum);
}

}  // namespace

void VectorUnit::Run(const isa::VDot& instr, const VectorState& state, Memory& memory) {
  const int64_t results = state.shape[0];
  const auto product = instr.dtype == Dtype::kU8 ? Product<uint8_t> : Product<int8_t>;
  const uint8_t* a = memory.Scratchpad(instr.a);
  const uint8_t* weights = memory.Scratchpad(instr.weights);
  requantizer_.Unpack(memory.Scratchpad(state.params.addr), state.params.record_stride, results,
                      state, instr.dtype);
  sums_.resize(std::max<size_t>(sums_.size(), results));
  for (int64_t i = 0; i < results; ++i) {
    sums_[i] = product(a, state.QuantOf(View::kA).zp, weights + i * state.StrideOf(View::kB)[0],
                       state.QuantOf(View::kB).zp, state.shape[1]);
  }
  requantizer_.Store(sums_.data(), results, memory.Scratchpad(instr.dst),
                     state.StrideOf(View::kDst)[0]);
}

}  // namespace acme
