// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the functions of a remote library's table share: the link, and what stands at the desk for
// objects on the device.

#ifndef NPUKIT_SDK_REMOTE_DESK_REMOTE_STATE_H_
#define NPUKIT_SDK_REMOTE_DESK_REMOTE_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/remote/desk/remote_library.h"

namespace npukit::remote {

// Memory of the desk that was registered, and what the device's copy is known to hold.
struct DeskBuffer {
  std::span<uint8_t> memory;
  std::vector<uint8_t> on_device;  // empty: not known
};

// What a LiteRtDispatchDeviceContext of a remote library points to.
struct DeskDevice {
  uint64_t number = 0;
  std::map<uint64_t, DeskBuffer> buffers;  // by handle
};

// And a LiteRtDispatchInvocationContext.
struct DeskInvocation {
  uint64_t number = 0;
  DeskDevice* device = nullptr;
  std::map<std::pair<bool, int>, uint64_t> attached;  // by is_input, index: handle
  std::vector<RemoteEvent> events;                    // of the last run that was asked about
};

// And a LiteRtDispatchGraph.
struct DeskGraph {
  uint64_t number = 0;
};

class RemoteState {
 public:
  // The one of this process.
  static RemoteState& Get();

  void Install(Link* link, const LibraryFile* file, RemoteHooks hooks);
  const LibraryFile* file() const { return file_; }

  // All that follows under this lock.
  std::unique_lock<std::mutex> Lock() { return std::unique_lock(mutex_); }
  // Loads the library on the device, once.
  LiteRtStatus Open();
  bool is_open() const { return is_open_; }
  // Whoever installed it wants to know how calls end, and so what the library answers to wrong ones.
  bool is_judged() const { return hooks_.on_lost != nullptr; }
  const LibraryFacts& facts() const { return facts_; }
  // The status is the library's, or that of a call that did not get there.
  LiteRtStatus Call(const DispatchCall& call, DispatchAnswer& answer);
  // Puts bytecode into the call, or onto the device and its name into the call.
  LiteRtStatus PutBytecode(const LiteRtMemBuffer* memory, DispatchCall& call);
  // Of the last call that did not get to the library or not back; empty after one that did.
  const std::string& trouble() const { return trouble_; }
  // The first one since Install().
  const std::string& first_trouble() const { return first_trouble_; }

  // Owned by this until they are removed.
  DeskDevice* AddDevice(uint64_t number);
  DeskInvocation* AddInvocation(uint64_t number, DeskDevice* device);
  // The same object for the same number.
  LiteRtDispatchGraph GraphOf(uint64_t number);
  void Remove(const DeskDevice* device) { Erase(devices_, device); }
  void Remove(const DeskInvocation* invocation) { Erase(invocations_, invocation); }

 private:
  // `where`: "in invoke".
  LiteRtStatus Tell(const LinkTrouble& trouble, const std::string& where);
  LiteRtStatus SendFile(const std::string& digest, std::span<const uint8_t> bytes);
  template <typename T>
  static void Erase(std::vector<std::unique_ptr<T>>& from, const T* object) {
    std::erase_if(from, [&](const std::unique_ptr<T>& one) { return one.get() == object; });
  }

  std::mutex mutex_;
  Link* link_ = nullptr;
  const LibraryFile* file_ = nullptr;
  RemoteHooks hooks_;
  bool is_open_ = false;
  bool has_been_open_ = false;  // also on a link before this one
  LibraryFacts facts_;
  std::string trouble_;
  std::string first_trouble_;
  std::vector<std::unique_ptr<DeskDevice>> devices_;
  std::vector<std::unique_ptr<DeskInvocation>> invocations_;
  std::map<uint64_t, DeskGraph> graphs_;
};

// What a handle of the table points to.
inline DeskDevice* FromHandle(LiteRtDispatchDeviceContext context) {
  return reinterpret_cast<DeskDevice*>(context);
}
inline DeskInvocation* FromHandle(LiteRtDispatchInvocationContext context) {
  return reinterpret_cast<DeskInvocation*>(context);
}
inline const DeskGraph* FromHandle(LiteRtDispatchGraph graph) {
  return reinterpret_cast<const DeskGraph*>(graph);
}
// 0 of a null handle.
template <typename Context>
uint64_t NumberOf(Context context) {
  return context == nullptr ? 0 : FromHandle(context)->number;
}

// A call whose answer is its status.
LiteRtStatus CallOf(const DispatchCall& call);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_REMOTE_STATE_H_
