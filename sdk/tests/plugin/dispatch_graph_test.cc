// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// Graphs of executables through the boundary of npukit/dispatch.h.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "npukit/metrics.h"
#include "sdk/tests/plugin/dispatch_fixture.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

constexpr auto kNotFound = kLiteRtStatusErrorNotFound;
constexpr auto kTaken = kLiteRtStatusErrorAlreadyExists;
constexpr auto kNpu = kLiteRtDispatchNodeTypeNpu;

const LiteRtDispatchGraphInterface& Graphs() {
  static const LiteRtDispatchGraphInterface* const interface = [] {
    LiteRtDispatchApi api{};
    EXPECT_EQ(LiteRtDispatchGetApi(&api), kOk);
    return api.graph_interface;
  }();
  return *interface;
}

class DispatchGraphTest : public DispatchTest {
 protected:
  DispatchGraphTest() {
    EXPECT_EQ(Graphs().graph_create(device_, &graph_), kOk);
    EXPECT_EQ(LoadModule(kModule, &executable_), kOk);
  }
  ~DispatchGraphTest() override {
    if (graph_ != nullptr) (void)Graphs().graph_destroy(graph_);
    if (executable_ != 0) (void)Graphs().unload_executable(device_, executable_);
  }

  LiteRtStatus LoadModule(const std::string& code, LiteRtDispatchExecutableHandle* handle) {
    LiteRtMemBuffer buffer{-1, code.data(), 0, code.size()};
    return Graphs().load_executable(device_, kLiteRtDispatchExecutableTypeMlModel, &buffer, handle);
  }
  // A node that runs `function` from edge `in` to edge `out`, which are there already.
  void AddNode(LiteRtDispatchNodeId id, const char* function, LiteRtDispatchEdgeId in,
               LiteRtDispatchEdgeId out) {
    EXPECT_EQ(Graphs().add_node(graph_, id, kNpu), kOk);
    EXPECT_EQ(Graphs().connect_node_input(graph_, id, 0, in), kOk);
    EXPECT_EQ(Graphs().connect_node_output(graph_, id, 0, out), kOk);
    EXPECT_EQ(Graphs().assign_node_function(graph_, id, executable_, function), kOk);
  }
  void AddEdges(int count) {
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(Graphs().add_edge(graph_, static_cast<LiteRtDispatchEdgeId>(i)), kOk);
    }
  }
  LiteRtStatus Create() {
    return Graphs().invocation_context_create_from_graph(device_, graph_, &context_);
  }

  static inline const std::string kModule = "scale double 2\nscale triple 3\nscale bad 13\n";
  LiteRtDispatchGraph graph_ = nullptr;
  LiteRtDispatchExecutableHandle executable_ = 0;
  LiteRtDispatchInvocationContext context_ = nullptr;
};

// in -> triple -> 1 -> double -> 2 -> double -> out; edge 1 is an output too.
TEST_F(DispatchGraphTest, RunsItsNodesInTheirOrder) {
  AddEdges(4);
  AddNode(7, "double", 2, 3);  // before those that it waits for
  AddNode(8, "double", 1, 2);
  AddNode(9, "triple", 0, 1);
  EXPECT_EQ(Graphs().connect_graph_input(graph_, 0, 0), kOk);
  EXPECT_EQ(Graphs().connect_graph_output(graph_, 0, 3), kOk);
  EXPECT_EQ(Graphs().connect_graph_output(graph_, 1, 1), kOk);
  ASSERT_EQ(Create(), kOk);
  LiteRtDispatchGraph graph = nullptr;
  EXPECT_EQ(Graphs().invocation_context_get_graph(context_, &graph), kOk);
  EXPECT_EQ(graph, graph_);

  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  const Buffer first(device_, {});
  const auto type = FloatType(4);
  LiteRtTensorBufferRequirements requirements = nullptr;
  ASSERT_EQ(Api().get_output_requirements(context_, 1, &type, &requirements), kOk);
  size_t size_bytes = 0;
  EXPECT_EQ(LiteRtGetTensorBufferRequirementsBufferSize(requirements, &size_bytes), kOk);
  EXPECT_EQ(size_bytes, 16u);
  LiteRtDestroyTensorBufferRequirements(requirements);
  EXPECT_EQ(Api().attach_input(context_, 0, in.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context_, 0, out.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context_, 1, first.handle()), kOk);
  EXPECT_EQ(Api().start_metrics_collection(context_, 0), kOk);
  EXPECT_EQ(Api().invoke(context_), kOk);
  EXPECT_THAT(out.values(), ElementsAre(12, 24, 36, 48));
  EXPECT_THAT(first.values(), ElementsAre(3, 6, 9, 12));

  LiteRtDispatchMetrics metrics = nullptr;
  ASSERT_EQ(Api().stop_metrics_collection(context_, &metrics), kOk);
  LiteRtMetric metric = {};
  ASSERT_EQ(Api().get_metric(metrics, 0, &metric), kOk);
  EXPECT_STREQ(metric.name, "runs");
  EXPECT_EQ(metric.value.int_value, 3) << "of all nodes";
  // Numbers of the device are the same for each node: their sum would be of another device.
  for (const char* const name :
       {NPUKIT_METRIC_SCRATCHPAD_BYTES, NPUKIT_METRIC_MEMORY_BYTES_PER_CYCLE}) {
    int i = 1;
    do {
      ASSERT_EQ(Api().get_metric(metrics, i++, &metric), kOk) << name;
    } while (std::string(metric.name) != name);
    EXPECT_EQ(metric.value.int_value, 64) << name;
  }
  EXPECT_EQ(Api().destroy_metrics(metrics), kOk);
  EXPECT_EQ(Api().invocation_context_destroy(context_), kOk);
}

TEST_F(DispatchGraphTest, OutlivesItsHandlesAndRunsAsynchronously) {
  AddEdges(2);
  AddNode(1, "triple", 0, 1);
  EXPECT_EQ(Graphs().connect_graph_input(graph_, 0, 0), kOk);
  EXPECT_EQ(Graphs().connect_graph_output(graph_, 0, 1), kOk);
  ASSERT_EQ(Create(), kOk);
  EXPECT_EQ(Graphs().graph_destroy(graph_), kOk);
  graph_ = nullptr;
  EXPECT_EQ(Graphs().unload_executable(device_, executable_), kOk);
  EXPECT_EQ(Graphs().unload_executable(device_, executable_), kInvalid);
  executable_ = 0;
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  EXPECT_EQ(Api().attach_input(context_, 0, in.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context_, 0, out.handle()), kOk);
  LiteRtDispatchApi api{};
  ASSERT_EQ(LiteRtDispatchGetApi(&api), kOk);
  LiteRtEvent event = nullptr;
  ASSERT_EQ(api.async_interface->invoke_async(context_, 1, &event), kOk);
  EXPECT_EQ(LiteRtWaitEvent(event, -1), kOk);
  LiteRtDestroyEvent(event);
  EXPECT_THAT(out.values(), ElementsAre(3, 6, 9, 12));
  EXPECT_EQ(Api().invocation_context_destroy(context_), kOk);
}

TEST_F(DispatchGraphTest, AContextOfBytecodeHasNoGraph) {
  auto* context = Load(kModule, "triple");
  LiteRtDispatchGraph graph = graph_;
  EXPECT_EQ(Graphs().invocation_context_get_graph(context, &graph), kOk);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(Api().invocation_context_destroy(context), kOk);
}

TEST_F(DispatchGraphTest, WhatIsMissingIsToldWhenItIsMadeAnInvocation) {
  EXPECT_EQ(Create(), kInvalid) << "no node";
  AddEdges(3);
  EXPECT_EQ(Graphs().add_node(graph_, 1, kNpu), kOk);
  EXPECT_EQ(Graphs().connect_node_input(graph_, 1, 0, 0), kOk);
  EXPECT_EQ(Graphs().connect_node_output(graph_, 1, 0, 1), kOk);
  EXPECT_EQ(Graphs().connect_graph_input(graph_, 0, 0), kOk);
  EXPECT_EQ(Graphs().connect_graph_output(graph_, 0, 1), kOk);
  EXPECT_EQ(Create(), kInvalid) << "node 1 has no function";
  EXPECT_EQ(Graphs().assign_node_function(graph_, 1, executable_, "nobody"), kOk);
  EXPECT_EQ(Create(), kInvalid) << "no such function";
  EXPECT_EQ(Graphs().assign_node_function(graph_, 1, executable_, "double"), kOk);
  EXPECT_EQ(Create(), kInvalid) << "edge 2 has no source";
  EXPECT_EQ(Graphs().connect_graph_input(graph_, 2, 2), kOk);
  EXPECT_EQ(Create(), kInvalid) << "no input 1";
  EXPECT_EQ(context_, nullptr);
}

TEST_F(DispatchGraphTest, ACycleIsAnError) {
  AddEdges(2);
  AddNode(1, "double", 0, 1);
  AddNode(2, "double", 1, 0);
  EXPECT_EQ(Create(), kInvalid);
}

TEST_F(DispatchGraphTest, ANodeThatFailsFailsTheRun) {
  AddEdges(2);
  AddNode(1, "bad", 0, 1);
  EXPECT_EQ(Graphs().connect_graph_input(graph_, 0, 0), kOk);
  EXPECT_EQ(Graphs().connect_graph_output(graph_, 0, 1), kOk);
  ASSERT_EQ(Create(), kOk);
  EXPECT_EQ(Api().invoke(context_), kInvalid) << "nothing attached";
  const Buffer in(device_, {1, 2, 3, 4});
  const Buffer out(device_, {});
  EXPECT_EQ(Api().attach_input(context_, 0, in.handle()), kOk);
  EXPECT_EQ(Api().attach_output(context_, 0, out.handle()), kOk);
  EXPECT_EQ(Api().invoke(context_), kLiteRtStatusErrorRuntimeFailure);
  EXPECT_EQ(Api().invocation_context_destroy(context_), kOk);
}

TEST_F(DispatchGraphTest, BadArgumentsAreErrors) {
  AddEdges(2);
  EXPECT_EQ(Graphs().add_node(graph_, 1, kNpu), kOk);
  EXPECT_EQ(Graphs().add_node(graph_, 1, kNpu), kTaken);
  EXPECT_EQ(Graphs().add_node(graph_, 2, kLiteRtDispatchNodeTypeUnknown), kInvalid);
  EXPECT_EQ(Graphs().add_edge(graph_, 1), kTaken);
  EXPECT_EQ(Graphs().connect_node_input(graph_, 9, 0, 0), kNotFound);
  EXPECT_EQ(Graphs().connect_node_input(graph_, 1, 0, 9), kNotFound);
  EXPECT_EQ(Graphs().connect_node_input(graph_, 1, -1, 0), kLiteRtStatusErrorIndexOOB);
  EXPECT_EQ(Graphs().connect_node_output(graph_, 1, 0, 0), kOk);
  EXPECT_EQ(Graphs().connect_node_output(graph_, 1, 0, 1), kTaken);
  EXPECT_EQ(Graphs().connect_graph_input(graph_, 0, 0), kInvalid) << "has a source";
  EXPECT_EQ(Graphs().assign_node_function(graph_, 9, executable_, "double"), kNotFound);
  EXPECT_EQ(Graphs().assign_node_function(graph_, 1, 12345, "double"), kInvalid);
  EXPECT_EQ(Graphs().annotate_graph(graph_, "key", "value"), kOk);
  EXPECT_EQ(Graphs().annotate_graph(graph_, nullptr, "value"), kInvalid);
  EXPECT_EQ(Graphs().annotate_node(graph_, 1, "key", "value"), kOk);
  EXPECT_EQ(Graphs().annotate_node(graph_, 9, "key", "value"), kNotFound);
  EXPECT_EQ(Graphs().annotate_edge(graph_, 0, "key", "value"), kOk);
  EXPECT_EQ(Graphs().annotate_edge(graph_, 9, "key", "value"), kNotFound);
  EXPECT_EQ(Graphs().annotate_edge(graph_, 0, "key", nullptr), kInvalid);
  EXPECT_EQ(Graphs().graph_create(device_, nullptr), kInvalid);
  EXPECT_EQ(Graphs().graph_destroy(nullptr), kInvalid);
  EXPECT_EQ(Graphs().add_edge(nullptr, 1), kInvalid);
  LiteRtDispatchExecutableHandle handle = 0;
  EXPECT_EQ(LoadModule("junk", &handle), kInvalid);
  EXPECT_EQ(handle, 0u);
  EXPECT_EQ(
      Graphs().load_executable(device_, kLiteRtDispatchExecutableTypeMlModel, nullptr, &handle),
      kInvalid);
  EXPECT_EQ(Graphs().invocation_context_get_graph(nullptr, &graph_), kInvalid);
}

}  // namespace
}  // namespace npukit
