// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_VALUES_H_
#define NPUKIT_INTERNAL_DISPATCH_VALUES_H_

// Conversions between the values of a dispatch library's classes and LiteRT's.

#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "litert/c/litert_any.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_metrics.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// kLiteRtDispatchExecutableTypeJitHandle, which headers from abi 2.2 on have.
inline constexpr int kJitHandleType = 3;

inline ::litert::Unexpected BadHandle(const char* what) {
  return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                              ::litert::internal::Text({"not a handle of ", what}));
}

// The bytes of a module. `storage` keeps them if they come from a file.
inline ::litert::Expected<::litert::internal::Span<const uint8_t>> ReadBytecode(
    const LiteRtMemBuffer& buffer, std::vector<uint8_t>& storage) {
  if (buffer.base_addr != nullptr) {
    return ::litert::internal::Span<const uint8_t>(
        static_cast<const uint8_t*>(buffer.base_addr) + buffer.offset, buffer.size);
  }
  if (buffer.fd < 0) {
    return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                "the bytecode has neither address nor file");
  }
  storage.resize(buffer.size);
  size_t done = 0;
  while (done < buffer.size) {
    const ssize_t n = pread(buffer.fd, storage.data() + done, buffer.size - done,
                            static_cast<off_t>(buffer.offset + done));
    if (n <= 0) {
      return ::litert::Unexpected(::litert::Status::kErrorFileIO,
                                  "cannot read the bytecode's file");
    }
    done += static_cast<size_t>(n);
  }
  return ::litert::internal::Span<const uint8_t>(storage);
}

inline ::litert::Expected<LiteRtTensorBufferRequirements> MakeRequirements(
    const BufferRequirements& r) {
  LiteRtTensorBufferRequirements out = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtCreateTensorBufferRequirementsWithAlignment(
      static_cast<int>(r.types.size()), r.types.data(), r.size_bytes,
      static_cast<int>(r.strides_elems.size()), r.strides_elems.data(), r.alignment_bytes, &out));
  return out;
}

inline LiteRtMetric ToMetric(const Metric& metric) {
  LiteRtMetric out{metric.name.c_str(), LiteRtAny{}};
  if (const auto* flag = std::get_if<bool>(&metric.value)) {
    out.value.type = kLiteRtAnyTypeBool;
    out.value.bool_value = *flag;
  } else if (const auto* whole = std::get_if<int64_t>(&metric.value)) {
    out.value.type = kLiteRtAnyTypeInt;
    out.value.int_value = *whole;
  } else if (const auto* real = std::get_if<double>(&metric.value)) {
    out.value.type = kLiteRtAnyTypeReal;
    out.value.real_value = *real;
  } else {
    out.value.type = kLiteRtAnyTypeString;
    out.value.str_value = std::get<std::string>(metric.value).c_str();
  }
  return out;
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_VALUES_H_
