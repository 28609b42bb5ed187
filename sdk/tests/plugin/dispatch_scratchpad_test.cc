// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// Scratchpads through the boundary of npukit/dispatch.h.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "npukit/dispatch.h"

namespace npukit {
namespace {

constexpr auto kOk = kLiteRtStatusOk;
constexpr auto kInvalid = kLiteRtStatusErrorInvalidArgument;

// Copies an input to the output by way of its scratchpad, slowly; with none, without.
class CopyInvocation : public Invocation {
 public:
  void UseScratchpad(const ScratchpadView& memory) override { scratchpad_ = memory; }
  litert::Expected<void> Run(InputViews inputs, OutputViews outputs) override {
    const uint8_t* from = inputs[0].data;
    if (scratchpad_.data != nullptr) {
      EXPECT_EQ(scratchpad_.size_bytes, 16u);
      EXPECT_EQ(scratchpad_.registration, 5u);
      std::memcpy(scratchpad_.data, from, 16);
      std::this_thread::yield();
      from = scratchpad_.data;
    }
    std::memcpy(outputs[0].data, from, 16);
    if (from[0] == 64) std::this_thread::sleep_for(std::chrono::milliseconds(50));  // slow
    if (outputs[0].data[0] == 13) return litert::Unexpected(kLiteRtStatusErrorUnknown, "bad luck");
    return {};
  }
  litert::Expected<size_t> OutputBytes(size_t) override { return size_t{16}; }
  litert::Expected<void> SetRecording(uint32_t record) override {
    record_ = record;
    return {};
  }
  litert::internal::Span<const ProfileEvent> Profile() const override { return events_; }

 private:
  ScratchpadView scratchpad_;
  uint32_t record_ = 0;
  std::vector<ProfileEvent> events_{{7, "copy", 0, 1}};
};

class CopyDevice : public Device {
 public:
  static constexpr const char* kVendorId = "Copy";
  static constexpr const char* kBuildId = "1";
  static constexpr bool kRunsAsync = true;
  static constexpr bool kRunsGraphs = true;
  static constexpr bool kHasScratchpads = true;
  static inline std::atomic<int> asked = 0;

  static litert::Expected<std::unique_ptr<CopyDevice>> Open(const DeviceConfig&) {
    return std::make_unique<CopyDevice>();
  }
  litert::Expected<std::unique_ptr<Invocation>> Load(const LoadRequest&) override {
    return std::make_unique<CopyInvocation>();
  }
  litert::Expected<BufferRequirements> ScratchpadRequirements(const LoadRequest& request) override {
    ++asked;
    BufferRequirements needed;
    needed.size_bytes = 16;
    needed.alignment_bytes = 128;
    if (request.function_name == "own") needed.types = {kLiteRtTensorBufferTypeUserCustomBuffer};
    if (request.function_name == "none") needed.size_bytes = 0;
    if (request.function_name == "unknown")
      return litert::Unexpected(kLiteRtStatusErrorNotFound, "no such function");
    return needed;
  }
  litert::Expected<uint64_t> Register(LiteRtTensorBuffer) override { return uint64_t{5}; }
};

using Calls = internal::DispatchBoundary<CopyDevice>;
using Scratch = internal::ScratchpadCalls<CopyDevice>;
constexpr LiteRtDispatchInterface kBasic = Calls::MakeInterface();
constexpr LiteRtDispatchGraphInterface kGraphs = internal::DispatchGraphCalls<CopyDevice>::Make();

// Host memory, registered.
class Memory {
 public:
  Memory(LiteRtDispatchDeviceContext device, size_t size_bytes, size_t offset_bytes = 0)
      : device_(device) {
    const auto type = static_cast<LiteRtRankedTensorType>(
        litert::MakeRankedTensorType<int8_t>({static_cast<int32_t>(size_bytes)}));
    EXPECT_EQ(LiteRtCreateTensorBufferFromHostMemory(&type, bytes.data() + offset_bytes, size_bytes,
                                                     nullptr, &buffer_),
              kOk);
    EXPECT_EQ(kBasic.register_tensor_buffer(device_, buffer_, &handle), kOk);
  }
  ~Memory() {
    Unregister();
    LiteRtDestroyTensorBuffer(buffer_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void Unregister() {
    if (handle == 0) return;
    EXPECT_EQ(kBasic.unregister_tensor_buffer(device_, handle), kOk);
    handle = 0;
  }

  LiteRtTensorBuffer buffer() const { return buffer_; }

  alignas(128) std::array<uint8_t, 256> bytes = {};
  LiteRtTensorBufferHandle handle = 0;

 private:
  LiteRtDispatchDeviceContext device_;
  LiteRtTensorBuffer buffer_ = nullptr;
};

class DispatchScratchpad : public ::testing::Test {
 protected:
  DispatchScratchpad() {
    EXPECT_EQ(Calls::CreateDevice(nullptr, &device_), kOk);
    EXPECT_EQ(Load(&executable_), kOk);
  }
  ~DispatchScratchpad() override {
    EXPECT_EQ(kGraphs.unload_executable(device_, executable_), kOk);
    EXPECT_EQ(kBasic.device_context_destroy(device_), kOk);
  }
  LiteRtStatus Load(LiteRtDispatchExecutableHandle* handle) {
    LiteRtMemBuffer buffer{-1, "module", 0, 6};
    return kGraphs.load_executable(device_, kLiteRtDispatchExecutableTypeMlModel, &buffer, handle);
  }
  LiteRtStatus Attach(const Memory& memory, const char* function = "main") {
    return Scratch::Attach(device_, executable_, function, memory.handle);
  }
  // Of a graph of nodes in a row, which goes at once.
  LiteRtDispatchInvocationContext Create(LiteRtDispatchNodeId num_nodes = 1) {
    LiteRtDispatchGraph graph = nullptr;
    EXPECT_EQ(kGraphs.graph_create(device_, &graph), kOk);
    EXPECT_EQ(kGraphs.add_edge(graph, 0), kOk);
    for (LiteRtDispatchNodeId node = 1; node <= num_nodes; ++node) {
      EXPECT_EQ(kGraphs.add_node(graph, node, kLiteRtDispatchNodeTypeNpu), kOk);
      EXPECT_EQ(kGraphs.add_edge(graph, node), kOk);
      EXPECT_EQ(kGraphs.connect_node_input(graph, node, 0, node - 1), kOk);
      EXPECT_EQ(kGraphs.connect_node_output(graph, node, 0, node), kOk);
      EXPECT_EQ(kGraphs.assign_node_function(graph, node, executable_, "main"), kOk);
    }
    EXPECT_EQ(kGraphs.connect_graph_input(graph, 0, 0), kOk);
    EXPECT_EQ(kGraphs.connect_graph_output(graph, 0, num_nodes), kOk);
    LiteRtDispatchInvocationContext context = nullptr;
    EXPECT_EQ(kGraphs.invocation_context_create_from_graph(device_, graph, &context), kOk);
    EXPECT_EQ(kGraphs.graph_destroy(graph), kOk);
    return context;
  }
  LiteRtStatus Run(LiteRtDispatchInvocationContext context, uint8_t value) {
    Memory in(device_, 16);
    Memory out(device_, 16);
    in.bytes.fill(value);
    EXPECT_EQ(kBasic.attach_input(context, 0, in.handle), kOk);
    EXPECT_EQ(kBasic.attach_output(context, 0, out.handle), kOk);
    const LiteRtStatus status = kBasic.invoke(context);
    EXPECT_EQ(out.bytes[15], status == kInvalid ? 0 : value);
    return status;
  }
  static void Destroy(LiteRtDispatchInvocationContext context) {
    EXPECT_EQ(kBasic.invocation_context_destroy(context), kOk);
  }

  LiteRtDispatchDeviceContext device_ = nullptr;
  LiteRtDispatchExecutableHandle executable_ = 0;
};

TEST_F(DispatchScratchpad, TheDeviceIsAskedOnceForEachFunction) {
  const int before = CopyDevice::asked;
  for (int call = 0; call < 2; ++call) {
    LiteRtTensorBufferRequirements needed = nullptr;
    ASSERT_EQ(Scratch::GetRequirements(device_, executable_, "main", &needed), kOk);
    size_t size_bytes = 0;
    size_t alignment_bytes = 0;
    EXPECT_EQ(LiteRtGetTensorBufferRequirementsBufferSize(needed, &size_bytes), kOk);
    EXPECT_EQ(LiteRtGetTensorBufferRequirementsAlignment(needed, &alignment_bytes), kOk);
    EXPECT_EQ(size_bytes, 16u);
    EXPECT_EQ(alignment_bytes, 128u);
    LiteRtDestroyTensorBufferRequirements(needed);  // the caller's
  }
  EXPECT_EQ(CopyDevice::asked, before + 1);
  LiteRtTensorBufferRequirements needed = nullptr;
  ASSERT_EQ(Scratch::GetRequirements(device_, executable_, "none", &needed), kOk);
  LiteRtDestroyTensorBufferRequirements(needed);
}

TEST_F(DispatchScratchpad, WhatIsNoScratchpadIsRefused) {
  LiteRtTensorBufferRequirements needed = nullptr;
  EXPECT_EQ(Scratch::GetRequirements(device_, executable_, "main", nullptr), kInvalid);
  EXPECT_EQ(Scratch::GetRequirements(nullptr, executable_, "main", &needed), kInvalid);
  EXPECT_EQ(Scratch::GetRequirements(device_, executable_ + 9, "main", &needed), kInvalid);
  EXPECT_EQ(Scratch::GetRequirements(device_, executable_, "unknown", &needed),
            kLiteRtStatusErrorNotFound);
  const Memory memory(device_, 16);
  const Memory small(device_, 15);
  const Memory crooked(device_, 16, 64);
  EXPECT_EQ(Attach(small), kInvalid);
  EXPECT_EQ(Attach(crooked), kInvalid) << "at 64 bytes from where 128 begin";
  EXPECT_EQ(Attach(memory, "own"), kInvalid) << "not of its own memory";
  EXPECT_EQ(Attach(memory, "unknown"), kLiteRtStatusErrorNotFound);
  EXPECT_EQ(Scratch::Attach(device_, executable_, "main", memory.handle + 99), kInvalid);
  EXPECT_EQ(Scratch::Attach(device_, executable_ + 9, "main", memory.handle), kInvalid);
  LiteRtDispatchDeviceContext other = nullptr;
  ASSERT_EQ(Calls::CreateDevice(nullptr, &other), kOk);
  {
    const Memory of_other(other, 16);
    EXPECT_EQ(Scratch::Attach(other, executable_, "main", of_other.handle), kInvalid);
  }
  EXPECT_EQ(kBasic.device_context_destroy(other), kOk);
  EXPECT_EQ(Attach(memory), kOk);
}

TEST_F(DispatchScratchpad, AnInvocationHasTheOneThatWasAttachedBeforeIt) {
  Memory first(device_, 16);
  Memory second(device_, 200);
  auto* const without = Create();
  ASSERT_EQ(Attach(first), kOk);
  auto* const with_first = Create();
  ASSERT_EQ(Attach(second), kOk);
  auto* const with_second = Create();
  EXPECT_EQ(Run(without, 1), kOk);
  EXPECT_EQ(first.bytes[0], 0);
  EXPECT_EQ(Run(with_first, 2), kOk);
  EXPECT_EQ(first.bytes[0], 2);
  EXPECT_EQ(second.bytes[0], 0);
  EXPECT_EQ(Run(with_second, 3), kOk);
  EXPECT_EQ(first.bytes[0], 2);
  EXPECT_EQ(second.bytes[0], 3);
  EXPECT_EQ(second.bytes[16], 0);
  first.Unregister();
  EXPECT_EQ(Run(with_first, 4), kInvalid) << "its scratchpad is gone";
  EXPECT_EQ(first.bytes[0], 2);
  for (auto* context : {without, with_first, with_second}) Destroy(context);
}

// Nodes of a graph never run at the same time.
TEST_F(DispatchScratchpad, NodesMayHaveOneInCommon) {
  const Memory shared(device_, 16);
  ASSERT_EQ(Attach(shared), kOk);
  auto* const context = Create(/*num_nodes=*/2);
  EXPECT_EQ(Run(context, 3), kOk);
  EXPECT_EQ(shared.bytes[15], 3);
  Destroy(context);
}

// A host may give one to several, as long as they do not run at once; here they do.
TEST_F(DispatchScratchpad, RunsOnTheSameOneDoNotRunAtOnce) {
  const Memory shared(device_, 16);
  ASSERT_EQ(Attach(shared), kOk);
  std::vector<std::thread> threads;
  for (uint8_t t = 1; t <= 3; ++t) {
    threads.emplace_back([this, t] {
      auto* const context = Create();
      for (int run = 0; run < 200; ++run) EXPECT_EQ(Run(context, t), kOk);
      Destroy(context);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DispatchScratchpad, AsynchronousRunsHaveItToo) {
  Memory scratchpad(device_, 16);
  ASSERT_EQ(Attach(scratchpad), kOk);
  auto* const context = Create();
  Memory in(device_, 16);
  const Memory out(device_, 16);
  in.bytes.fill(9);
  EXPECT_EQ(kBasic.attach_input(context, 0, in.handle), kOk);
  EXPECT_EQ(kBasic.attach_output(context, 0, out.handle), kOk);
  LiteRtEvent event = nullptr;
  ASSERT_EQ(Calls::MakeAsync().invoke_async(context, 1, &event), kOk);
  scratchpad.Unregister();  // waits for the run
  EXPECT_EQ(LiteRtWaitEvent(event, -1), kOk);
  LiteRtDestroyEvent(event);
  EXPECT_EQ(scratchpad.bytes[0], 9);
  EXPECT_EQ(out.bytes[15], 9);
  Destroy(context);
}

// A run that waits for another one's output has not taken the scratchpad that this one needs.
TEST_F(DispatchScratchpad, WaitingForAnInputTakesNone) {
  const Memory shared(device_, 16);
  auto* const slow = Create();
  ASSERT_EQ(Attach(shared), kOk);
  auto* const first = Create();
  auto* const second = Create();
  Memory in(device_, 16);
  const Memory aside(device_, 16);
  const Memory between(device_, 16);
  const Memory out(device_, 16);
  in.bytes.fill(64);
  const auto attach = [](LiteRtDispatchInvocationContext context, const Memory& from,
                         const Memory& to) {
    EXPECT_EQ(kBasic.attach_input(context, 0, from.handle), kOk);
    EXPECT_EQ(kBasic.attach_output(context, 0, to.handle), kOk);
  };
  attach(slow, in, aside);
  attach(first, in, between);
  attach(second, between, out);
  LiteRtEvent events[2] = {};
  ASSERT_EQ(Calls::MakeAsync().invoke_async(slow, 1, &events[0]), kOk);
  ASSERT_EQ(Calls::MakeAsync().invoke_async(first, 1, &events[1]), kOk);
  // As LiteRT does; locking the buffer waits for it.
  ASSERT_EQ(LiteRtSetTensorBufferEvent(between.buffer(), events[1]), kOk);
  EXPECT_EQ(kBasic.invoke(second), kOk);
  EXPECT_EQ(out.bytes[15], 64);
  EXPECT_EQ(LiteRtWaitEvent(events[0], -1), kOk);
  LiteRtDestroyEvent(events[0]);
  for (auto* context : {slow, first, second}) Destroy(context);
}

// What is asked of an invocation beside its runs gets to the only node.
TEST_F(DispatchScratchpad, AGraphOfOneNodeTellsWhatItsNodeTells) {
  using Extensions = internal::DispatchExtensions<CopyDevice>;
  auto* const context = Create();
  EXPECT_EQ(Extensions::SetRecording(context, kNpukitRecordProfile), kOk);
  EXPECT_EQ(Run(context, 1), kOk);
  size_t events = 0;
  EXPECT_EQ(Extensions::GetNumEvents(context, &events), kOk);
  EXPECT_EQ(events, 1u);
  EXPECT_EQ(Run(context, 13), kLiteRtStatusErrorUnknown);
  NpukitDebugHandle handle = 1;
  std::array<char, 64> message = {};
  EXPECT_EQ(Extensions::GetLastError(context, &handle, message.data(), message.size()), kOk);
  EXPECT_STREQ(message.data(), "node 1: bad luck");
  Destroy(context);
}

}  // namespace
}  // namespace npukit
