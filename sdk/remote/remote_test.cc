// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Desk and worker with a whole connection between them.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/runtime/dispatch/client/buffer_registration.h"
#include "sdk/host/runtime/dispatch/client/dispatch_device.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/remote/testing/remote_script.h"

namespace npukit::remote {
namespace {

TEST(RemoteTest, RunsAFunction) {
  WorkerProcess worker;
  const int fd = worker.TakeFd();
  auto link = Link::Adopt(fd, fd);
  ASSERT_TRUE(link) << link.Error().Message();
  EXPECT_FALSE((*link)->device().machine.empty());
  EXPECT_GT((*link)->device().processors, 0U);
  for (int time = 0; time < 2; ++time) {  // the second in a process of its own
    const Outcome outcome = Script(**link).Run();
    EXPECT_EQ(outcome.trouble, "");
    EXPECT_EQ(outcome.status, kLiteRtStatusOk);
    EXPECT_EQ(outcome.output, kSum);
  }
  link->reset();
}

TEST(RemoteTest, LibrarysRefusalIsItsStatus) {
  WorkerProcess worker;
  const int fd = worker.TakeFd();
  auto link = Link::Adopt(fd, fd);
  ASSERT_TRUE(link);
  const Outcome outcome = Script(**link).Run("no program");
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_NE(outcome.status, kLiteRtStatusOk);
  EXPECT_FALSE((*link)->is_lost());
  link->reset();
}

TEST(RemoteTest, DesksMistakesAreRefusedAndTheLinkStays) {
  WorkerProcess worker;
  const int fd = worker.TakeFd();
  auto link = Link::Adopt(fd, fd);
  ASSERT_TRUE(link);
  DispatchAnswer answer;
  LinkTrouble trouble;
  LibraryFacts facts;
  EXPECT_FALSE((*link)->Call({.function = DispatchFunction::kDeviceCreate}, answer, trouble));
  EXPECT_EQ(trouble.what, "no library is open");
  EXPECT_FALSE((*link)->Open(std::string(64, '0'), "lib.so", facts, trouble));
  EXPECT_EQ(trouble.what, "a library that was not sent");
  EXPECT_FALSE((*link)->Open(std::string(64, '0'), "../lib.so", facts, trouble));
  EXPECT_EQ(trouble.what, "'../lib.so' is no file's name");
  const std::vector<uint8_t> other = {1, 2, 3};
  EXPECT_FALSE((*link)->SendFile(std::string(64, '1'), other, trouble));
  EXPECT_EQ(trouble.what, "a file came with another content than announced");
  EXPECT_FALSE((*link)->SendFile("../../etc/x", other, trouble));
  EXPECT_EQ(trouble.what, "a file without a digest for a name");
  EXPECT_EQ(Script(**link).Run().output, kSum);
  const DispatchCall kMistakes[] = {
      {.function = DispatchFunction::kDeviceDestroy, .object = 99},
      {.function = DispatchFunction::kInvoke, .object = 99},
      {.function = DispatchFunction::kInvoke, .object = 2, .buffers = {{77, {1}}}},
      {.function = DispatchFunction::kInvocationCreate, .object = 1, .handle = 5, .bytes = {1}},
      {.function = DispatchFunction::kRegister, .object = 1, .size_bytes = uint64_t{1} << 40}};
  for (const DispatchCall& call : kMistakes) {
    EXPECT_FALSE((*link)->Call(call, answer, trouble));
    EXPECT_EQ(trouble.kind, LinkTrouble::Kind::kRefused) << trouble.what;
  }
  link->reset();
}

// The host's own way: an address in place of a library's path.
TEST(RemoteTest, IsADispatchLibraryOfThisProcess) {
  WorkerProcess worker;
  const int fd = worker.TakeFd();
  auto link = Link::Adopt(fd, fd);
  ASSERT_TRUE(link);
  const auto path = InstallRemoteLibrary(**link, TestLibrary());
  ASSERT_TRUE(path);
  EXPECT_EQ(*path, "linked:TestDevice");
  EXPECT_EQ(PlaceOf(kNpukitStaticPluginDispatch, *path), TestLibrary().path);
  {
    const auto library = DispatchLibrary::Load(*path);
    ASSERT_TRUE(library) << library.Error().Message();
    auto device = DispatchDevice::Create((*library)->client(), (*library)->options());
    ASSERT_TRUE(device) << device.Error().Message();
    const std::string program = kProgram;
    auto invocation = DispatchInvocation::Create(
        **device,
        DispatchExecutable::OfBytecode(
            {reinterpret_cast<const uint8_t*>(program.data()), program.size()}),
        "main", 2, 1);
    ASSERT_TRUE(invocation) << invocation.Error().Message();
    alignas(64) float memory[3][16] = {{1, 2, 3, 4, 5}, {10, 20, 30, 40, 50}, {}};
    std::vector<std::unique_ptr<BufferRegistration>> buffers;
    for (int i = 0; i < 3; ++i) {
      auto buffer = BufferRegistration::Create(
          **device, {reinterpret_cast<uint8_t*>(memory[i]), kElems * sizeof(float)}, FloatType());
      ASSERT_TRUE(buffer) << buffer.Error().Message();
      DispatchPort port{};
      port.is_input = i < 2;
      port.index = i % 2;
      port.type = FloatType();
      port.dense_bytes = kElems * sizeof(float);
      const auto requirements = (*invocation)->Requirements(port);
      ASSERT_TRUE(requirements) << requirements.Error().Message();
      EXPECT_EQ(requirements->size_bytes, port.dense_bytes);
      ASSERT_TRUE((*invocation)->Attach(port, **buffer));
      buffers.push_back(std::move(*buffer));
    }
    for (int run = 0; run < 3; ++run) {
      memory[0][0] = static_cast<float>(run);
      ASSERT_TRUE((*invocation)->Invoke());
      EXPECT_EQ(memory[2][0], static_cast<float>(run + 10));
      EXPECT_EQ(memory[2][4], 55.0f);
    }
    EXPECT_TRUE((*invocation)->DetachAll());
    for (auto& buffer : buffers) EXPECT_TRUE(buffer->Close());
    EXPECT_TRUE((*invocation)->Close());
    EXPECT_TRUE((*device)->Close());
  }
  link->reset();
}

}  // namespace
}  // namespace npukit::remote
