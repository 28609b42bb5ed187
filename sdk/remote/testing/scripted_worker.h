// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the desk: a worker that says in messages of the protocol whatever a test wants it to say. Libraries are
// there before they are sent, and open.

#ifndef NPUKIT_SDK_REMOTE_TESTING_SCRIPTED_WORKER_H_
#define NPUKIT_SDK_REMOTE_TESTING_SCRIPTED_WORKER_H_

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "sdk/remote/wire/byte_stream.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/plugin_call.h"

namespace npukit::remote {

class ScriptedWorker {
 public:
  // Answers are the functions', of which either may be null.
  using Dispatch = std::function<DispatchAnswer(const DispatchCall&)>;
  using Plugin = std::function<PluginAnswer(const PluginCall&)>;

  explicit ScriptedWorker(Dispatch dispatch, Plugin plugin = nullptr)
      : dispatch_(std::move(dispatch)), plugin_(std::move(plugin)) {
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    desk_end_ = pair[0];
    own_end_ = pair[1];
    thread_ = std::thread([this] { Serve(); });
  }
  // Once the desk's end is closed.
  ~ScriptedWorker() {
    if (desk_end_ >= 0) close(desk_end_);
    thread_.join();
    close(own_end_);
  }
  int TakeFd() { return std::exchange(desk_end_, -1); }

  // Of a dispatch library's function, in order.
  std::vector<DispatchCall> CallsOf(DispatchFunction function) {
    const std::lock_guard lock(mutex_);
    std::vector<DispatchCall> some;
    for (const DispatchCall& call : calls_) {
      if (call.function == function) some.push_back(call);
    }
    return some;
  }

 private:
  void Serve() {
    for (;;) {
      auto request = ReceiveFrame(own_end_, std::chrono::minutes(1));
      if (!request) return;
      const auto [kind, payload] = AnswerTo(*request);
      const Frame answer{.kind = kind, .number = request->number, .payload = payload};
      if (!SendFrame(own_end_, answer, std::chrono::minutes(1))) return;
    }
  }

  std::pair<MessageKind, std::vector<uint8_t>> AnswerTo(const Frame& request) {
    switch (request.kind) {
      case MessageKind::kHello:
        return {MessageKind::kFacts, Encode(DeviceFacts{.protocol_version = kProtocolVersion})};
      case MessageKind::kOpen:
        return {MessageKind::kOpened, Encode(LibraryFacts{.vendor_id = "Scripted"})};
      case MessageKind::kOpenPlugin:
        return {MessageKind::kPluginOpened,
                Encode(PluginFacts{.exports = {"NpukitSetCompileSpecs"}})};
      case MessageKind::kCall:
        return {MessageKind::kAnswer, Encode(AnswersTo(request.payload))};
      case MessageKind::kPluginCall: {
        const auto call = ParsePluginCall(request.payload);
        EXPECT_TRUE(call);
        return {MessageKind::kPluginAnswer, Encode(call ? plugin_(*call) : PluginAnswer{})};
      }
      default:
        return {MessageKind::kYes, {}};
    }
  }

  std::vector<DispatchAnswer> AnswersTo(const std::vector<uint8_t>& payload) {
    const auto calls = ParseDispatchCalls(payload);
    EXPECT_TRUE(calls);
    std::vector<DispatchAnswer> answers;
    if (!calls) return answers;
    const std::lock_guard lock(mutex_);
    for (const DispatchCall& call : *calls) {
      calls_.push_back(call);
      answers.push_back(dispatch_(call));
    }
    return answers;
  }

  const Dispatch dispatch_;
  const Plugin plugin_;
  int desk_end_ = -1;
  int own_end_ = -1;
  std::mutex mutex_;
  std::vector<DispatchCall> calls_;
  std::thread thread_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_TESTING_SCRIPTED_WORKER_H_
