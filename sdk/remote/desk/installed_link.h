// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The link that the functions of a remote library use, and what becomes of requests that do not get through. The
// dispatch library and the compiler plugin have one each.

#ifndef NPUKIT_SDK_REMOTE_DESK_INSTALLED_LINK_H_
#define NPUKIT_SDK_REMOTE_DESK_INSTALLED_LINK_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/desk/link.h"

namespace npukit::remote {

// Told of what ends a library's process or its connection, on the thread that called. A function that
// does not return leaves this process as the library's process on the device was left.
struct RemoteHooks {
  std::function<void(const std::string& why)> on_lost;
  std::function<void(const HowItEnded& end)> on_died;
};

// Thread-safe once installed.
class InstalledLink {
 public:
  // `whose`: "the library", in sentences.
  explicit InstalledLink(const char* whose) : whose_(whose) {}

  // Null: there is none any more.
  void Install(Link* link, RemoteHooks hooks);
  Link* get() const { return link_; }
  // Another one since each Install().
  uint64_t installation() const { return installation_; }
  // The installer is told how calls end, and so what the library answers to wrong ones.
  bool is_judged() const { return hooks_.on_lost != nullptr; }

  // Sends the library's file where the device lacks it, and opens it there by `open`. `where`: "loading the library".
  LiteRtStatus Load(const LibraryFile* file, const char* where,
                    const std::function<bool(Link& link, LinkTrouble& trouble)>& open);
  // Puts bytes into a call, or, where they are many, onto the device, so that sending them once more is cheap, and their
  // name into the call. `where`: "sending bytecode".
  LiteRtStatus Put(std::vector<uint8_t> bytes, const char* where, std::vector<uint8_t>& in_call,
                   std::string& digest);

  // What went wrong, and where: "in invoke". Calls the hooks; gives a status for the library's caller.
  LiteRtStatus Tell(const LinkTrouble& trouble, const std::string& where);
  // The same where nothing was asked.
  LiteRtStatus Refuse(const std::string& why, const std::string& where);
  // Of this thread's last call that did not get to the library or not back; empty after one that did.
  static std::string& trouble();
  // The first one since Install().
  std::string first_trouble();

 private:
  const char* const whose_;
  Link* link_ = nullptr;
  RemoteHooks hooks_;
  std::atomic<uint64_t> installation_ = 0;
  std::mutex mutex_;
  std::string first_trouble_;
};

// The number that the device knows this thread by, for as long as the thread is.
uint16_t NumberOfThisThread();

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_INSTALLED_LINK_H_
