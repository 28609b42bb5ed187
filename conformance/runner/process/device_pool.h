// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Connections to a device for the workers of a run. The runner starts them, and so outlives every
// crash of what is judged; each serves one worker at a time. One that a worker leaves in any other way
// than at the end of its report is not used again.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_DEVICE_POOL_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_DEVICE_POOL_H_

#include <memory>
#include <string>
#include <vector>

#include "conformance/observation/child_outcome.h"
#include "conformance/runner/process/child_pool.h"
#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/link.h"
#include "sdk/remote/desk/remote_library.h"

namespace npukit::conformance {

// What `--device` asks for: how to start a worker there, and the dispatch library's file for it.
struct DeviceRequest {
  std::string command;
  std::string library_path;
};

// Not thread-safe; the runner's.
class DevicePool {
 public:
  // Reads the library and sees whether a worker answers.
  static litert::Expected<std::unique_ptr<DevicePool>> Open(const DeviceRequest& request);

  // Lends a connection to the task until its work is over; starts one if none is free. Where no worker
  // answers, the task's outcome will be that the device was lost.
  void Equip(PoolTask& task);
  // Turns the outcome of a task that lost its device into kDeviceLost.
  static ChildOutcome Explained(ChildOutcome outcome);
  // What could not be reached is tried again.
  void Forgive() { unreachable_.clear(); }

 private:
  struct Place {
    std::unique_ptr<remote::Link> link;
    bool is_lent = false;
  };

  explicit DevicePool(DeviceRequest request) : request_(std::move(request)) {}
  // Null where no worker answers; then unreachable_ says why.
  Place* Borrow();
  static void GiveBack(Place& place, const ChildOutcome& outcome);

  DeviceRequest request_;
  remote::LibraryFile library_;
  std::vector<std::unique_ptr<Place>> places_;
  std::string unreachable_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_DEVICE_POOL_H_
