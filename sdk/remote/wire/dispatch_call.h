// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A call of one function of a dispatch library on the device, and its answer. One structure for all
// functions: each uses some of the fields, and the others are empty.
//
// Handles of tensor buffers are the library's own numbers. Devices, invocations, graphs, buffers and events
// are numbered by the worker, from 1, and a number is not used again; 0 is a null handle. Null pointers are passed
// on as such, so that a library is asked what it was asked for without a wire between.
//
// A call names its thread of the desk. The worker carries out the calls of a thread one after the other on a
// thread of its own, and those of several side by side: what is asked of a library from two threads here is asked
// from two threads there.
//
// A message has one call, or several of one thread, which a desk sends that knows what the library will answer. They
// are carried out in order, up to the first that fails or gives null, and there are as many answers.

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
  kNullEvent = 32,
};

// Threads of the desk at a time, and calls of a channel that are not answered yet.
inline constexpr uint16_t kMaxThreads = 64;
inline constexpr size_t kMaxCallsAtOnce = 2 * size_t{kMaxThreads};
// Calls of one message.
inline constexpr size_t kMaxCallsOfMessage = 1024;
// Numbers from there on are the desk's to give.
inline constexpr uint64_t kFirstDeskNumber = uint64_t{1} << 63;
// Places for events in one asynchronous run.
inline constexpr int32_t kMaxEventsOfRun = 1024;
// An event is waited for so long in one call at most.
inline constexpr uint64_t kMaxWaitMs = 1000;

struct BufferContents {
  uint64_t buffer = 0;  // its number
  std::vector<uint8_t> bytes;
};

// What an application did to a tensor buffer beside its contents, which a library can see.
struct BufferState {
  uint64_t buffer = 0;
  int32_t lock = 0;    // -1: for writing, else the number of readers' locks
  uint64_t event = 0;  // an output event that was set on it; 0: none of the device's
  bool operator==(const BufferState&) const = default;
};

struct DispatchCall {
  DispatchFunction function = DispatchFunction::kNone;
  uint16_t thread = 0;  // below kMaxThreads
  uint32_t nulls = 0;   // of NullArgument
  uint64_t object = 0;
  uint64_t handle = 0;
  uint64_t other = 0;
  uint64_t size_bytes = 0;
  // The desk's number for what the call makes, larger than those before; 0: the worker gives one. For a tensor buffer
  // it also stands for the library's handle, in this message and later ones.
  uint64_t made = 0;
  int32_t index = 0;
  int32_t numbers[3] = {};
  LiteRtRankedTensorType type = {};
  std::string digest;
  std::vector<std::string> texts;
  std::vector<uint8_t> bytes;
  // What is new in buffers, and then of buffers: both take effect when the call arrives.
  std::vector<BufferContents> buffers;
  std::vector<BufferState> states;
  // Output events that the desk has no use for any more.
  std::vector<uint64_t> dropped_events;
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
  std::vector<uint64_t> objects;
  Requirements requirements;
  std::vector<BufferContents> buffers;  // what is new in them
  std::vector<RemoteMetric> metrics;
  int32_t status_past_end = 0;
  std::vector<RemoteEvent> events;
  std::string text;
};

// Whether the calls after it in its message are carried out.
inline bool IsGood(const DispatchAnswer& answer) { return answer.status == 0 && !answer.is_null; }

// Of a message.
std::vector<uint8_t> Encode(const std::vector<DispatchCall>& calls);
std::vector<uint8_t> Encode(const std::vector<DispatchAnswer>& answers);
// Of untrusted bytes: an error if they are not exactly such calls or answers, at least one and not too many, if a call
// names no function, or if calls are of several threads.
litert::Expected<std::vector<DispatchCall>> ParseDispatchCalls(std::span<const uint8_t> bytes);
litert::Expected<std::vector<DispatchAnswer>> ParseDispatchAnswers(std::span<const uint8_t> bytes);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_DISPATCH_CALL_H_
