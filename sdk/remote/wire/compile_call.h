// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model that is to be compiled on the device, by a compiler plugin there, and what comes of it.

#ifndef NPUKIT_SDK_REMOTE_WIRE_COMPILE_CALL_H_
#define NPUKIT_SDK_REMOTE_WIRE_COMPILE_CALL_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::remote {

// As `--spec` has it.
struct RemoteSpec {
  std::string plugin;      // empty: for all
  int64_t partition = -1;  // by number; -1: for all
  std::string key;
  std::vector<uint8_t> bytes;
};

struct CompileCall {
  std::string plugin_digest;  // of a file that was sent
  std::string plugin_name;    // the file's, as its vendor called it
  std::string model_digest;   // likewise
  std::string soc;            // empty: the plugin's choice
  std::vector<RemoteSpec> specs;
  bool splits_on_failure = false;  // partitions that do not compile become smaller ones
};

struct CompileAnswer {
  std::vector<uint8_t> model;  // compiled
  std::string manufacturer;
  uint64_t partitions = 0;
};

std::vector<uint8_t> Encode(const CompileCall& call);
std::vector<uint8_t> Encode(const CompileAnswer& answer);
// Of untrusted bytes: an error if they are not exactly one such value.
litert::Expected<CompileCall> ParseCompileCall(std::span<const uint8_t> bytes);
litert::Expected<CompileAnswer> ParseCompileAnswer(std::span<const uint8_t> bytes);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_COMPILE_CALL_H_
