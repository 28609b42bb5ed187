// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/context_probe.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

namespace npukit {
namespace {

// Words of the longer of the two tables.
constexpr size_t kWords = sizeof(LiteRtCompilerContext) / sizeof(void*);
// Places of the functions that count ops, inputs and outputs, in either layout; see
// litert_compiler_context.def.
constexpr int kFirstCounter = 2;
constexpr int kLastCounter = 7;
constexpr int kNoWord = -1;
// Below this no object lies: a second argument so small is an index, not a pointer.
constexpr uintptr_t kFirstAddress = 1 << 16;

int probed_subgraph = 0;  // its address is the subgraph's handle
int probed_list = 0;
std::atomic<int> first_word{kNoWord};

// The member at a place of the table, called with whatever arguments: System V passes the first two
// in registers, whatever follows.
template <int kWord>
LiteRtStatus Probed(void* object, void* result) {
  if (object != &probed_subgraph) return kLiteRtStatusErrorUnsupported;
  int none = kNoWord;
  first_word.compare_exchange_strong(none, kWord);
  if (kWord < kFirstCounter || kWord > kLastCounter ||
      reinterpret_cast<uintptr_t>(result) < kFirstAddress) {
    return kLiteRtStatusErrorUnsupported;
  }
  *static_cast<LiteRtParamIndex*>(result) = 0;
  return kLiteRtStatusOk;
}

template <int... kPlaces>
std::array<void*, kWords> MakeTable(std::integer_sequence<int, kPlaces...>) {
  return {reinterpret_cast<void*>(&Probed<kPlaces>)...};
}

litert::Unexpected CannotTell(const std::string& path, const std::string& why) {
  return litert::Unexpected(
      kLiteRtStatusErrorUnsupported,
      fmt::format("{}: exports LiteRtGetCompilerPluginSDKVersion, so that it is of LiteRT 2.1.5 or "
                  "later; {}, so that the layout of its table of host functions can't be told",
                  path, why));
}

}  // namespace

litert::Expected<PluginGeneration> ProbeContextLayout(const std::string& path,
                                                      CreatePluginWithContext create,
                                                      const LiteRtCompilerPluginApi& api) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  std::array<void*, kWords> table = MakeTable(std::make_integer_sequence<int, kWords>());
  // In the layout with a header this is the header; in the other, a function on models, of which
  // the plugin gets none here.
  LiteRtAbiHeader header = LrtGetCompilerContext()->abi_header;
  header.struct_size = sizeof(table);
  header.minor_version = 0;
  static_assert(sizeof(header) == sizeof(void*));
  *reinterpret_cast<LiteRtAbiHeader*>(table.data()) = header;

  first_word = kNoWord;
  LiteRtCompilerPlugin plugin = nullptr;
  const LiteRtStatus created = create(table.data(), &plugin, nullptr, nullptr);
  if (created != kLiteRtStatusOk || plugin == nullptr) {
    return CannotTell(
        path, fmt::format("LiteRtCreateCompilerPlugin gave {}",
                          created == kLiteRtStatusOk ? "a null plugin"
                                                     : litert::internal::StatusString(created)));
  }
  (void)api.compiler_plugin_partition(plugin, nullptr,
                                      reinterpret_cast<LiteRtSubgraph>(&probed_subgraph),
                                      reinterpret_cast<LiteRtOpList>(&probed_list));
  api.destroy_compiler_plugin(plugin);
  const int word = first_word;
  if (word == kNoWord) return CannotTell(path, "it asked nothing about a subgraph");
  if (word < kFirstCounter || word > kLastCounter) {
    return CannotTell(path, fmt::format("it asked first for member {}", word));
  }
  return word % 2 == 0 ? PluginGeneration::kV215 : PluginGeneration::kV220;
}

}  // namespace npukit
