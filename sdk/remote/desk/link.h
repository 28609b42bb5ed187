// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A connection to a worker, from the desk. A request is answered or the link is lost: there is no way
// back from a link that was lost, and every later request says so at once. What the worker says is
// checked before it is used. One thread at a time.

#ifndef NPUKIT_SDK_REMOTE_DESK_LINK_H_
#define NPUKIT_SDK_REMOTE_DESK_LINK_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame.h"

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
  };
  Kind kind = Kind::kLost;
  std::string what;  // a sentence without its subject for kDied, else a whole one
  HowItEnded end;    // of kDied
};

class Link {
 public:
  // Runs a shell's command whose standard input and output are the connection, and greets the worker.
  // Errors: the command can't be started, ends, or says nothing; what answers is no worker of this
  // version.
  static litert::Expected<std::unique_ptr<Link>> Start(const std::string& command,
                                                       const LinkLimits& limits = {});
  // Takes over the ends of a connection and greets the worker.
  static litert::Expected<std::unique_ptr<Link>> Adopt(int from_device, int to_device,
                                                       const LinkLimits& limits = {});
  // Ends the connection; a command that does not end by that is killed.
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

  bool is_lost() const { return !lost_.empty(); }

  // Each is true and leaves `trouble` alone, or false.
  // Sends a file unless the device has it.
  bool SendFile(const std::string& digest, std::span<const uint8_t> bytes, LinkTrouble& trouble);
  bool Open(const std::string& digest, const std::string& name, LibraryFacts& facts,
            LinkTrouble& trouble);
  bool Call(const DispatchCall& call, DispatchAnswer& answer, LinkTrouble& trouble);

 private:
  Link(int from_device, int to_device, pid_t command, const LinkLimits& limits)
      : from_device_(from_device), to_device_(to_device), command_(command), limits_(limits) {}
  static litert::Expected<std::unique_ptr<Link>> Greet(std::unique_ptr<Link> link);
  bool Exchange(MessageKind kind, std::vector<uint8_t> payload, Frame& answer,
                LinkTrouble& trouble);
  bool Lose(std::string why, LinkTrouble& trouble);

  int from_device_;
  int to_device_;
  pid_t command_;  // 0: none
  LinkLimits limits_;
  uint64_t last_number_ = 0;
  std::string lost_;  // why; empty: it is not
  DeviceFacts device_;
  std::set<std::string> sent_;  // digests that the device is known to have
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_LINK_H_
