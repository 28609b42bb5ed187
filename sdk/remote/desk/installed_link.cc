// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/installed_link.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "sdk/remote/wire/digest.h"
#include "sdk/remote/wire/dispatch_call.h"

namespace npukit::remote {
namespace {

// What goes with a call; what is longer is kept on the device. To send as much as that once more is
// less work than its digest, a question whether it is there, and a file that is read again.
constexpr size_t kMaxInlineBytes = size_t{64} << 10;

// Numbers are used again, as threads come and go and the device bears only so many at a time. Both
// static objects are never destroyed: a thread may end after those of the program did.
class ThreadNumber {
 public:
  ThreadNumber() {
    const std::lock_guard lock(mutex());
    // More threads than the device bears share the last number.
    while (number_ + 1 < kMaxThreads && taken()[number_]) ++number_;
    taken()[number_] = true;
  }
  ~ThreadNumber() {
    const std::lock_guard lock(mutex());
    if (number_ + 1 < kMaxThreads) taken()[number_] = false;
  }
  uint16_t number() const { return number_; }

 private:
  static std::mutex& mutex() {
    static auto* const mutex = new std::mutex;
    return *mutex;
  }
  static std::array<bool, kMaxThreads>& taken() {
    static auto* const taken = new std::array<bool, kMaxThreads>{};
    return *taken;
  }
  uint16_t number_ = 0;
};

}  // namespace

uint16_t NumberOfThisThread() {
  thread_local const ThreadNumber number;
  return number.number();
}

void InstalledLink::Install(Link* link, RemoteHooks hooks) {
  const std::lock_guard lock(mutex_);
  ++installation_;
  link_ = link;
  hooks_ = std::move(hooks);
  trouble().clear();
  first_trouble_.clear();
}

LiteRtStatus InstalledLink::Load(
    const LibraryFile* file, const char* where,
    const std::function<bool(Link& link, LinkTrouble& trouble)>& open) {
  LinkTrouble trouble{
      .kind = LinkTrouble::Kind::kLost, .what = "there is no connection", .end = {}};
  const bool is_loaded = link_ != nullptr && link_->SendFile(file->digest, file->bytes, trouble) &&
                         open(*link_, trouble);
  return is_loaded ? kLiteRtStatusOk : Tell(trouble, where);
}

LiteRtStatus InstalledLink::Put(std::vector<uint8_t> bytes, const char* where,
                                std::vector<uint8_t>& in_call, std::string& digest) {
  if (bytes.size() <= kMaxInlineBytes) {
    in_call = std::move(bytes);
    return kLiteRtStatusOk;
  }
  digest = Digest(bytes);
  LinkTrouble trouble;
  const bool is_sent = link_ != nullptr && link_->SendFile(digest, bytes, trouble);
  return is_sent ? kLiteRtStatusOk : Tell(trouble, where);
}

std::string& InstalledLink::trouble() {
  thread_local std::string trouble;
  return trouble;
}

std::string InstalledLink::first_trouble() {
  const std::lock_guard lock(mutex_);
  return first_trouble_;
}

LiteRtStatus InstalledLink::Tell(const LinkTrouble& why, const std::string& where) {
  std::string text;
  std::function<void()> hook;
  switch (why.kind) {
    case LinkTrouble::Kind::kLost:
      text = fmt::format("device lost in {}: {}", where, why.what);
      if (hooks_.on_lost) hook = [&] { hooks_.on_lost(why.what); };
      break;
    case LinkTrouble::Kind::kDied:
      text = fmt::format("{}'s process on the device {} in {}", whose_, why.what, where);
      if (hooks_.on_died) hook = [&] { hooks_.on_died(why.end); };
      break;
    case LinkTrouble::Kind::kRefused:
    case LinkTrouble::Kind::kLate:
      text = fmt::format("the device's worker, in {}: {}", where, why.what);
      break;
  }
  trouble() = text;
  {
    const std::lock_guard lock(mutex_);
    if (first_trouble_.empty()) first_trouble_ = text;
  }
  // Not under the lock: a hook may end this process, or ask for first_trouble().
  if (hook) hook();
  return kLiteRtStatusErrorRuntimeFailure;
}

LiteRtStatus InstalledLink::Refuse(const std::string& why, const std::string& where) {
  return Tell({.kind = LinkTrouble::Kind::kRefused, .what = why, .end = {}}, where);
}

}  // namespace npukit::remote
