// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/dispatch_call.h"

#include <cstring>

#include "sdk/remote/wire/byte_stream.h"

namespace npukit::remote {
namespace {

litert::Unexpected Unreadable(const char* what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

// Fields one by one: the structure has bit fields, and both sides need not agree on those.
void PutType(ByteWriter& to, const LiteRtRankedTensorType& type) {
  to.Put(static_cast<int32_t>(type.element_type));
  to.Put(static_cast<uint32_t>(type.layout.rank));
  to.Put(static_cast<uint8_t>(type.layout.has_strides));
  for (const int32_t dim : type.layout.dimensions) to.Put(dim);
  for (const uint32_t stride : type.layout.strides) to.Put(stride);
}

LiteRtRankedTensorType GetType(ByteReader& from) {
  LiteRtRankedTensorType type = {};
  type.element_type = static_cast<LiteRtElementType>(from.Get<int32_t>());
  // LiteRtLayout has a bit field of seven bits for it.
  type.layout.rank = from.Get<uint32_t>() & 0x7f;
  type.layout.has_strides = from.Get<uint8_t>() != 0;
  for (int32_t& dim : type.layout.dimensions) dim = from.Get<int32_t>();
  for (uint32_t& stride : type.layout.strides) stride = from.Get<uint32_t>();
  return type;
}

// About what a call or an answer takes beside its long fields.
constexpr size_t kShortBytes = 256;

size_t BytesOf(const std::vector<BufferContents>& buffers) {
  size_t bytes = 0;
  for (const BufferContents& buffer : buffers) bytes += buffer.bytes.size();
  return bytes;
}

void PutBuffers(ByteWriter& to, const std::vector<BufferContents>& buffers) {
  to.PutList(buffers, [&](const BufferContents& buffer) {
    to.Put(buffer.buffer);
    to.PutBytes(buffer.bytes);
  });
}

std::vector<uint8_t> CopyBytes(ByteReader& from) {
  const std::span<const uint8_t> bytes = from.GetBytes();
  return {bytes.begin(), bytes.end()};
}

std::vector<BufferContents> GetBuffers(ByteReader& from) {
  std::vector<BufferContents> buffers;
  from.GetList([&] {
    BufferContents buffer;
    buffer.buffer = from.Get<uint64_t>();
    buffer.bytes = CopyBytes(from);
    buffers.push_back(std::move(buffer));
  });
  return buffers;
}

void PutStates(ByteWriter& to, const std::vector<BufferState>& states) {
  to.PutList(states, [&](const BufferState& state) {
    to.Put(state.buffer);
    to.Put(state.lock);
    to.Put(state.event);
  });
}

std::vector<BufferState> GetStates(ByteReader& from) {
  std::vector<BufferState> states;
  from.GetList([&] {
    BufferState state;
    state.buffer = from.Get<uint64_t>();
    state.lock = from.Get<int32_t>();
    state.event = from.Get<uint64_t>();
    states.push_back(state);
  });
  return states;
}

void PutMetrics(ByteWriter& to, const std::vector<RemoteMetric>& metrics) {
  to.PutList(metrics, [&](const RemoteMetric& metric) {
    to.PutText(metric.name);
    to.Put(static_cast<uint8_t>(metric.is_named));
    to.Put(metric.kind);
    to.Put(metric.whole);
    to.Put(metric.real);
    to.PutText(metric.text);
  });
}

std::vector<RemoteMetric> GetMetrics(ByteReader& from) {
  std::vector<RemoteMetric> metrics;
  from.GetList([&] {
    RemoteMetric metric;
    metric.name = from.GetText();
    metric.is_named = from.Get<uint8_t>() != 0;
    metric.kind = from.Get<int32_t>();
    metric.whole = from.Get<int64_t>();
    metric.real = from.Get<double>();
    metric.text = from.GetText();
    metrics.push_back(std::move(metric));
  });
  return metrics;
}

void PutEvents(ByteWriter& to, const std::vector<RemoteEvent>& events) {
  to.PutList(events, [&](const RemoteEvent& event) {
    to.Put(event.handle);
    to.PutText(event.unit);
    to.Put(event.start_cycle);
    to.Put(event.end_cycle);
  });
}

std::vector<RemoteEvent> GetEvents(ByteReader& from) {
  std::vector<RemoteEvent> events;
  from.GetList([&] {
    RemoteEvent event;
    event.handle = from.Get<uint32_t>();
    event.unit = from.GetText();
    event.start_cycle = from.Get<uint64_t>();
    event.end_cycle = from.Get<uint64_t>();
    events.push_back(std::move(event));
  });
  return events;
}

void PutCall(ByteWriter& to, const DispatchCall& call) {
  to.Put(static_cast<uint16_t>(call.function));
  to.Put(call.thread);
  to.Put(call.nulls);
  to.Put(call.object);
  to.Put(call.handle);
  to.Put(call.other);
  to.Put(call.size_bytes);
  to.Put(call.made);
  to.Put(call.index);
  for (const int32_t number : call.numbers) to.Put(number);
  PutType(to, call.type);
  to.PutText(call.digest);
  to.PutList(call.texts, [&](const std::string& text) { to.PutText(text); });
  to.PutBytes(call.bytes);
  PutBuffers(to, call.buffers);
  PutStates(to, call.states);
  to.PutList(call.dropped_events, [&](uint64_t event) { to.Put(event); });
}

DispatchCall GetCall(ByteReader& from) {
  DispatchCall call;
  call.function = static_cast<DispatchFunction>(from.Get<uint16_t>());
  call.thread = from.Get<uint16_t>();
  call.nulls = from.Get<uint32_t>();
  call.object = from.Get<uint64_t>();
  call.handle = from.Get<uint64_t>();
  call.other = from.Get<uint64_t>();
  call.size_bytes = from.Get<uint64_t>();
  call.made = from.Get<uint64_t>();
  call.index = from.Get<int32_t>();
  for (int32_t& number : call.numbers) number = from.Get<int32_t>();
  call.type = GetType(from);
  call.digest = from.GetText();
  from.GetList([&] { call.texts.push_back(from.GetText()); });
  call.bytes = CopyBytes(from);
  call.buffers = GetBuffers(from);
  call.states = GetStates(from);
  from.GetList([&] { call.dropped_events.push_back(from.Get<uint64_t>()); });
  return call;
}

void PutAnswer(ByteWriter& to, const DispatchAnswer& answer) {
  to.Put(answer.status);
  to.Put(static_cast<uint8_t>(answer.is_null));
  to.Put(answer.object);
  to.Put(answer.handle);
  to.PutList(answer.objects, [&](uint64_t object) { to.Put(object); });
  to.PutList(answer.requirements.buffer_types, [&](int32_t type) { to.Put(type); });
  to.Put(answer.requirements.size_bytes);
  to.Put(answer.requirements.alignment_bytes);
  to.PutList(answer.requirements.strides_elems, [&](uint32_t stride) { to.Put(stride); });
  PutBuffers(to, answer.buffers);
  PutMetrics(to, answer.metrics);
  to.Put(answer.status_past_end);
  PutEvents(to, answer.events);
  to.PutText(answer.text);
}

DispatchAnswer GetAnswer(ByteReader& from) {
  DispatchAnswer answer;
  answer.status = from.Get<int32_t>();
  answer.is_null = from.Get<uint8_t>() != 0;
  answer.object = from.Get<uint64_t>();
  answer.handle = from.Get<uint64_t>();
  from.GetList([&] { answer.objects.push_back(from.Get<uint64_t>()); });
  Requirements& requirements = answer.requirements;
  from.GetList([&] { requirements.buffer_types.push_back(from.Get<int32_t>()); });
  requirements.size_bytes = from.Get<uint64_t>();
  requirements.alignment_bytes = from.Get<uint64_t>();
  from.GetList([&] { requirements.strides_elems.push_back(from.Get<uint32_t>()); });
  answer.buffers = GetBuffers(from);
  answer.metrics = GetMetrics(from);
  answer.status_past_end = from.Get<int32_t>();
  answer.events = GetEvents(from);
  answer.text = from.GetText();
  return answer;
}

bool IsFunction(DispatchFunction function) {
  return function > DispatchFunction::kNone && function < DispatchFunction::kEnd;
}

}  // namespace

const char* NameOf(DispatchFunction function) {
  switch (function) {
#define F(name, text, fields)     \
  case DispatchFunction::k##name: \
    return text;
#include "sdk/remote/wire/dispatch_functions.def"
#undef F
    default:
      return "no function";
  }
}

std::vector<uint8_t> Encode(const std::vector<DispatchCall>& calls) {
  ByteWriter to;
  size_t long_bytes = 0;
  for (const DispatchCall& call : calls) long_bytes += call.bytes.size() + BytesOf(call.buffers);
  to.Reserve(long_bytes + calls.size() * kShortBytes);
  to.PutList(calls, [&](const DispatchCall& call) { PutCall(to, call); });
  return to.Take();
}

std::vector<uint8_t> Encode(const std::vector<DispatchAnswer>& answers) {
  ByteWriter to;
  size_t long_bytes = 0;
  for (const DispatchAnswer& answer : answers) long_bytes += BytesOf(answer.buffers);
  to.Reserve(long_bytes + answers.size() * kShortBytes);
  to.PutList(answers, [&](const DispatchAnswer& answer) { PutAnswer(to, answer); });
  return to.Take();
}

litert::Expected<std::vector<DispatchCall>> ParseDispatchCalls(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  std::vector<DispatchCall> calls;
  const auto count = from.Get<uint32_t>();
  if (count == 0 || count > kMaxCallsOfMessage) return Unreadable("no calls, or too many");
  while (calls.size() < count && from.ok()) {
    calls.push_back(GetCall(from));
    const DispatchCall& call = calls.back();
    if (!IsFunction(call.function)) return Unreadable("a call of a function that does not exist");
    if (call.thread >= kMaxThreads) return Unreadable("a call of a thread that there can't be");
    // The worker hands a message to one of its threads as a whole.
    if (call.thread != calls.front().thread) return Unreadable("calls of several threads");
  }
  if (!from.IsAtEnd()) return Unreadable("a call can't be read");
  return calls;
}

litert::Expected<std::vector<DispatchAnswer>> ParseDispatchAnswers(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  std::vector<DispatchAnswer> answers;
  const auto count = from.Get<uint32_t>();
  if (count == 0 || count > kMaxCallsOfMessage) return Unreadable("no answers, or too many");
  while (answers.size() < count && from.ok()) answers.push_back(GetAnswer(from));
  if (!from.IsAtEnd()) return Unreadable("an answer can't be read");
  return answers;
}

}  // namespace npukit::remote
