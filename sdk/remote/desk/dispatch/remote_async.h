// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of a remote library's table for asynchronous runs. The application's input events are watched here: the
// worker has an event for each that the library waits for, and signals it together with what the application has
// written by then. Output events stay on the device; who waits for one here has the device waited, and finds in the
// buffers what the run has written once it is over.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_ASYNC_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_ASYNC_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "litert/c/litert_event.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/delegate_debug.h"
#include "sdk/remote/desk/dispatch/remote_state.h"

namespace npukit::remote {

// Of all functions that there are; those that the library has not are taken out of a copy.
extern const LiteRtDispatchAsyncInterface remote_async_table;

LiteRtStatus GetEventStatus(LiteRtEvent event, LiteRtStatus* status, NpukitDebugHandle* handle,
                            char* buffer, size_t size_bytes);

// The device's number of the output event that is set on a buffer; 0 if there is none of the device's.
uint64_t NumberOfEventOn(const LiteRtTensorBufferT& buffer);

// A thread that waits for an application's event and tells the device.
class InputWatch {
 public:
  // `event` is the watch's own; `number` that of the worker's event for it.
  InputWatch(LiteRtEvent event, uint64_t number, const DeskInvocation& invocation);
  // Stops it. Not under the state's lock.
  ~InputWatch();
  InputWatch(const InputWatch&) = delete;
  InputWatch& operator=(const InputWatch&) = delete;

  // The run that waits for it begins; before that, what is attached counts.
  void SetRun(const std::shared_ptr<DeskRun>& run);
  // The device was told.
  bool is_over() const { return is_over_; }

 private:
  void Watch();

  const std::unique_ptr<LiteRtEventT, void (*)(LiteRtEvent)> event_;
  const uint64_t number_;
  const DeskInvocation& invocation_;
  std::mutex mutex_;
  std::shared_ptr<DeskRun> run_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<bool> is_over_ = false;
  // The last member: it uses all others as soon as it is made.
  std::thread thread_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_ASYNC_H_
