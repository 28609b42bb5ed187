// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: bytes from the other side, as messages and as what messages hold. What is read is written again, and must
// be the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame_assembler.h"
#include "sdk/remote/wire/plugin_call.h"

namespace npukit::remote {
namespace {

template <typename Parse>
void ReadAndWrite(std::span<const uint8_t> bytes, Parse parse) {
  const auto read = parse(bytes);
  if (!read) return;
  const std::vector<uint8_t> written = Encode(*read);
  const auto again = parse(written);
  if (!again || Encode(*again) != written) abort();
}

void ReadPayload(std::span<const uint8_t> payload) {
  ReadAndWrite(payload, ParseDispatchCalls);
  ReadAndWrite(payload, ParseDispatchAnswers);
  ReadAndWrite(payload, ParseDeviceFacts);
  ReadAndWrite(payload, ParseLibraryFacts);
  ReadAndWrite(payload, ParseHowItEnded);
  ReadAndWrite(payload, ParsePluginCall);
  ReadAndWrite(payload, ParsePluginAnswer);
  ReadAndWrite(payload, ParsePluginFacts);
}

}  // namespace
}  // namespace npukit::remote

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> bytes(data, size);
  npukit::remote::ReadPayload(bytes);
  npukit::remote::FrameAssembler assembler;
  assembler.Add(bytes);
  for (;;) {
    const auto frame = assembler.Next();
    if (!frame || !*frame) break;
    npukit::remote::ReadPayload((*frame)->payload);
  }
  return 0;
}
