// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/courier.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include "sdk/remote/wire/frame.h"

namespace npukit::remote {
namespace {

// What waits for the device; links are not read from while it is more.
constexpr size_t kMaxWaitingBytes = size_t{16} << 20;
constexpr size_t kReadBytes = size_t{64} << 10;

// One end: what has come of a message, and what could not be written yet.
struct End {
  int fd = -1;
  FrameAssembler coming;
  std::vector<uint8_t> going;
  size_t gone = 0;  // of `going`

  size_t waiting_bytes() const { return going.size() - gone; }
  void Put(const Frame& frame) {
    const std::vector<uint8_t> bytes = EncodeFrame(frame);
    going.insert(going.end(), bytes.begin(), bytes.end());
  }
  // False: the other side is gone.
  bool Write() {
    while (waiting_bytes() > 0) {
      const ssize_t sent =
          send(fd, going.data() + gone, waiting_bytes(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) return errno == EAGAIN;
      gone += static_cast<size_t>(sent);
    }
    going.clear();
    gone = 0;
    return true;
  }
  bool Read() {
    std::array<uint8_t, kReadBytes> bytes;
    const ssize_t got = recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    coming.Add(std::span(bytes).first(static_cast<size_t>(got)));
    return got > 0;
  }
};

class Courier {
 public:
  Courier(int control, int device) : control_(control) { device_.fd = device; }

  void Run() {
    for (;;) {
      const bool is_full = device_.waiting_bytes() > kMaxWaitingBytes;
      std::vector<pollfd> ready = {{control_, POLLIN, 0},
                                   {device_.fd, Events(/*reads=*/true, device_), 0}};
      std::vector<uint16_t> numbers;
      for (const auto& [number, link] : links_) {
        ready.push_back({link.fd, Events(!is_full, link), 0});
        numbers.push_back(number);
      }
      if (poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
      if (ready[0].revents != 0 && !TakeLink()) return;
      for (size_t i = 0; i < numbers.size(); ++i) {
        if (ready[i + 2].revents != 0 && !Serve(links_[numbers[i]], numbers[i], is_full))
          CloseLink(numbers[i]);
      }
      if ((ready[1].revents & ~POLLOUT) != 0 && !ReadDevice()) return;
      if (!device_.Write()) return;
    }
  }

 private:
  static short Events(bool reads, const End& end) {
    return static_cast<short>((reads ? POLLIN : 0) | (end.waiting_bytes() > 0 ? POLLOUT : 0));
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
    device_.Put({.kind = MessageKind::kClose, .channel = number});
  }

  // False: the link is over.
  bool Serve(End& link, uint16_t number, bool is_full) {
    if (!link.Write()) return false;
    if (is_full) return true;
    const bool is_open = link.Read();
    for (;;) {
      auto frame = link.coming.Next();
      if (!frame) return false;
      if (!*frame) return is_open;
      (*frame)->channel = number;
      device_.Put(**frame);
    }
  }

  bool ReadDevice() {
    const bool is_open = device_.Read();
    for (;;) {
      auto frame = device_.coming.Next();
      if (!frame) return false;
      if (!*frame) return is_open;
      // One that ended may still be answered.
      const auto link = links_.find((*frame)->channel);
      if (link == links_.end()) continue;
      (*frame)->channel = 0;
      link->second.Put(**frame);
      if (!link->second.Write()) CloseLink(link->first);
    }
  }

  const int control_;
  End device_;
  std::map<uint16_t, End> links_;  // by channel
  uint16_t last_number_ = 0;
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
