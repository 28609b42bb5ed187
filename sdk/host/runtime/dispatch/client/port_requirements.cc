// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/port_requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit {
namespace {

// The type of buffer that is to be made, and whether host memory would do.
litert::Expected<void> ReadTypes(LiteRtTensorBufferRequirements requirements,
                                 std::span<const LiteRtTensorBufferType> handled,
                                 PortRequirements& read) {
  int num_types = 0;
  LITERT_RETURN_IF_ERROR(
      LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(requirements, &num_types));
  read.buffer_type = kLiteRtTensorBufferTypeUnknown;
  read.accepts_host_memory = false;
  for (int i = 0; i < num_types; ++i) {
    LiteRtTensorBufferType type = kLiteRtTensorBufferTypeUnknown;
    LITERT_RETURN_IF_ERROR(
        LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(requirements, i, &type));
    const bool is_host_memory = type == kLiteRtTensorBufferTypeHostMemory;
    const bool is_own = !is_host_memory && std::ranges::count(handled, type) > 0;
    read.accepts_host_memory = read.accepts_host_memory || is_host_memory;
    if (is_own && read.own_type == kLiteRtTensorBufferTypeUnknown) read.own_type = type;
    const bool can_be_made = is_host_memory || is_own;
    if (can_be_made && read.buffer_type == kLiteRtTensorBufferTypeUnknown) read.buffer_type = type;
  }
  if (read.buffer_type != kLiteRtTensorBufferTypeUnknown) return {};
  return litert::Unexpected(
      kLiteRtStatusErrorUnsupported,
      fmt::format("host memory is not among the {} buffer types it supports, nor is one that it "
                  "brings functions for",
                  num_types));
}

litert::Expected<PortRequirements> ReadFields(LiteRtTensorBufferRequirements requirements,
                                              std::span<const LiteRtTensorBufferType> handled) {
  PortRequirements read;
  LITERT_RETURN_IF_ERROR(ReadTypes(requirements, handled, read));
  LITERT_RETURN_IF_ERROR(
      LiteRtGetTensorBufferRequirementsBufferSize(requirements, &read.size_bytes));
  LITERT_RETURN_IF_ERROR(
      LiteRtGetTensorBufferRequirementsAlignment(requirements, &read.alignment_bytes));
  int num_strides = 0;
  const uint32_t* strides = nullptr;
  LITERT_RETURN_IF_ERROR(
      LiteRtGetTensorBufferRequirementsStrides(requirements, &num_strides, &strides));
  if (num_strides > 0 && strides != nullptr)
    read.strides_elems.assign(strides, strides + num_strides);
  return read;
}

// Bytes up to the end of the last element with these strides; nullopt if the element's size is no
// whole number of bytes or two elements would lie on each other.
std::optional<uint64_t> StridedBytes(const LiteRtRankedTensorType& type,
                                     std::span<const uint32_t> strides_elems) {
  const int bits = ElementBits(type.element_type);
  if (bits == 0 || bits % 8 != 0) return std::nullopt;
  // Sorted by stride, each dimension must step over all that the smaller ones reach.
  std::vector<std::pair<uint64_t, uint64_t>> dims;  // stride, size
  for (unsigned i = 0; i < type.layout.rank; ++i) {
    const auto size = static_cast<uint64_t>(type.layout.dimensions[i]);
    if (size == 0) return 0;
    if (size > 1) dims.emplace_back(strides_elems[i], size);
  }
  std::sort(dims.begin(), dims.end());
  uint64_t last_elem = 0;
  for (const auto& [stride, size] : dims) {
    if (stride <= last_elem) return std::nullopt;
    last_elem += stride * (size - 1);
    if (last_elem > (uint64_t{1} << 47)) return std::nullopt;
  }
  return (last_elem + 1) * static_cast<uint64_t>(bits / 8);
}

bool IsDense(const LiteRtLayout& layout, std::span<const uint32_t> strides_elems) {
  uint64_t expected = 1;
  for (int i = static_cast<int>(layout.rank) - 1; i >= 0; --i) {
    if (layout.dimensions[i] != 1 && strides_elems[static_cast<size_t>(i)] != expected)
      return false;
    expected *= static_cast<uint64_t>(layout.dimensions[i]);
  }
  return true;
}

// Says what contradicts the tensor, or nothing. Turns dense strides into none.
std::string CheckRequirements(const DispatchPort& port, PortRequirements& requirements) {
  constexpr size_t kMaxAlignmentBytes = size_t{1} << 21;
  if (requirements.alignment_bytes == 0) requirements.alignment_bytes = 1;
  if (!std::has_single_bit(requirements.alignment_bytes) ||
      requirements.alignment_bytes > kMaxAlignmentBytes) {
    return fmt::format("asks for an alignment of {} bytes, expected a power of two up to {}",
                       requirements.alignment_bytes, kMaxAlignmentBytes);
  }
  if (!requirements.strides_elems.empty()) {
    if (requirements.strides_elems.size() != port.type.layout.rank) {
      return fmt::format("gives {} strides for a tensor of rank {}",
                         requirements.strides_elems.size(), unsigned{port.type.layout.rank});
    }
    if (IsDense(port.type.layout, requirements.strides_elems)) requirements.strides_elems.clear();
  }
  uint64_t needed = port.dense_bytes;
  if (!requirements.strides_elems.empty()) {
    std::optional<uint64_t> strided = StridedBytes(port.type, requirements.strides_elems);
    if (!strided) return "gives strides by which elements overlap or lie beyond any memory";
    needed = *strided;
  }
  if (requirements.size_bytes < needed) {
    return fmt::format("asks for {} bytes, the tensor needs {}", requirements.size_bytes, needed);
  }
  constexpr uint64_t kMaxBufferBytes = uint64_t{1} << 40;
  if (requirements.size_bytes > kMaxBufferBytes) {
    return fmt::format("asks for {} bytes", requirements.size_bytes);
  }
  return {};
}

}  // namespace

litert::Expected<PortRequirements> ReadRequirements(
    LiteRtTensorBufferRequirements handle, const DispatchPort& port,
    std::span<const LiteRtTensorBufferType> handled) {
  LITERT_ASSIGN_OR_RETURN(PortRequirements requirements, ReadFields(handle, handled));
  if (std::string wrong = CheckRequirements(port, requirements); !wrong.empty())
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, std::move(wrong));
  return requirements;
}

}  // namespace npukit
