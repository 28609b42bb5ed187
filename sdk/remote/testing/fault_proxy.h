// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A connection with one fault in it.

#ifndef NPUKIT_SDK_REMOTE_TESTING_FAULT_PROXY_H_
#define NPUKIT_SDK_REMOTE_TESTING_FAULT_PROXY_H_

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace npukit::remote {

enum class FaultKind { kCut, kFlip, kDrop, kInsert, kDelay, kStall };

struct Fault {
  FaultKind kind;
  bool to_worker;  // else to the desk
  size_t at_byte;
};

// Passes bytes on in both directions, with one fault, until one side ends.
class FaultProxy {
 public:
  FaultProxy(int worker_fd, const Fault* fault) : worker_fd_(worker_fd), fault_(fault) {
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    desk_end_ = pair[0];
    own_end_ = pair[1];
    thread_ = std::thread([this] { Run(); });
  }
  ~FaultProxy() {
    thread_.join();
    close(own_end_);
    close(worker_fd_);
  }
  int desk_end() const { return desk_end_; }
  size_t passed(bool to_worker) const { return passed_[to_worker ? 1 : 0]; }

 private:
  void Run() {
    for (;;) {
      pollfd ready[2] = {{own_end_, POLLIN, 0}, {worker_fd_, POLLIN, 0}};
      if (poll(ready, 2, 20'000) <= 0) break;
      if (ready[0].revents != 0 && !Pass(own_end_, worker_fd_, /*to_worker=*/true)) break;
      if (ready[1].revents != 0 && !Pass(worker_fd_, own_end_, /*to_worker=*/false)) break;
    }
    shutdown(own_end_, SHUT_RDWR);
    shutdown(worker_fd_, SHUT_RDWR);
  }

  bool Pass(int from, int to, bool to_worker) {
    uint8_t bytes[4096];
    const ssize_t got = read(from, bytes, sizeof bytes);
    if (got <= 0) return false;
    std::vector<uint8_t> piece(bytes, bytes + got);
    const size_t begin = passed_[to_worker ? 1 : 0];
    passed_[to_worker ? 1 : 0] += piece.size();
    const bool is_here = fault_ != nullptr && fault_->to_worker == to_worker &&
                         fault_->at_byte >= begin && fault_->at_byte < begin + piece.size();
    if (is_here && !Apply(piece, fault_->at_byte - begin, to)) return false;
    return SendAll(to, piece);
  }

  // False: the connection ends here.
  bool Apply(std::vector<uint8_t>& piece, size_t at, int to) {
    const auto place = piece.begin() + static_cast<std::ptrdiff_t>(at);
    switch (fault_->kind) {
      case FaultKind::kCut:
        piece.resize(at);
        SendAll(to, piece);
        return false;
      case FaultKind::kFlip:
        *place ^= static_cast<uint8_t>(1 << at % 8);
        return true;
      case FaultKind::kDrop:
        piece.erase(place);
        return true;
      case FaultKind::kInsert:
        piece.insert(place, 0x6e);
        return true;
      case FaultKind::kDelay:
        usleep(30'000);
        return true;
      case FaultKind::kStall: {
        // Nothing passes any more, until the desk gives up.
        pollfd ended = {own_end_, 0, 0};
        poll(&ended, 1, 20'000);
        return false;
      }
    }
    return true;
  }

  static bool SendAll(int to, const std::vector<uint8_t>& piece) {
    size_t done = 0;
    while (done < piece.size()) {
      const ssize_t sent = send(to, piece.data() + done, piece.size() - done, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      done += static_cast<size_t>(sent);
    }
    return true;
  }

  const int worker_fd_;
  const Fault* const fault_;
  int desk_end_ = -1;
  int own_end_ = -1;
  std::atomic<size_t> passed_[2] = {};
  std::thread thread_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_TESTING_FAULT_PROXY_H_
