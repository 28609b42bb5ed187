// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Devices of one kind for the workers of a run. The runner keeps a connection to each, and so outlives
// every crash of what is judged; a task gets a link over one of them, on the device that has the least to
// do. A link that a worker leaves in any other way than at the end of its report is not used again.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_DEVICE_POOL_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_DEVICE_POOL_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/observation/child_outcome.h"
#include "conformance/runner/process/child_pool.h"
#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/device_address.h"
#include "sdk/remote/desk/dispatch/shared_answers.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/desk/link.h"
#include "sdk/remote/desk/shared_connection.h"

namespace npukit::conformance {

// What `--device` asks for.
struct DeviceRequest {
  std::vector<remote::DeviceAddress> addresses;  // not local:, at least one
  std::string folder;                            // with what is built for them
  std::string library_path;                      // of that the dispatch library
  std::string plugin_path;                       // and the compiler plugin; empty: this machine's
};

// Not thread-safe; the runner's.
class DevicePool {
 public:
  // Reads the libraries and connects to all devices. Error: one does not answer.
  static litert::Expected<std::unique_ptr<DevicePool>> Open(const DeviceRequest& request);

  // By which the host finds the devices' library: "linked:VENDOR".
  const std::string& library_path() const { return library_path_; }

  // Tasks to run at a time, so that the way to the devices does not count: for each device as many as
  // fit into a round trip, two for each of this machine's processors altogether at least, and no
  // more than 16 for each device.
  int TasksAtOnce(int processors) const;

  // What a task may take longer for the way to its device: a thousand round trips, at most a minute.
  std::chrono::milliseconds Patience() const;

  // Lends a link to the task until its work is over. Where no device answers, the task's outcome will
  // be that the device was lost. True: the task goes ahead, without waiting for answers of the library that are
  // expected. Then any other end of it than a report is for nothing, and it has to run once more with an empty kind,
  // which never does. Tasks of a kind that came to such ends do not either.
  bool Equip(PoolTask& task, const std::string& kind);
  static bool IsLost(const ChildOutcome& outcome);
  // Turns the outcome of a task that lost its device into kDeviceLost.
  static ChildOutcome Explained(ChildOutcome outcome);
  // What could not be reached is tried again.
  void Forgive();

 private:
  struct Place {
    // A place outlives its device's connection where that is replaced.
    std::shared_ptr<remote::SharedConnection> connection;
    std::unique_ptr<remote::Link> link;
    bool is_lent = false;
  };
  struct Device {
    remote::DeviceAddress address;
    std::shared_ptr<remote::SharedConnection> connection;  // null: to be made
    std::vector<std::unique_ptr<Place>> places;
    std::string unreachable;  // why; empty: it is not
    double round_trip_ms = 0;

    size_t num_lent() const;
  };

  explicit DevicePool(DeviceRequest request) : request_(std::move(request)) {}
  static litert::Unexpected Unreachable(const Device& device, const std::string& why);
  // On a thread for each. The first device's error, which names it.
  litert::Expected<void> ForEachDevice(
      const std::function<litert::Expected<void>(Device& device, size_t index)>& work);
  litert::Expected<void> Connect(Device& device);
  litert::Expected<std::unique_ptr<remote::Link>> OpenLink(Device& device);
  // Waits for the first answers of one that is connected, and puts its first links in their places.
  litert::Expected<void> Greet(Device& device);
  // Which exports the libraries have, as those that are loaded here show by themselves.
  litert::Expected<void> AskForExports();
  Place* BorrowOn(Device& device);
  // Null where no device answers; `why` says why. Places belong to the device.
  Place* Borrow(Device*& device, std::string& why);
  bool CanGoAhead(const std::string& kind) const;
  void NoteEndOfAhead(const std::string& kind, const ChildOutcome& outcome);
  static void GiveBack(Device& device, Place& place, const ChildOutcome& outcome);

  DeviceRequest request_;
  remote::LibraryFile library_;
  std::optional<remote::LibraryFile> plugin_;
  std::optional<remote::LibraryFacts> facts_;       // of the library, if it could be opened
  std::shared_ptr<remote::SharedAnswers> answers_;  // to all tasks; null: there is no memory
  std::map<std::string, int> surprises_;            // by kind of task
  int num_surprises_ = 0;
  std::string library_path_;
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_DEVICE_POOL_H_
