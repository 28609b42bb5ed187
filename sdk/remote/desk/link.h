// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A connection to a worker, from the desk. A request is answered or the link is lost: there is no way
// back from a link that was lost, and every later request says so at once. What the worker says is
// checked before it is used. Several threads may call functions of libraries and send files at a time;
// each waits for its own answer.

#ifndef NPUKIT_SDK_REMOTE_DESK_LINK_H_
#define NPUKIT_SDK_REMOTE_DESK_LINK_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/connection.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/plugin_call.h"

namespace npukit::remote {

struct LinkLimits {
  // A worker that lives says something every second.
  std::chrono::milliseconds silence = std::chrono::seconds(8);
  // The first answer: the command may have to fetch, boot or emulate first.
  std::chrono::milliseconds start = std::chrono::seconds(60);
  // What the library prints there is dropped; else it comes with the command's standard error.
  bool is_quiet = false;
};

// How a request went, where that is not an answer.
struct LinkTrouble {
  enum class Kind {
    kLost,     // the connection: nothing more comes
    kDied,     // the library's process; a new one can be opened
    kRefused,  // the worker can't do it
    kLate,     // not yet: the answer may still come, and nobody waits for it any more
  };
  Kind kind = Kind::kLost;
  std::string what;  // a sentence without its subject for kDied, else a whole one
  HowItEnded end;    // of kDied
};

class Link {
 public:
  // Greets the worker behind a connection. Errors: it ends, or says nothing; what answers is no worker
  // of this version.
  static litert::Expected<std::unique_ptr<Link>> Greet(std::unique_ptr<Connection> connection,
                                                       const LinkLimits& limits = {});
  // As that, for a shell's command.
  static litert::Expected<std::unique_ptr<Link>> Start(const std::string& command,
                                                       const LinkLimits& limits = {});
  // Takes over both directions of a connection, a descriptor each or one, and greets the worker.
  static litert::Expected<std::unique_ptr<Link>> Adopt(int from_device, int to_device,
                                                       const LinkLimits& limits = {});
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  const DeviceFacts& device() const { return device_; }
  // Of the connection, for a process that is to inherit it.
  int from_device() const { return from_device_; }
  int to_device() const { return to_device_; }
  // After a process was forked, for the one of the two that does not use the link any more: it closes
  // its ends and leaves the command alone.
  void Abandon();
  // For a process that inherited it and is about to end: what threads of it still ask or are told does
  // not end in the middle of a message, so that the next process finds the link in order.
  void Quiesce();
  // Requests so far, each of which waited for the device; pieces of a file go on without waiting and
  // count as one.
  uint64_t round_trips() const { return round_trips_; }

  bool is_lost() const;

  // Each is true and leaves `trouble` alone, or false.
  // Sends a file unless the device has it.
  bool SendFile(const std::string& digest, std::span<const uint8_t> bytes, LinkTrouble& trouble);
  bool Open(const std::string& digest, const std::string& name, LibraryFacts& facts,
            LinkTrouble& trouble);
  bool Call(const DispatchCall& call, DispatchAnswer& answer, LinkTrouble& trouble);
  // The halves of those: requests arrive in the order in which they were sent. There are as many answers as calls, or
  // fewer if the last one is not good. With a patience nobody waits longer than that, or a second more.
  using Patience = std::optional<std::chrono::milliseconds>;
  bool SendOpen(const std::string& digest, const std::string& name, uint64_t& number,
                LinkTrouble& trouble);
  bool ReceiveOpened(uint64_t number, LibraryFacts& facts, LinkTrouble& trouble,
                     Patience patience = {});
  bool SendCalls(const std::vector<DispatchCall>& calls, uint64_t& number, LinkTrouble& trouble);
  bool ReceiveAnswers(uint64_t number, size_t num_calls, std::vector<DispatchAnswer>& answers,
                      LinkTrouble& trouble, Patience patience = {});
  // The same for a compiler plugin, which has a process beside the dispatch library's.
  bool OpenPlugin(const std::string& digest, const std::string& name, PluginFacts& facts,
                  LinkTrouble& trouble);
  bool Call(const PluginCall& call, PluginAnswer& answer, LinkTrouble& trouble);

 private:
  Link(int from_device, int to_device, const LinkLimits& limits)
      : from_device_(from_device), to_device_(to_device), limits_(limits) {}
  litert::Expected<void> SayHello();
  bool Exchange(MessageKind kind, std::vector<uint8_t> payload, Frame& answer,
                LinkTrouble& trouble);
  // As that, with what is read from the answer.
  template <typename T>
  bool ExchangeFor(MessageKind kind, std::vector<uint8_t> payload,
                   litert::Expected<T> (*parse)(std::span<const uint8_t>), T& result,
                   LinkTrouble& trouble);
  // The halves of that.
  bool Send(MessageKind kind, std::vector<uint8_t> payload, uint64_t& number, LinkTrouble& trouble);
  bool Receive(MessageKind kind, uint64_t number, Frame& answer, LinkTrouble& trouble,
               Patience patience = {});
  // Waits for the answer to a request of this thread's, and takes those of others meanwhile. Null: it is late.
  litert::Expected<std::optional<Frame>> AwaitAnswer(uint64_t number, Patience patience);
  litert::Expected<Frame> ReadFrame();
  void TakeFrame(litert::Expected<Frame> received);
  bool SendPieces(const std::string& digest, std::span<const uint8_t> bytes, LinkTrouble& trouble);
  bool Lose(const std::string& why, LinkTrouble& trouble);

  int from_device_;
  int to_device_;
  std::unique_ptr<Connection> connection_;  // null: the descriptors are this link's own
  LinkLimits limits_;
  std::atomic<uint64_t> round_trips_ = 0;
  DeviceFacts device_;

  // Locked in this order, where several are: file_mutex_, send_mutex_, read_mutex_, mutex_. Numbers
  // are given under send_mutex_, so that requests arrive in the order of their numbers.
  std::mutex file_mutex_;       // one file at a time
  std::set<std::string> sent_;  // digests that the device is known to have
  std::mutex send_mutex_;
  uint32_t last_sent_ = 0;  // the lower half of a request's number
  std::mutex read_mutex_;   // while a message is read
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  bool is_reading_ = false;                           // some thread is at it, for all
  std::map<uint64_t, std::optional<Frame>> answers_;  // to requests that were sent, by number
  std::string lost_;                                  // why; empty: it is not
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_LINK_H_
