// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the functions of a remote library's table share: the link, and what stands at the desk for
// objects on the device. Several threads may use it; the device has a thread for each.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_STATE_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_STATE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/remote/desk/dispatch/calls_ahead.h"
#include "sdk/remote/desk/installed_link.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"

namespace npukit::remote {

// Memory of the desk that was registered, and what the device is known to have of it.
struct DeskBuffer {
  uint64_t number = 0;
  // A reference of its own: a run may outlast the registration.
  std::unique_ptr<LiteRtTensorBufferT, void (*)(LiteRtTensorBuffer)> tensor_buffer;
  std::span<uint8_t> memory;
  std::vector<uint8_t> on_device;  // empty: not known
  BufferState told;
  bool is_registered = true;  // then the memory is there
};

// What a run uses. All under the state's lock.
struct DeskRun {
  std::vector<std::shared_ptr<DeskBuffer>> buffers;
  // Of an asynchronous run, which has the memory until they are signalled, even if it was unregistered meanwhile.
  int live_events = 0;

  bool HasMemoryOf(const DeskBuffer& buffer) const {
    return buffer.is_registered || live_events > 0;
  }
};

// What a LiteRtDispatchDeviceContext of a remote library points to.
struct DeskDevice {
  uint64_t number = 0;
  std::map<uint64_t, std::shared_ptr<DeskBuffer>> buffers;  // by handle
};

class InputWatch;  // remote_async.h

// And a LiteRtDispatchInvocationContext.
struct DeskInvocation {
  ~DeskInvocation();

  uint64_t number = 0;
  DeskDevice* device = nullptr;                       // null once that is gone; under the lock
  std::map<std::pair<bool, int>, uint64_t> attached;  // by is_input, index: handle
  std::vector<RemoteEvent> events;                    // of the last run that was asked about
  std::vector<std::unique_ptr<InputWatch>> watches;   // of events that its runs wait for
};

// And a LiteRtDispatchGraph.
struct DeskGraph {
  uint64_t number = 0;
};

class RemoteState {
 public:
  // The one of this process.
  static RemoteState& Get();

  void Install(Link* link, const LibraryFile* file, RemoteHooks hooks,
               std::optional<Expectation> expectation);
  const LibraryFile* file() const { return file_; }

  // For what stands at the desk for objects on the device, and not while the device is asked.
  std::unique_lock<std::mutex> Lock() { return std::unique_lock(mutex_); }
  // Loads the library on the device, once.
  LiteRtStatus Open();
  bool is_open() const { return is_open_; }
  // True once since the library was installed.
  bool IsFirstInitialize() { return !is_initialized_.exchange(true); }
  InstalledLink& link() { return link_; }
  const LibraryFacts& facts() const { return facts_; }
  // The status is the library's, or that of a call that did not get there.
  LiteRtStatus Call(DispatchCall call, DispatchAnswer& answer);
  // As that, for a call in which the library uses the buffers of a run. The device gets what is new in them, if the desk
  // writes them, and what the application did to them; the desk gets what the library wrote, even if it failed.
  enum class Contents { kSent, kNotSent };
  LiteRtStatus CallOn(DeskRun& run, Contents contents, DispatchCall call, DispatchAnswer& answer);
  // stop_metrics_collection of an invocation, by number.
  DispatchCall StopOf(uint64_t invocation, uint16_t thread = 0) const;
  // Puts bytecode into the call, or onto the device and its name into the call.
  LiteRtStatus PutBytecode(const LiteRtMemBuffer* memory, DispatchCall& call);
  // Waits for the answers to what was put off.
  LiteRtStatus Settle();
  // An output event that the device may forget.
  void DropEvent(uint64_t event);

  // Owned by this until they are removed, which they are once the library has destroyed what they stand for: one that
  // refuses that may be asked again.
  DeskDevice* AddDevice(uint64_t number);
  DeskInvocation* AddInvocation(uint64_t number, DeskDevice* device);
  // The same object for the same number.
  LiteRtDispatchGraph GraphOf(uint64_t number);
  void Remove(const DeskDevice* device);
  void Remove(const DeskInvocation* invocation) { Erase(invocations_, invocation); }
  // Of a call to destroy them that did not get to the library, or not back: they stay, as the caller may try again, and
  // use no memory of the caller's any more.
  void LetGo(DeskDevice* device);
  static void LetGo(DeskInvocation* invocation);
  // Those attached to it, each once.
  DeskRun RunOf(const DeskInvocation& invocation);

 private:
  // Of the host's thread that puts calls off; holds the lock for it, if it does.
  struct Turn {
    std::unique_lock<std::mutex> alone;
    bool is_put_off = false;
    LiteRtStatus status = kLiteRtStatusOk;
  };
  Turn TakeTurn(const DeskRun& run, DispatchCall& call, DispatchAnswer& answer);
  LiteRtStatus SettleAlone();
  // Whether a run's results are known: then they are in the buffers. Under both locks. `number`: to note it by, if not.
  bool PutOffRun(const DeskRun& run, const DispatchCall& call, uint64_t& number);
  // The answers to what was put off and to the last call. `where`: they are others than expected.
  bool ReceiveAlone(const std::vector<DispatchCall>& calls, uint64_t number,
                    std::vector<DispatchAnswer>& answers, LinkTrouble& trouble, std::string& where);
  bool OpensAsExpected(uint64_t request, LinkTrouble& trouble);
  LiteRtStatus Surprised(const std::string& where);
  // What is known of the buffers before, and after.
  static void PutNews(const DeskRun& run, Contents contents, const std::vector<BufferState>& states,
                      DispatchCall& call);
  static void TakeNews(const DeskRun& run, DispatchAnswer& answer);
  template <typename T>
  void Erase(std::vector<std::unique_ptr<T>>& from, const T* object) {
    std::unique_ptr<T> erased;  // once unlocked: it may wait for threads
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(from.begin(), from.end(), [&](const std::unique_ptr<T>& one) {
      return one.get() == object;
    });
    if (found == from.end()) return;
    erased = std::move(*found);
    from.erase(found);
  }

  // Locked in this order, where several are: open_mutex_, that of ahead_, mutex_.
  std::mutex mutex_;
  std::mutex open_mutex_;
  InstalledLink link_{"the library"};
  CallsAhead ahead_;
  const LibraryFile* file_ = nullptr;
  std::atomic<bool> is_open_ = false;
  std::atomic<bool> is_initialized_ = false;
  std::atomic<bool> has_been_open_ = false;  // also on a link before this one
  LibraryFacts facts_;
  std::vector<uint64_t> dropped_events_;  // of which the device was not told yet
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
LiteRtStatus CallOf(DispatchCall call);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_STATE_H_
