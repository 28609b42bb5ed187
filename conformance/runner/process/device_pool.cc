// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/device_pool.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

// By which a worker tells the runner that the device was lost. Vendor code that takes it for its own
// exit() is told that the device was lost: no better.
constexpr int kLostExitCode = 113;

[[noreturn]] void LeaveAsLost(const std::string& why) {
  AddToStage(why);
  _exit(kLostExitCode);
}

// As the library's process on the device ended.
void LeaveAsThere(const remote::HowItEnded& end) {
  AddToStage("on the device" + (end.detail.empty() ? "" : ", where it " + end.detail));
  if (end.signal == 0) _exit(end.exit_code);
  signal(end.signal, SIG_DFL);
  raise(end.signal);
  // One that does not end a process, or not this one.
  _exit(kLostExitCode);
}

}  // namespace

litert::Expected<std::unique_ptr<DevicePool>> DevicePool::Open(const DeviceRequest& request) {
  std::unique_ptr<DevicePool> pool(new DevicePool(request));
  LITERT_ASSIGN_OR_RETURN(pool->library_, remote::LibraryFile::Read(request.library_path));
  LITERT_RETURN_IF_ERROR(remote::AnnounceRemoteLibrary(pool->library_));
  Place* const first = pool->Borrow();
  if (first == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorDynamicLoading, pool->unreachable_);
  first->is_lent = false;
  return pool;
}

DevicePool::Place* DevicePool::Borrow() {
  auto found = std::find_if(places_.begin(), places_.end(),
                            [](const auto& place) { return !place->is_lent; });
  if (found == places_.end()) found = places_.insert(found, std::make_unique<Place>());
  Place& place = **found;
  if (place.link == nullptr) {
    // One long wait is enough.
    if (!unreachable_.empty()) return nullptr;
    auto link = remote::Link::Start(request_.command, {.is_quiet = true});
    remote::LinkTrouble trouble;
    if (!link || !(*link)->SendFile(library_.digest, library_.bytes, trouble)) {
      unreachable_ = link ? trouble.what : link.Error().Message();
      return nullptr;
    }
    place.link = std::move(*link);
  }
  place.is_lent = true;
  return &place;
}

void DevicePool::GiveBack(Place& place, const ChildOutcome& outcome) {
  if (outcome.end != ChildOutcome::End::kReported) place.link.reset();
  place.is_lent = false;
}

void DevicePool::Equip(PoolTask& task) {
  Place* const place = Borrow();
  if (place == nullptr) {
    task.work = [why = unreachable_]() -> std::string { LeaveAsLost(why); };
    return;
  }
  task.limits.inherited_fds = {place->link->from_device(), place->link->to_device()};
  task.work = [this, place, work = std::move(task.work)] {
    const auto installed = remote::InstallRemoteLibrary(
        *place->link, library_, {.on_lost = LeaveAsLost, .on_died = LeaveAsThere});
    if (!installed) LeaveAsLost(installed.Error().Message());
    return work();
  };
  task.worked = [place](const ChildOutcome& outcome) { GiveBack(*place, outcome); };
}

ChildOutcome DevicePool::Explained(ChildOutcome outcome) {
  if (outcome.end == ChildOutcome::End::kExited && outcome.exit_code == kLostExitCode)
    outcome.end = ChildOutcome::End::kDeviceLost;
  return outcome;
}

}  // namespace npukit::conformance
