// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests of desk and worker: a worker in a process of its own, and what a desk does to run a function
// once. The dispatch library is the tests' own (sdk/host/runtime/test_dispatch), whose bytecode is text.

#ifndef NPUKIT_SDK_REMOTE_TESTING_REMOTE_SCRIPT_H_
#define NPUKIT_SDK_REMOTE_TESTING_REMOTE_SCRIPT_H_

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/remote/desk/link.h"
#include "sdk/remote/desk/remote_library.h"
#include "sdk/remote/worker/supervisor.h"

namespace npukit::remote {

inline const std::string kLibraryPath =
    NPUKIT_BUILD_DIR "/test_plugins/dispatch/healthy/libLiteRtDispatch_TestDevice.so";
inline constexpr char kProgram[] = "TESTDEV 1\nfn main add\n";
inline constexpr size_t kElems = 5;

inline LiteRtRankedTensorType FloatType() {
  LiteRtRankedTensorType type = {};
  type.element_type = kLiteRtElementTypeFloat32;
  type.layout.rank = 1;
  type.layout.dimensions[0] = kElems;
  return type;
}

inline std::vector<uint8_t> FloatBytes(const std::vector<float>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline const LibraryFile& TestLibrary() {
  static const LibraryFile file = [] {
    auto read = LibraryFile::Read(kLibraryPath);
    EXPECT_TRUE(read) << kLibraryPath;
    return read ? std::move(*read) : LibraryFile{};
  }();
  return file;
}

inline const std::string& CacheFolder() {
  static const std::string folder = [] {
    std::string name = testing::TempDir() + "/npukit_worker_XXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    return name;
  }();
  return folder;
}

// A worker in a process of its own, and the desk's end of its connection.
class WorkerProcess {
 public:
  WorkerProcess() {
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    fd_ = pair[0];
    pid_ = fork();
    if (pid_ == 0) {
      close(pair[0]);
      for (int fd = 3; fd < 64; ++fd) {
        if (fd != pair[1]) close(fd);  // of other workers of this test
      }
      _exit(Serve(pair[1], pair[1], CacheFolder()));
    }
    close(pair[1]);
  }
  ~WorkerProcess() {
    if (fd_ >= 0) close(fd_);
    EXPECT_TRUE(Ended()) << "a worker outlived its connection";
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  int TakeFd() { return std::exchange(fd_, -1); }

 private:
  bool Ended() const {
    for (int waited_ms = 0; waited_ms < 5000; waited_ms += 5) {
      siginfo_t info = {};
      if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          info.si_pid == pid_) {
        return true;
      }
      usleep(5000);
    }
    return false;
  }

  int fd_ = -1;
  pid_t pid_ = -1;
};

// What a desk does to run a function once. Each step that fails ends it.
struct Outcome {
  std::string trouble;  // empty: all went well
  LinkTrouble::Kind kind = LinkTrouble::Kind::kLost;
  LiteRtStatus status = kLiteRtStatusOk;
  std::vector<uint8_t> output;
};

class Script {
 public:
  explicit Script(Link& link) : link_(link) {}

  Outcome Run(const std::string& program = kProgram) {
    LibraryFacts facts;
    LinkTrouble trouble;
    const LibraryFile& file = TestLibrary();
    if (!link_.SendFile(file.digest, file.bytes, trouble) ||
        !link_.Open(file.digest, file.name, facts, trouble)) {
      return {.trouble = trouble.what, .kind = trouble.kind};
    }
    EXPECT_EQ(facts.vendor_id.empty(), false);
    const uint64_t device = Call({.function = DispatchFunction::kDeviceCreate}).object;
    const uint64_t invocation = Call({.function = DispatchFunction::kInvocationCreate,
                                      .object = device,
                                      .size_bytes = program.size(),
                                      .index = kLiteRtDispatchExecutableTypeMlModel,
                                      .numbers = {2, 1, 0},
                                      .texts = {"main"},
                                      .bytes = {program.begin(), program.end()}})
                                    .object;
    const uint64_t a = Buffer(device);
    const uint64_t b = Buffer(device);
    const uint64_t out = Buffer(device);
    Attach(DispatchFunction::kAttachInput, invocation, 0, a);
    Attach(DispatchFunction::kAttachInput, invocation, 1, b);
    Attach(DispatchFunction::kAttachOutput, invocation, 0, out);
    const DispatchAnswer ran = Call({.function = DispatchFunction::kInvoke,
                                     .object = invocation,
                                     .buffers = {{a, FloatBytes({1, 2, 3, 4, 5})},
                                                 {b, FloatBytes({10, 20, 30, 40, 50})},
                                                 {out, FloatBytes({0, 0, 0, 0, 0})}}});
    for (const BufferContents& changed : ran.buffers) {
      if (changed.handle == out) outcome_.output = changed.bytes;
    }
    return outcome_;
  }

 private:
  DispatchAnswer Call(const DispatchCall& call) {
    DispatchAnswer answer;
    if (!outcome_.trouble.empty() || outcome_.status != kLiteRtStatusOk) return answer;
    LinkTrouble trouble;
    if (!link_.Call(call, answer, trouble)) {
      outcome_.trouble = trouble.what;
      outcome_.kind = trouble.kind;
    } else {
      outcome_.status = static_cast<LiteRtStatus>(answer.status);
    }
    return answer;
  }
  uint64_t Buffer(uint64_t device) {
    return Call({.function = DispatchFunction::kRegister,
                 .object = device,
                 .size_bytes = kElems * sizeof(float),
                 .type = FloatType()})
        .handle;
  }
  void Attach(DispatchFunction function, uint64_t invocation, int index, uint64_t handle) {
    Call({.function = function == DispatchFunction::kAttachInput
                          ? DispatchFunction::kInputRequirements
                          : DispatchFunction::kOutputRequirements,
          .object = invocation,
          .index = index,
          .type = FloatType()});
    Call({.function = function, .object = invocation, .handle = handle, .index = index});
  }

  Link& link_;
  Outcome outcome_;
};

inline const std::vector<uint8_t> kSum = FloatBytes({11, 22, 33, 44, 55});

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_TESTING_REMOTE_SCRIPT_H_
