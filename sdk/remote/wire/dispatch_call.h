// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A call of one function of a dispatch library on the device, and its answer. One structure for all
// functions: each uses some of the fields, and the others are empty.
//
// Handles of tensor buffers are the library's own numbers. Devices, invocations and graphs are
// numbered by the worker, from 1; 0 is a null handle. Null pointers are passed on as such, so that a library is
// asked what it was asked for without a wire between.

#ifndef NPUKIT_SDK_REMOTE_WIRE_DISPATCH_CALL_H_
#define NPUKIT_SDK_REMOTE_WIRE_DISPATCH_CALL_H_

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"

namespace npukit::remote {

// dispatch_functions.def says which fields each uses.
enum class DispatchFunction : uint16_t {
  kNone = 0,
#define F(name, text, fields) k##name,
#include "sdk/remote/wire/dispatch_functions.def"
#undef F
  kEnd,  // one after the last
};

// As LiteRT calls it: "invoke".
const char* NameOf(DispatchFunction function);

// Arguments that are null where others have a pointer.
enum NullArgument : uint32_t {
  kNullResult = 1,
  kNullType = 2,
  kNullEntryPoint = 4,
  kNullBytes = 8,
  kNullBuffer = 16,
};

struct BufferContents {
  uint64_t handle = 0;
  std::vector<uint8_t> bytes;
};

struct DispatchCall {
  DispatchFunction function = DispatchFunction::kNone;
  uint32_t nulls = 0;  // of NullArgument
  uint64_t object = 0;
  uint64_t handle = 0;
  uint64_t other = 0;
  uint64_t size_bytes = 0;
  int32_t index = 0;
  int32_t numbers[3] = {};
  LiteRtRankedTensorType type = {};
  std::string digest;
  std::vector<std::string> texts;
  std::vector<uint8_t> bytes;
  std::vector<BufferContents> buffers;
};

struct Requirements {
  std::vector<int32_t> buffer_types;
  uint64_t size_bytes = 0;
  uint64_t alignment_bytes = 0;
  std::vector<uint32_t> strides_elems;
};

struct RemoteMetric {
  std::string name;
  bool is_named = true;  // false: the library gave a null name
  int32_t kind = 0;      // LiteRtAnyType
  int64_t whole = 0;     // of integers and truth values
  double real = 0;
  std::string text;
};

struct RemoteEvent {
  uint32_t handle = 0;
  std::string unit;
  uint64_t start_cycle = 0;
  uint64_t end_cycle = 0;
};

struct DispatchAnswer {
  int32_t status = 0;    // LiteRtStatus, the library's own
  bool is_null = false;  // the status is good and the result null
  uint64_t object = 0;
  uint64_t handle = 0;
  Requirements requirements;
  std::vector<BufferContents> buffers;
  std::vector<RemoteMetric> metrics;
  int32_t status_past_end = 0;
  std::vector<RemoteEvent> events;
  std::string text;
};

std::vector<uint8_t> Encode(const DispatchCall& call);
std::vector<uint8_t> Encode(const DispatchAnswer& answer);
// Of untrusted bytes: an error if they are not exactly one such value, or name no function.
litert::Expected<DispatchCall> ParseDispatchCall(std::span<const uint8_t> bytes);
litert::Expected<DispatchAnswer> ParseDispatchAnswer(std::span<const uint8_t> bytes);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_DISPATCH_CALL_H_
