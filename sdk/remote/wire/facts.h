// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a device tells of itself and of a dispatch library, and how that library's process ended.
// Each has Encode and a Parse that takes untrusted bytes: an error if they are not exactly one such
// value.

#ifndef NPUKIT_SDK_REMOTE_WIRE_FACTS_H_
#define NPUKIT_SDK_REMOTE_WIRE_FACTS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::remote {

struct DeviceFacts {
  uint32_t protocol_version = 0;
  std::string worker_version;
  std::string machine;  // "aarch64"
  std::string kernel;   // "Linux 6.1.0"
  std::string host_name;
  std::string
      cpu;  // its name, or the numbers of its maker and part; empty: the kernel does not tell
  std::string soc;  // the board's name for itself; empty likewise
  uint32_t processors = 0;
  uint64_t memory_bytes = 0;
  uint64_t free_memory_bytes = 0;
  uint64_t free_cache_bytes = 0;  // where files that are sent stay
  std::vector<std::string>
      libraries;  // paths of those that the worker has loaded; the C library's version first
};

struct LibraryFacts {
  std::string vendor_id;
  std::string build_id;
  int32_t capabilities = 0;
  std::string generation;    // "LiteRT 2.1.3 to 2.1.4"
  bool has_metrics = false;  // all functions of them
  // Which functions its tables of asynchronous runs and of graphs have: a bit for each, from the first one on.
  // 0: there is no table.
  uint32_t async_functions = 0;
  uint32_t graph_functions = 0;
  std::vector<std::string> exports;  // of npukit's, besides
};

struct HowItEnded {
  int32_t signal = 0;  // 0: it ended by itself
  int32_t exit_code = 0;
  std::string detail;  // of one that was stopped by the worker; else empty
};
// "crashed with signal 11 (Segmentation fault)", "called exit(3)".
std::string Describe(const HowItEnded& end);

std::vector<uint8_t> Encode(const DeviceFacts& facts);
std::vector<uint8_t> Encode(const LibraryFacts& facts);
std::vector<uint8_t> Encode(const HowItEnded& end);
litert::Expected<DeviceFacts> ParseDeviceFacts(std::span<const uint8_t> bytes);
litert::Expected<LibraryFacts> ParseLibraryFacts(std::span<const uint8_t> bytes);
litert::Expected<HowItEnded> ParseHowItEnded(std::span<const uint8_t> bytes);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_FACTS_H_
