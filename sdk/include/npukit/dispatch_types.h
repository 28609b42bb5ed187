// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_DISPATCH_TYPES_H_
#define NPUKIT_DISPATCH_TYPES_H_

// The values that pass between a dispatch library's classes and the boundary.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN

// What a device is opened with. Each may be null, and outlives the device.
struct DeviceConfig {
  LiteRtEnvironment environment = nullptr;
  LiteRtOptions options = nullptr;
};

// What an invocation is made of.
struct LoadRequest {
  LiteRtDispatchExecutableType type = kLiteRtDispatchExecutableTypeUnknown;
  // The module, for the duration of Load() only: copy what is kept. Untrusted.
  ::litert::internal::Span<const uint8_t> bytecode;
  // From abi 2.2 on: what the vendor's compiler plugin gave to SetExecutable(), in
  // place of the bytecode, for type kLiteRtDispatchExecutableTypeJitHandle (3). It
  // outlives the invocation.
  const void* executable = nullptr;
  // The entry point; empty if the caller named none.
  std::string function_name;
  size_t num_inputs = 0;
  size_t num_outputs = 0;
};

// An input or output during Run(): its memory in host memory, dense.
template <class Byte>
struct BasicTensorView {
  Byte* data = nullptr;
  size_t size_bytes = 0;
  ::litert::RankedTensorType type;
  // What Device::Register() returned for the buffer.
  uint64_t registration = 0;

  // The memory as elements of type T; empty if it is too small for one.
  template <class T>
  auto As() const {
    using Element = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return ::litert::internal::Span<Element>(reinterpret_cast<Element*>(data),
                                             size_bytes / sizeof(T));
  }
};
using InputView = BasicTensorView<const uint8_t>;
using OutputView = BasicTensorView<uint8_t>;
using InputViews = ::litert::internal::Span<const InputView>;
using OutputViews = ::litert::internal::Span<const OutputView>;

// The working memory of a run that a host gave, for its duration, with any contents.
struct ScratchpadView {
  uint8_t* data = nullptr;  // null: none was given
  size_t size_bytes = 0;
  // What Device::Register() returned for the buffer.
  uint64_t registration = 0;
};

// What a device asks of the buffer of an input or output, or of a scratchpad.
struct BufferRequirements {
  std::vector<LiteRtTensorBufferType> types = {kLiteRtTensorBufferTypeHostMemory};
  size_t size_bytes = 0;
  size_t alignment_bytes = LITERT_HOST_MEMORY_BUFFER_ALIGNMENT;
  std::vector<uint32_t> strides_elems;  // empty: dense
};

// A measured value. npukit/metrics.h has the names that the host knows.
struct Metric {
  std::string name;
  std::variant<bool, int64_t, double, std::string> value;
};

// What a piece of the program did; see npukit/delegate_debug.h.
struct ProfileEvent {
  uint32_t handle = 0;
  std::string unit;
  // Device cycles since the invocation began; the end is not included.
  uint64_t start_cycle = 0;
  uint64_t end_cycle = 0;
};

// Where and why an invocation failed.
struct InvocationError {
  uint32_t handle = 0;
  std::string message;
};

// The values of an intermediate tensor, owned by the invocation.
struct Intermediate {
  ::litert::RankedTensorType type;
  const void* data = nullptr;
  size_t size_bytes = 0;
};

NPUKIT_NAMESPACE_END

#endif  // NPUKIT_DISPATCH_TYPES_H_
