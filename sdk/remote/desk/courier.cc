// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/courier.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/frame_assembler.h"
#include "sdk/remote/wire/outgoing_frames.h"

namespace npukit::remote {
namespace {

// What waits for the device; links are not read from while it is more.
constexpr size_t kMaxWaitingBytes = size_t{16} << 20;
// Payloads that have left, for those that come; more are not kept.
constexpr size_t kMaxSpare = 8;
using Spare = std::vector<std::vector<uint8_t>>;

// One end: what has come of a message, and what could not be written yet.
struct End {
  int fd = -1;
  FrameAssembler coming;
  OutgoingFrames going;

  // False: the other side is gone.
  bool Write(Spare& spare) {
    const bool is_open = going.Write(fd, spare);
    if (spare.size() > kMaxSpare) spare.resize(kMaxSpare);
    return is_open;
  }
  bool Read(Spare& spare) {
    if (!spare.empty() && !coming.has_spare()) {
      coming.Reuse(std::move(spare.back()));
      spare.pop_back();
    }
    const std::span<uint8_t> room = coming.Room();
    const ssize_t got = recv(fd, room.data(), room.size(), MSG_DONTWAIT);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    coming.Came(static_cast<size_t>(got));
    return got > 0;
  }
};

// A link says channel 0; on the connection it has the number under which it was taken, from 1 on.
// All is one thread's: no link is waited for, as none may keep the others waiting.
//
//   links -> device    held back: while more than kMaxWaitingBytes wait, no link is read from
//   device -> link     not held back: answers to what was let through, and a sign of life a second
class Courier {
 public:
  Courier(int control, int device) : control_(control) { device_.fd = device; }

  void Run() {
    for (;;) {
      const bool is_full = device_.going.waiting_bytes() > kMaxWaitingBytes;
      std::vector<pollfd> ready = {{control_, POLLIN, 0},
                                   {device_.fd, Events(/*reads=*/true, device_), 0}};
      std::vector<uint16_t> numbers;
      for (const auto& [number, link] : links_) {
        const short events = Events(!is_full, link);
        // Without a descriptor nothing is looked for: the end of a link would be told again and
        // again until it may be read.
        ready.push_back({events == 0 ? -1 : link.fd, events, 0});
        numbers.push_back(number);
      }
      if (poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
      if (ready[0].revents != 0 && !TakeLink()) return;
      for (size_t i = 0; i < numbers.size(); ++i) {
        // Links that were just taken stand in `ready` the next time. None but this one is closed
        // here.
        if (ready[i + 2].revents != 0 && !Serve(links_[numbers[i]], numbers[i], is_full))
          CloseLink(numbers[i]);
      }
      if ((ready[1].revents & ~POLLOUT) != 0 && !ReadDevice()) return;
      if (!device_.Write(spare_)) return;
    }
  }

 private:
  static short Events(bool reads, const End& end) {
    return static_cast<short>((reads ? POLLIN : 0) | (end.going.waiting_bytes() > 0 ? POLLOUT : 0));
  }

  // False: nobody hands links over any more.
  bool TakeLink() {
    char byte = 0;
    iovec piece = {&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))];
    msghdr message = {};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    const ssize_t got = recvmsg(control_, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return true;
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    // A number is used again once all others were, when nothing of the one before is on its way.
    do {
      ++last_number_;
    } while (last_number_ == 0 || links_.contains(last_number_));
    links_[last_number_].fd = fd;
    return true;
  }

  void CloseLink(uint16_t number) {
    close(links_[number].fd);
    links_.erase(number);
    // The worker ends the processes of a channel by that; the desk's process may have died.
    device_.going.Put({.kind = MessageKind::kClose, .channel = number});
  }

  // False: the link is over.
  bool Serve(End& link, uint16_t number, bool is_full) {
    if (!link.Write(spare_)) return false;
    if (is_full) return true;
    const bool is_open = link.Read(spare_);
    for (;;) {
      auto frame = link.coming.Next();
      if (!frame) return false;
      if (!*frame) return is_open;
      (*frame)->channel = number;
      device_.going.Put(std::move(**frame));
    }
  }

  bool ReadDevice() {
    const bool is_open = device_.Read(spare_);
    for (;;) {
      auto frame = device_.coming.Next();
      if (!frame) return false;
      if (!*frame) return is_open;
      // One that ended may still be answered.
      const auto link = links_.find((*frame)->channel);
      if (link == links_.end()) continue;
      (*frame)->channel = 0;
      link->second.going.Put(std::move(**frame));
      if (!link->second.Write(spare_)) CloseLink(link->first);
    }
  }

  const int control_;
  End device_;
  std::map<uint16_t, End> links_;  // by channel
  uint16_t last_number_ = 0;
  Spare spare_;
};

}  // namespace

void RunCourier(int control, int device) { Courier(control, device).Run(); }

bool HandToCourier(int control, int link) {
  char byte = 0;
  iovec piece = {&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &link, sizeof link);
  return sendmsg(control, &message, MSG_NOSIGNAL) == 1;
}

}  // namespace npukit::remote
