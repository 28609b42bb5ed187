// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A prepared op: multipliers computed, weights packed, scratch sized. Made by
// Operator::prepare for one set of shapes, run many times. Immutable while
// running, so that one kernel may run on several threads at once with different
// contexts.

#ifndef NPUKIT_SDK_HOST_KERNELS_KERNEL_H_
#define NPUKIT_SDK_HOST_KERNELS_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "litert/cc/litert_expected.h"

namespace npukit::kernels {

class ThreadPool;

// The memory of one run. Spans are exactly as long as their tensor's dense
// bytes; their data is aligned to 64 bytes where the caller's memory is, which
// the kernels like but do not need (element alignment is enough).
struct RunContext {
  // As in the node; empty where omitted. Constants are passed too.
  std::span<const std::span<const uint8_t>> inputs;
  std::span<const std::span<uint8_t>> outputs;
  // As `inputs`, writable: the state tensors (Tensor::is_variable) of ops that
  // update state; empty elsewhere.
  std::span<const std::span<uint8_t>> variables;
  std::span<uint8_t> scratch;  // at least Kernel::scratch_bytes(), aligned to 64
  ThreadPool* pool = nullptr;  // null: run on the caller's thread
};

// A tensor's bytes as elements.
template <typename T>
const T* DataOf(std::span<const uint8_t> bytes) {
  return reinterpret_cast<const T*>(bytes.data());
}
template <typename T>
T* DataOf(std::span<uint8_t> bytes) {
  return reinterpret_cast<T*>(bytes.data());
}

// Of a part of scratch, so that what follows it is aligned as scratch is.
constexpr size_t AlignedTo64(size_t bytes) { return (bytes + 63) / 64 * 64; }

class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;

  // Computes the outputs. Allocates nothing. Errors are those that only the
  // data can show (an index out of range); they name the op and the tensor.
  virtual litert::Expected<void> Run(const RunContext& context) const = 0;

  // For the pool of as many threads as PrepareOptions said.
  size_t scratch_bytes() const { return scratch_bytes_; }
  // Bytes the kernel holds itself: packed weights and tables.
  size_t packed_bytes() const { return packed_bytes_; }
  // Output 0 may lie in the memory of this input if the input dies here and is
  // as large; -1: of none.
  int in_place_input() const { return in_place_input_; }

 protected:
  size_t scratch_bytes_ = 0;
  size_t packed_bytes_ = 0;
  int in_place_input_ = -1;
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_KERNEL_H_
