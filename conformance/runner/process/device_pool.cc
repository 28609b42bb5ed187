// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/device_pool.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"
#include "sdk/remote/desk/compiler/remote_plugin.h"
#include "sdk/remote/desk/connect.h"
#include "sdk/remote/desk/dispatch/remote_library.h"

namespace npukit::conformance {
namespace {

// By which a worker tells the runner that the device was lost. Vendor code that takes it for its own
// exit() is told that the device was lost: no better.
constexpr int kLostExitCode = 113;
// And by which it leaves when the library has answered otherwise than was expected.
constexpr int kSurprisedExitCode = 114;

// So many tasks of a kind, or of all, run twice; the others take no chance. A hang costs a lot of time.
constexpr int kMaxSurprisesOfKind = 2;
constexpr int kMaxSurprises = 24;
constexpr int kSurprisesOfHang = 8;
// Of a task's time limit, for the answers to several calls: one that hangs is found out by itself.
constexpr int kPatiencePart = 4;

// More would be a burden for a small device without being faster.
constexpr int kMaxTasksOfDevice = 16;
// Of a task's time at the desk and on the device, between two calls: so far apart are its round trips.
constexpr double kTaskMsPerRoundTrip = 3;
// Each waits about half its time for the device, however short the way there is; and messages of several tasks pass
// through ssh and the worker together, which costs less than one by one.
constexpr int kTasksPerProcessor = 2;

[[noreturn]] void LeaveAsLost(const std::string& why) {
  AddToStage(why);
  _exit(kLostExitCode);
}

[[noreturn]] void LeaveAsSurprised(const std::string& where) {
  AddToStage("expected another answer to " + where);
  _exit(kSurprisedExitCode);
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

size_t DevicePool::Device::num_lent() const {
  return static_cast<size_t>(std::count_if(places.begin(), places.end(),
                                           [](const auto& place) { return place->is_lent; }));
}

litert::Expected<void> DevicePool::Connect(Device& device) {
  LITERT_ASSIGN_OR_RETURN(auto connection, remote::Connect(device.address, request_.folder));
  LITERT_ASSIGN_OR_RETURN(auto shared, remote::SharedConnection::Start(std::move(connection)));
  device.connection = std::move(shared);
  return {};
}

litert::Expected<std::unique_ptr<remote::Link>> DevicePool::OpenLink(Device& device) {
  if (device.connection == nullptr) {
    LITERT_RETURN_IF_ERROR(Connect(device));
  }
  LITERT_ASSIGN_OR_RETURN(auto link, device.connection->OpenLink({.is_quiet = true}));
  remote::LinkTrouble trouble;
  if (!link->SendFile(library_.digest, library_.bytes, trouble) ||
      (plugin_ && !link->SendFile(plugin_->digest, plugin_->bytes, trouble))) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, trouble.what);
  }
  return link;
}

litert::Expected<void> DevicePool::Greet(Device& device) {
  // The first link waits for the worker's start and may have to send the library; the second one's two
  // requests are two round trips.
  for (int i = 0; i < 2; ++i) {
    const auto start = std::chrono::steady_clock::now();
    LITERT_ASSIGN_OR_RETURN(auto link, OpenLink(device));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    device.round_trip_ms = took.count() / 2;
    device.places.push_back(std::make_unique<Place>());
    device.places.back()->connection = device.connection;
    device.places.back()->link = std::move(link);
  }
  return {};
}

litert::Expected<std::unique_ptr<DevicePool>> DevicePool::Open(const DeviceRequest& request) {
  std::unique_ptr<DevicePool> pool(new DevicePool(request));
  pool->answers_ = remote::SharedAnswers::Create();
  LITERT_ASSIGN_OR_RETURN(pool->library_, remote::LibraryFile::Read(request.library_path));
  LITERT_ASSIGN_OR_RETURN(pool->library_path_, remote::AnnounceRemoteLibrary(pool->library_));
  if (!request.plugin_path.empty()) {
    LITERT_ASSIGN_OR_RETURN(pool->plugin_, remote::LibraryFile::Read(request.plugin_path));
    LITERT_RETURN_IF_ERROR(remote::AnnounceRemotePlugin(*pool->plugin_));
  }
  for (const remote::DeviceAddress& address : request.addresses) {
    pool->devices_.push_back(std::make_unique<Device>());
    pool->devices_.back()->address = address;
  }
  // Side by side, but for the couriers: a process that a thread starts to share a connection ends with it.
  std::vector<std::unique_ptr<remote::Connection>> connections(request.addresses.size());
  LITERT_RETURN_IF_ERROR(
      pool->ForEachDevice([&](Device& device, size_t i) -> litert::Expected<void> {
        LITERT_ASSIGN_OR_RETURN(connections[i], remote::Connect(device.address, request.folder));
        return {};
      }));
  for (size_t i = 0; i < connections.size(); ++i) {
    auto shared = remote::SharedConnection::Start(std::move(connections[i]));
    if (!shared) return Unreachable(*pool->devices_[i], shared.Error().Message());
    pool->devices_[i]->connection = std::move(*shared);
  }
  LITERT_RETURN_IF_ERROR(
      pool->ForEachDevice([&](Device& device, size_t) { return pool->Greet(device); }));
  LITERT_RETURN_IF_ERROR(pool->AskForExports());
  return pool;
}

litert::Unexpected DevicePool::Unreachable(const Device& device, const std::string& why) {
  return litert::Unexpected(kLiteRtStatusErrorDynamicLoading,
                            fmt::format("--device {}: {}", remote::ToText(device.address), why));
}

litert::Expected<void> DevicePool::ForEachDevice(
    const std::function<litert::Expected<void>(Device& device, size_t index)>& work) {
  std::vector<std::string> wrong(devices_.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < wrong.size(); ++i) {
    threads.emplace_back([&, i] {
      if (auto done = work(*devices_[i], i); !done) wrong[i] = done.Error().Message();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < wrong.size(); ++i) {
    if (!wrong[i].empty()) return Unreachable(*devices_[i], wrong[i]);
  }
  return {};
}

litert::Expected<void> DevicePool::AskForExports() {
  remote::Link& link = *devices_.front()->places.front()->link;
  remote::LibraryFacts facts;
  remote::PluginFacts plugin_facts;
  remote::LinkTrouble trouble{.kind = remote::LinkTrouble::Kind::kRefused, .what = {}, .end = {}};
  // A library that can't be loaded is for the checks to find.
  if (link.Open(library_.digest, library_.name, facts, trouble)) {
    LITERT_RETURN_IF_ERROR(remote::AnnounceExports(facts));
    facts_ = facts;
  }
  if (plugin_ && trouble.kind != remote::LinkTrouble::Kind::kLost &&
      link.OpenPlugin(plugin_->digest, plugin_->name, plugin_facts, trouble)) {
    LITERT_RETURN_IF_ERROR(remote::AnnouncePluginExports(plugin_facts));
  }
  if (trouble.kind != remote::LinkTrouble::Kind::kLost) return {};
  return Unreachable(*devices_.front(), trouble.what);
}

int DevicePool::TasksAtOnce(int processors) const {
  int all = 0;
  for (const auto& device : devices_) {
    all += std::clamp(static_cast<int>(device->round_trip_ms / kTaskMsPerRoundTrip), 1,
                      kMaxTasksOfDevice);
  }
  const int bearable = kMaxTasksOfDevice * static_cast<int>(devices_.size());
  return std::min(std::max(all, processors * kTasksPerProcessor), bearable);
}

std::chrono::milliseconds DevicePool::Patience() const {
  double longest_ms = 0;
  for (const auto& device : devices_) longest_ms = std::max(longest_ms, device->round_trip_ms);
  return std::min(std::chrono::milliseconds(static_cast<int64_t>(longest_ms * 1000)),
                  std::chrono::milliseconds(std::chrono::minutes(1)));
}

DevicePool::Place* DevicePool::BorrowOn(Device& device) {
  auto found = std::find_if(device.places.begin(), device.places.end(), [](const auto& place) {
    return !place->is_lent && place->link != nullptr;
  });
  if (found != device.places.end()) {
    (*found)->is_lent = true;
    return found->get();
  }
  // A connection that ended is made anew, once.
  auto link = OpenLink(device);
  if (!link && device.connection != nullptr) {
    device.connection = nullptr;
    link = OpenLink(device);
  }
  if (!link) {
    device.connection = nullptr;
    device.unreachable = link.Error().Message();
    return nullptr;
  }
  found = std::find_if(device.places.begin(), device.places.end(),
                       [](const auto& place) { return !place->is_lent; });
  if (found == device.places.end()) found = device.places.insert(found, std::make_unique<Place>());
  **found = {.connection = device.connection, .link = std::move(*link), .is_lent = true};
  return found->get();
}

DevicePool::Place* DevicePool::Borrow(Device*& device, std::string& why) {
  for (;;) {
    device = nullptr;
    for (const auto& one : devices_) {
      // One long wait for each is enough.
      if (one->unreachable.empty() && (device == nullptr || one->num_lent() < device->num_lent()))
        device = one.get();
    }
    if (device == nullptr) {
      why = devices_.front()->unreachable;
      return nullptr;
    }
    if (Place* const place = BorrowOn(*device)) return place;
  }
}

void DevicePool::GiveBack(Device& device, Place& place, const ChildOutcome& outcome) {
  if (outcome.end != ChildOutcome::End::kReported) {
    // The next task on this device gets a fresh worker; those that run keep theirs to the end.
    if (IsLost(outcome) && device.connection == place.connection) {
      device.connection = nullptr;
      for (const auto& other : device.places) {
        if (!other->is_lent) *other = {};
      }
    }
    place = {};
  }
  place.is_lent = false;
}

void DevicePool::Forgive() {
  for (const auto& device : devices_) device->unreachable.clear();
}

bool DevicePool::CanGoAhead(const std::string& kind) const {
  if (!facts_ || kind.empty() || num_surprises_ >= kMaxSurprises) return false;
  const auto found = surprises_.find(kind);
  return found == surprises_.end() || found->second < kMaxSurprisesOfKind;
}

void DevicePool::NoteEndOfAhead(const std::string& kind, const ChildOutcome& outcome) {
  if (outcome.end == ChildOutcome::End::kReported || IsLost(outcome)) return;
  ++surprises_[kind];
  num_surprises_ += outcome.end == ChildOutcome::End::kTimedOut ? kSurprisesOfHang : 1;
}

bool DevicePool::Equip(PoolTask& task, const std::string& kind) {
  Device* device = nullptr;
  std::string why;
  Place* const place = Borrow(device, why);
  if (place == nullptr) {
    task.work = [why]() -> std::string { LeaveAsLost(why); };
    return false;
  }
  task.limits.timeout += Patience();
  task.limits.inherited_fds = {place->link->from_device(), place->link->to_device()};
  std::optional<remote::Expectation> expectation;
  if (CanGoAhead(kind)) {
    expectation = {.facts = *facts_,
                   .of_others = answers_,
                   .patience = task.limits.timeout / kPatiencePart,
                   .on_surprise = LeaveAsSurprised};
  }
  task.work = [this, place, work = std::move(task.work), expectation] {
    const remote::RemoteHooks hooks{.on_lost = LeaveAsLost, .on_died = LeaveAsThere};
    auto installed = remote::InstallRemoteLibrary(*place->link, library_, hooks, expectation);
    if (installed && plugin_)
      installed = remote::InstallRemotePlugin(*place->link, *plugin_, hooks);
    if (!installed) LeaveAsLost(installed.Error().Message());
    std::string report = work();
    // What is reported rests on answers that were expected.
    (void)remote::SettleRemoteLibrary();
    // Threads of the check's may still be at it.
    place->link->Quiesce();
    return report;
  };
  const bool goes_ahead = expectation.has_value();
  task.worked = [this, kind, goes_ahead, device, place](const ChildOutcome& outcome) {
    if (goes_ahead) NoteEndOfAhead(kind, outcome);
    GiveBack(*device, *place, outcome);
  };
  return goes_ahead;
}

bool DevicePool::IsLost(const ChildOutcome& outcome) {
  return outcome.end == ChildOutcome::End::kExited && outcome.exit_code == kLostExitCode;
}

ChildOutcome DevicePool::Explained(ChildOutcome outcome) {
  if (IsLost(outcome)) outcome.end = ChildOutcome::End::kDeviceLost;
  return outcome;
}

}  // namespace npukit::conformance
