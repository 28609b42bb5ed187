// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the functions of a remote compiler plugin share: the link, and what stands at the desk for plugins and compiled
// results on the device. Several threads may use it; the device has a thread for each.

#ifndef NPUKIT_SDK_REMOTE_DESK_COMPILER_PLUGIN_STATE_H_
#define NPUKIT_SDK_REMOTE_DESK_COMPILER_PLUGIN_STATE_H_

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/remote/desk/installed_link.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/wire/plugin_call.h"

namespace npukit::remote {

// Transformations as they were given out.
struct DeskTransformations {
  std::list<std::string> names;
  std::vector<LiteRtTransformation> list;
};

// What a LiteRtCompilerPlugin of a remote plugin points to.
struct DeskPlugin {
  uint64_t number = 0;
  std::set<std::string> texts;                     // names of SoCs that were given out
  std::list<DeskTransformations> transformations;  // what was given out stays
  // Reasons for the ops of the subgraph that was last asked about.
  const Subgraph* explained = nullptr;
  std::string explained_for;  // the SoC
  std::vector<std::string> reasons;
};

// And a LiteRtCompiledResult. What was given out stays as long as the result.
struct DeskResult {
  uint64_t number = 0;
  std::map<uint64_t, std::vector<uint8_t>> modules;  // by index; asked for once
  std::list<std::vector<uint8_t>> entry_points;
  struct Handle {
    std::string name;
    std::vector<uint32_t> ops;
  };
  std::list<Handle> handles;
};

class PluginState {
 public:
  // The one of this process.
  static PluginState& Get();

  void Install(Link* link, const LibraryFile* file, RemoteHooks hooks);
  InstalledLink& link() { return link_; }
  // Loads the plugin on the device, once.
  LiteRtStatus Open();
  const PluginFacts& facts() const { return facts_; }
  // The status is the plugin's, or that of a call that did not get there.
  LiteRtStatus Call(PluginCall call, PluginAnswer& answer);
  // Why the last call of this thread failed, in the plugin's own words; empty otherwise.
  static std::string& LastError();
  // Puts a graph into the call, or onto the device and its name into the call.
  LiteRtStatus PutModel(litert::Expected<std::vector<uint8_t>> bytes, PluginCall& call);

  // For what stands at the desk, and not while the device is asked.
  std::unique_lock<std::mutex> Lock() { return std::unique_lock(mutex_); }
  // Owned by this until they are removed.
  LiteRtCompilerPlugin AddPlugin(uint64_t number);
  LiteRtCompiledResult AddResult(uint64_t number);
  void Remove(LiteRtCompilerPlugin plugin);
  void Remove(LiteRtCompiledResult result);

 private:
  template <typename Object>
  using Objects = std::map<const void*, std::unique_ptr<Object>>;
  template <typename Object>
  Object* Add(uint64_t number, Objects<Object>& objects);

  std::mutex mutex_;
  std::mutex open_mutex_;
  InstalledLink link_{"the compiler plugin"};
  const LibraryFile* file_ = nullptr;
  std::atomic<bool> is_open_ = false;
  PluginFacts facts_;
  Objects<DeskPlugin> plugins_;
  Objects<DeskResult> results_;
};

inline DeskPlugin* FromHandle(LiteRtCompilerPlugin plugin) {
  return reinterpret_cast<DeskPlugin*>(plugin);
}
inline DeskResult* FromHandle(LiteRtCompiledResult result) {
  return reinterpret_cast<DeskResult*>(result);
}

// A call about an object: 0 of a null handle.
template <typename Handle>
PluginCall CallOn(PluginFunction function, Handle handle) {
  return {.function = function, .object = handle == nullptr ? 0 : FromHandle(handle)->number};
}

// Calls and writes the answer's number, where there is a place for it.
template <typename T>
LiteRtStatus CallForNumber(PluginCall call, T* result) {
  if (result == nullptr) call.nulls |= kNullFirstResult;
  PluginAnswer answer;
  const LiteRtStatus status = PluginState::Get().Call(std::move(call), answer);
  if (status == kLiteRtStatusOk && result != nullptr) *result = static_cast<T>(answer.number);
  return status;
}

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_COMPILER_PLUGIN_STATE_H_
