// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/plugin_call.h"

#include "sdk/remote/wire/byte_stream.h"
#include "sdk/remote/wire/dispatch_call.h"

namespace npukit::remote {
namespace {

litert::Unexpected Unreadable(const char* what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

std::vector<uint8_t> CopyBytes(ByteReader& from) {
  const std::span<const uint8_t> bytes = from.GetBytes();
  return {bytes.begin(), bytes.end()};
}

void PutTexts(ByteWriter& to, const std::vector<std::string>& texts) {
  to.PutList(texts, [&](const std::string& text) { to.PutText(text); });
}

std::vector<std::string> GetTexts(ByteReader& from) {
  std::vector<std::string> texts;
  from.GetList([&] { texts.push_back(from.GetText()); });
  return texts;
}

}  // namespace

const char* NameOf(PluginFunction function) {
  static constexpr const char* kNames[] = {
      "no function",
#define F(name, text, fields) text,
#include "sdk/remote/wire/plugin_functions.def"
#undef F
  };
  return function < PluginFunction::kEnd ? kNames[static_cast<size_t>(function)] : kNames[0];
}

std::vector<uint8_t> Encode(const PluginCall& call) {
  ByteWriter to;
  to.Put(static_cast<uint16_t>(call.function));
  to.Put(call.thread);
  to.Put(call.nulls);
  to.Put(call.object);
  to.Put(call.index);
  to.Put(call.other);
  for (const int32_t number : call.numbers) to.Put(number);
  to.PutText(call.soc);
  to.PutText(call.digest);
  to.PutBytes(call.model);
  to.PutList(call.specs, [&](const RemoteSpec& spec) {
    to.PutText(spec.key);
    to.PutBytes(spec.bytes);
  });
  return to.Take();
}

litert::Expected<PluginCall> ParsePluginCall(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  PluginCall call;
  call.function = static_cast<PluginFunction>(from.Get<uint16_t>());
  call.thread = from.Get<uint16_t>();
  call.nulls = from.Get<uint32_t>();
  call.object = from.Get<uint64_t>();
  call.index = from.Get<uint64_t>();
  call.other = from.Get<uint64_t>();
  for (int32_t& number : call.numbers) number = from.Get<int32_t>();
  call.soc = from.GetText();
  call.digest = from.GetText();
  call.model = CopyBytes(from);
  from.GetList([&] {
    RemoteSpec spec;
    spec.key = from.GetText();
    spec.bytes = CopyBytes(from);
    call.specs.push_back(std::move(spec));
  });
  if (!from.IsAtEnd()) return Unreadable("a call of a compiler plugin can't be read");
  if (call.function <= PluginFunction::kNone || call.function >= PluginFunction::kEnd)
    return Unreadable("a call of a function that no compiler plugin has");
  if (call.thread >= kMaxThreads) return Unreadable("a call of a thread past the last one");
  return call;
}

std::vector<uint8_t> Encode(const PluginAnswer& answer) {
  ByteWriter to;
  to.Put(answer.status);
  to.Put(static_cast<uint8_t>(answer.is_null));
  to.Put(answer.object);
  to.Put(answer.number);
  for (const int32_t number : answer.numbers) to.Put(number);
  to.PutText(answer.text);
  to.PutBytes(answer.bytes);
  to.PutList(answer.selection, [&](const RemoteSelectedOp& selected) {
    to.Put(selected.op);
    to.Put(selected.partition_index);
  });
  to.PutList(answer.ops, [&](uint32_t op) { to.Put(op); });
  PutTexts(to, answer.texts);
  to.PutList(answer.transformations, [&](const RemoteTransformation& one) {
    to.Put(static_cast<uint8_t>(one.has_pattern));
    to.Put(static_cast<uint8_t>(one.has_name));
    to.PutText(one.name);
    to.Put(one.benefit);
  });
  to.PutList(answer.origins, [&](const auto& ops) {
    to.PutList(ops, [&](const auto& of_op) {
      to.PutList(of_op, [&](uint32_t origin) { to.Put(origin); });
    });
  });
  to.PutList(answer.constants, [&](const RemoteConstant& constant) {
    to.Put(constant.subgraph);
    to.Put(constant.tensor);
    to.Put(constant.sent_subgraph);
    to.Put(constant.sent_tensor);
  });
  return to.Take();
}

litert::Expected<PluginAnswer> ParsePluginAnswer(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  PluginAnswer answer;
  answer.status = from.Get<int32_t>();
  answer.is_null = from.Get<uint8_t>() != 0;
  answer.object = from.Get<uint64_t>();
  answer.number = from.Get<uint64_t>();
  for (int32_t& number : answer.numbers) number = from.Get<int32_t>();
  answer.text = from.GetText();
  answer.bytes = CopyBytes(from);
  from.GetList([&] {
    RemoteSelectedOp selected;
    selected.op = from.Get<uint32_t>();
    selected.partition_index = from.Get<uint64_t>();
    answer.selection.push_back(selected);
  });
  from.GetList([&] { answer.ops.push_back(from.Get<uint32_t>()); });
  answer.texts = GetTexts(from);
  from.GetList([&] {
    RemoteTransformation& one = answer.transformations.emplace_back();
    one.has_pattern = from.Get<uint8_t>() != 0;
    one.has_name = from.Get<uint8_t>() != 0;
    one.name = from.GetText();
    one.benefit = from.Get<uint64_t>();
  });
  from.GetList([&] {
    auto& ops = answer.origins.emplace_back();
    from.GetList([&] {
      auto& of_op = ops.emplace_back();
      from.GetList([&] { of_op.push_back(from.Get<uint32_t>()); });
    });
  });
  from.GetList([&] {
    RemoteConstant& constant = answer.constants.emplace_back();
    constant.subgraph = from.Get<uint32_t>();
    constant.tensor = from.Get<uint32_t>();
    constant.sent_subgraph = from.Get<uint32_t>();
    constant.sent_tensor = from.Get<uint32_t>();
  });
  if (!from.IsAtEnd()) return Unreadable("a compiler plugin's answer can't be read");
  return answer;
}

std::vector<uint8_t> Encode(const PluginFacts& facts) {
  ByteWriter to;
  to.PutText(facts.generation);
  PutTexts(to, facts.exports);
  return to.Take();
}

litert::Expected<PluginFacts> ParsePluginFacts(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  PluginFacts facts;
  facts.generation = from.GetText();
  facts.exports = GetTexts(from);
  if (!from.IsAtEnd()) return Unreadable("what a compiler plugin is can't be read");
  return facts;
}

}  // namespace npukit::remote
