// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls of a dispatch library that go to the device together with the next one that has to wait: meanwhile the
// application goes on with the answers that are expected (expected_answers.h). When the device has answered, it is
// compared; where that is another answer the application has gone on with a wrong one, and whoever runs it is told, to
// have it run once more without. A call that always follows another goes with it, before the application makes it.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_CALLS_AHEAD_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_CALLS_AHEAD_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sdk/remote/desk/dispatch/expected_answers.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"

namespace npukit::remote {

// For the one that runs the application.
struct Expectation {
  LibraryFacts facts;  // what the library will say of itself, as it has before
  // What other processes of the run were answered; null: nothing.
  std::shared_ptr<SharedAnswers> of_others = nullptr;
  // When the answers to several calls take longer it is not known which of them it is that hangs.
  std::chrono::milliseconds patience = std::chrono::seconds(5);
  // The library did not answer as expected, and in which call. The application's state is worth nothing from there on.
  std::function<void(const std::string& where)> on_surprise;
};

// For the first thread that calls, as long as no other one does. All but is_on() under the lock.
//
// On from a Restart() with an expectation; off for good, until the next one, with a call that it
// does not bear or with the first surprise.
class CallsAhead {
 public:
  // Nothing is expected without an expectation.
  void Restart(std::optional<Expectation> expectation);
  bool is_on() const { return is_on_; }
  std::unique_lock<std::mutex> Lock() { return std::unique_lock(mutex_); }
  // What was put off has been answered, and nothing is any more.
  void Stop() { is_on_ = false; }
  const Expectation& expectation() const { return *expectation_; }

  // False: a call of another thread, or one after which the order of the answers counts.
  bool Bears(const DispatchCall& call);
  // Whether the call need not wait: it is kept, and this is its answer.
  bool PutOff(DispatchCall& call, DispatchAnswer& answer);
  // A call with what it brings for buffers, whose answer somebody else expects. False: it has to wait.
  bool PutOffRun(const DispatchCall& call, const DispatchAnswer& expected);
  ExpectedAnswers& expected() { return expected_; }
  // The library is being opened by a request of that number.
  void PutOffOpening(uint64_t request) { opening_ = request; }
  bool has_calls() const { return !put_off_.empty(); }
  // Answers that were given and not compared yet.
  bool has_expected() const { return !answers_.empty(); }

  // Whether the application will stop the collection of metrics once the call has been answered, as far as that is
  // known: then that goes to the device with it.
  bool IsFollowedByStop(const DispatchCall& call) const;
  // The answer to a call that went ahead of the application.
  void Keep(DispatchCall call, DispatchAnswer answer);
  // Whether the application makes another call than the one that went ahead of it.
  bool IsMisled(const DispatchCall& call) const;
  bool has_kept() const { return !kept_.empty(); }

  // What was put off: the opening, if it was, and calls.
  std::optional<uint64_t> TakeOpening() { return std::exchange(opening_, std::nullopt); }
  std::vector<DispatchCall> TakeCalls();
  // The calls that were taken, and after them one that was waited for, if there is one, and what follows it: where the
  // answers are others than expected; empty: nowhere.
  std::string Compare(const std::vector<DispatchCall>& calls,
                      const std::vector<DispatchAnswer>& answers);

 private:
  std::mutex mutex_;
  std::atomic<bool> is_on_ = false;
  std::optional<Expectation> expectation_;
  std::optional<uint16_t> thread_;
  ExpectedAnswers expected_;
  std::optional<uint64_t> opening_;
  std::vector<DispatchCall> put_off_;
  size_t put_off_bytes_ = 0;             // for buffers
  std::vector<DispatchAnswer> answers_;  // to those, as expected
  // Calls that went ahead of the application, by invocation.
  std::map<uint64_t, std::pair<DispatchCall, DispatchAnswer>> kept_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_CALLS_AHEAD_H_
