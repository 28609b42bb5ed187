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

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/remote/desk/dispatch/remote_library.h"
#include "sdk/remote/desk/link.h"
#include "sdk/remote/worker/supervisor.h"
#include "tests/support/temporary_folder.h"

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

inline LibraryFile ReadLibrary(const std::string& path) {
  auto read = LibraryFile::Read(path);
  EXPECT_TRUE(read) << path;
  return read ? std::move(*read) : LibraryFile{};
}

inline const LibraryFile& TestLibrary() {
  static const LibraryFile file = ReadLibrary(kLibraryPath);
  return file;
}

// The same with asynchronous runs.
inline const LibraryFile& AsyncLibrary() {
  static const LibraryFile file =
      ReadLibrary(NPUKIT_BUILD_DIR "/test_plugins/dispatch/async/libLiteRtDispatch_TestDevice.so");
  return file;
}

// Gone when this process ends; workers, which are forked, leave by _exit.
inline const std::string& CacheFolder() {
  static const TemporaryFolder folder;
  return folder.path();
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
  explicit Script(Link& link, const LibraryFile& file = TestLibrary()) : link_(link), file_(file) {}

  Outcome Run(const std::string& program = kProgram) {
    Prepare(program);
    TakeOutput(Call(
        {.function = DispatchFunction::kInvoke, .object = invocation_, .buffers = Contents()}));
    return outcome_;
  }
  // Started before its inputs are there.
  Outcome RunAsync() {
    Prepare();
    const uint64_t gate = AttachGate();
    const DispatchAnswer started = Start();
    const uint64_t event = started.objects.empty() ? 0 : started.objects.front();
    const DispatchCall wait{
        .function = DispatchFunction::kWaitEvent, .object = event, .size_bytes = 1};
    Call(wait, kLiteRtStatusErrorTimeoutExpired);
    Call({.function = DispatchFunction::kSignalInputEvent,
          .thread = 1,
          .object = gate,
          .buffers = Contents()});
    TakeOutput(Call(
        {.function = DispatchFunction::kWaitEvent, .object = event, .size_bytes = kMaxWaitMs}));
    return outcome_;
  }

  // The parts of those.
  void Prepare(const std::string& program = kProgram) {
    LibraryFacts facts;
    LinkTrouble trouble;
    if (!link_.SendFile(file_.digest, file_.bytes, trouble) ||
        !link_.Open(file_.digest, file_.name, facts, trouble)) {
      outcome_ = {.trouble = trouble.what, .kind = trouble.kind};
      return;
    }
    EXPECT_EQ(facts.vendor_id.empty(), false);
    const uint64_t device = Call({.function = DispatchFunction::kDeviceCreate}).object;
    invocation_ = Call({.function = DispatchFunction::kInvocationCreate,
                        .object = device,
                        .size_bytes = program.size(),
                        .index = kLiteRtDispatchExecutableTypeMlModel,
                        .numbers = {2, 1, 0},
                        .texts = {"main"},
                        .bytes = {program.begin(), program.end()}})
                      .object;
    const DispatchAnswer a = Buffer(device);
    const DispatchAnswer b = Buffer(device);
    const DispatchAnswer out = Buffer(device);
    Attach(DispatchFunction::kAttachInput, invocation_, 0, a.handle);
    Attach(DispatchFunction::kAttachInput, invocation_, 1, b.handle);
    Attach(DispatchFunction::kAttachOutput, invocation_, 0, out.handle);
    buffers_ = {a.object, b.object, out.object};
  }
  uint64_t invocation() const { return invocation_; }
  std::vector<BufferContents> Contents() const {
    return {{buffers_[0], FloatBytes({1, 2, 3, 4, 5})},
            {buffers_[1], FloatBytes({10, 20, 30, 40, 50})},
            {buffers_[2], FloatBytes({0, 0, 0, 0, 0})}};
  }
  uint64_t AttachGate() {
    return Call({.function = DispatchFunction::kAttachInputEvent, .object = invocation_}).object;
  }
  DispatchAnswer Start() {
    return Call({.function = DispatchFunction::kInvokeAsync, .object = invocation_, .index = 1});
  }

 private:
  void TakeOutput(const DispatchAnswer& ran) {
    for (const BufferContents& changed : ran.buffers) {
      if (changed.buffer == buffers_[2]) outcome_.output = changed.bytes;
    }
  }
  // An answer with another status ends the script.
  DispatchAnswer Call(const DispatchCall& call, LiteRtStatus expected = kLiteRtStatusOk) {
    DispatchAnswer answer;
    if (!outcome_.trouble.empty() || outcome_.status != kLiteRtStatusOk) return answer;
    LinkTrouble trouble;
    if (!link_.Call(call, answer, trouble)) {
      outcome_.trouble = trouble.what;
      outcome_.kind = trouble.kind;
    } else {
      if (answer.status != expected) outcome_.status = static_cast<LiteRtStatus>(answer.status);
    }
    return answer;
  }
  DispatchAnswer Buffer(uint64_t device) {
    return Call({.function = DispatchFunction::kRegister,
                 .object = device,
                 .size_bytes = kElems * sizeof(float),
                 .type = FloatType()});
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
  const LibraryFile& file_;
  uint64_t invocation_ = 0;
  std::array<uint64_t, 3> buffers_ = {};
  Outcome outcome_;
};

inline const std::vector<uint8_t> kSum = FloatBytes({11, 22, 33, 44, 55});

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_TESTING_REMOTE_SCRIPT_H_
