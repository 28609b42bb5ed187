// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/compile_call.h"

#include "sdk/remote/wire/byte_stream.h"

namespace npukit::remote {
namespace {

litert::Unexpected Unreadable(const char* what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

std::vector<uint8_t> CopyBytes(ByteReader& from) {
  const std::span<const uint8_t> bytes = from.GetBytes();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<uint8_t> Encode(const CompileCall& call) {
  ByteWriter to;
  to.PutText(call.plugin_digest);
  to.PutText(call.plugin_name);
  to.PutText(call.model_digest);
  to.PutText(call.soc);
  to.PutList(call.specs, [&](const RemoteSpec& spec) {
    to.PutText(spec.plugin);
    to.Put(spec.partition);
    to.PutText(spec.key);
    to.PutBytes(spec.bytes);
  });
  to.Put(static_cast<uint8_t>(call.splits_on_failure));
  return to.Take();
}

litert::Expected<CompileCall> ParseCompileCall(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  CompileCall call;
  call.plugin_digest = from.GetText();
  call.plugin_name = from.GetText();
  call.model_digest = from.GetText();
  call.soc = from.GetText();
  from.GetList([&] {
    RemoteSpec spec;
    spec.plugin = from.GetText();
    spec.partition = from.Get<int64_t>();
    spec.key = from.GetText();
    spec.bytes = CopyBytes(from);
    call.specs.push_back(std::move(spec));
  });
  call.splits_on_failure = from.Get<uint8_t>() != 0;
  if (!from.IsAtEnd()) return Unreadable("what is to be compiled can't be read");
  return call;
}

std::vector<uint8_t> Encode(const CompileAnswer& answer) {
  ByteWriter to;
  to.PutBytes(answer.model);
  to.PutText(answer.manufacturer);
  to.Put(answer.partitions);
  return to.Take();
}

litert::Expected<CompileAnswer> ParseCompileAnswer(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  CompileAnswer answer;
  answer.model = CopyBytes(from);
  answer.manufacturer = from.GetText();
  answer.partitions = from.Get<uint64_t>();
  if (!from.IsAtEnd()) return Unreadable("what was compiled can't be read");
  return answer;
}

}  // namespace npukit::remote
