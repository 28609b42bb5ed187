// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/facts.h"

#include <fmt/format.h>

#include <cstring>

#include "sdk/remote/wire/byte_stream.h"
#include "sdk/remote/wire/message_kind.h"

namespace npukit::remote {
namespace {

litert::Unexpected Unreadable(const char* what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("{} can't be read", what));
}

}  // namespace

std::string Describe(const HowItEnded& end) {
  if (!end.detail.empty()) return end.detail;
  if (end.signal == 0) return fmt::format("called exit({})", end.exit_code);
  return fmt::format("crashed with signal {} ({})", end.signal, strsignal(end.signal));
}

std::vector<uint8_t> Encode(const DeviceFacts& facts) {
  ByteWriter to;
  to.Put(facts.protocol_version);
  to.PutText(facts.worker_version);
  to.PutText(facts.machine);
  to.PutText(facts.kernel);
  to.PutText(facts.host_name);
  to.PutText(facts.cpu);
  to.PutText(facts.soc);
  to.Put(facts.processors);
  to.Put(facts.memory_bytes);
  to.Put(facts.free_memory_bytes);
  to.Put(facts.free_cache_bytes);
  to.PutList(facts.libraries, [&](const std::string& library) { to.PutText(library); });
  return to.Take();
}

litert::Expected<DeviceFacts> ParseDeviceFacts(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  DeviceFacts facts;
  facts.protocol_version = from.Get<uint32_t>();
  // What follows may differ in another version.
  if (from.ok() && facts.protocol_version != kProtocolVersion) {
    return litert::Unexpected(
        kLiteRtStatusErrorWrongVersion,
        fmt::format(
            "the device's worker speaks version {} of the protocol, this npukit version {}: "
            "take npukit-worker of this npukit",
            facts.protocol_version, kProtocolVersion));
  }
  facts.worker_version = from.GetText();
  facts.machine = from.GetText();
  facts.kernel = from.GetText();
  facts.host_name = from.GetText();
  facts.cpu = from.GetText();
  facts.soc = from.GetText();
  facts.processors = from.Get<uint32_t>();
  facts.memory_bytes = from.Get<uint64_t>();
  facts.free_memory_bytes = from.Get<uint64_t>();
  facts.free_cache_bytes = from.Get<uint64_t>();
  from.GetList([&] { facts.libraries.push_back(from.GetText()); });
  if (!from.IsAtEnd()) return Unreadable("the device's description of itself");
  return facts;
}

std::vector<uint8_t> Encode(const LibraryFacts& facts) {
  ByteWriter to;
  to.PutText(facts.vendor_id);
  to.PutText(facts.build_id);
  to.Put(facts.capabilities);
  to.PutText(facts.generation);
  to.Put(static_cast<uint8_t>(facts.has_metrics));
  to.Put(facts.async_functions);
  to.Put(facts.graph_functions);
  to.PutList(facts.exports, [&](const std::string& name) { to.PutText(name); });
  return to.Take();
}

litert::Expected<LibraryFacts> ParseLibraryFacts(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  LibraryFacts facts;
  facts.vendor_id = from.GetText();
  facts.build_id = from.GetText();
  facts.capabilities = from.Get<int32_t>();
  facts.generation = from.GetText();
  facts.has_metrics = from.Get<uint8_t>() != 0;
  facts.async_functions = from.Get<uint32_t>();
  facts.graph_functions = from.Get<uint32_t>();
  from.GetList([&] { facts.exports.push_back(from.GetText()); });
  if (!from.IsAtEnd()) return Unreadable("the device's description of the library");
  return facts;
}

std::vector<uint8_t> Encode(const HowItEnded& end) {
  ByteWriter to;
  to.Put(end.signal);
  to.Put(end.exit_code);
  to.PutText(end.detail);
  return to.Take();
}

litert::Expected<HowItEnded> ParseHowItEnded(std::span<const uint8_t> bytes) {
  ByteReader from(bytes);
  HowItEnded end;
  end.signal = from.Get<int32_t>();
  end.exit_code = from.Get<int32_t>();
  end.detail = from.GetText();
  if (!from.IsAtEnd()) return Unreadable("how the library's process ended");
  return end;
}

}  // namespace npukit::remote
