// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_GRAPH_INVOCATION_H_
#define NPUKIT_INTERNAL_DISPATCH_GRAPH_INVOCATION_H_

// A graph of executables as one invocation: an invocation for each node, and
// memory for the edges between them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "npukit/device.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/dispatch/dispatch_graph.h"
#include "npukit/internal/dispatch/graph_edges.h"
#include "npukit/internal/dispatch/loaded_executable.h"
#include "npukit/internal/dispatch/merged_requirements.h"
#include "npukit/internal/dispatch/metric_sum.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

class GraphInvocation : public Invocation {
 public:
  // `find` gives the executable of a handle, or null.
  template <class Find>
  static ::litert::Expected<std::unique_ptr<GraphInvocation>> Create(Device& device,
                                                                     const DispatchGraph& graph,
                                                                     Find find) {
    LITERT_ASSIGN_OR_RETURN(const auto order, graph.Order());
    std::unique_ptr<GraphInvocation> made(new GraphInvocation);
    for (const auto& [index, edge] : graph.inputs()) {
      made->edges_.AddInput(edge, static_cast<size_t>(index));
    }
    for (const auto& [index, edge] : graph.outputs()) {
      made->edges_.AddOutput(edge, static_cast<size_t>(index));
    }
    for (const DispatchGraph::Id id : order) {
      const DispatchGraph::Node& node = graph.nodes().at(id);
      const auto executable = find(node.executable);
      if (executable == nullptr) return In(id, "its executable was unloaded");
      LoadRequest request = executable->RequestFor(node.function);
      request.num_inputs = node.inputs.size();
      request.num_outputs = node.outputs.size();
      auto loaded = device.Load(request);
      if (!loaded) return In(id, loaded.Error().Message(), loaded.Error().StatusCC());
      Step step;
      step.id = id;
      step.scratchpad = executable->ScratchpadOf(node.function);
      step.invocation = std::move(*loaded);
      for (const auto& [index, edge] : node.inputs) step.inputs.push_back(edge);
      for (const auto& [index, edge] : node.outputs) {
        step.outputs.push_back(edge);
        if (made->edges_.Has(edge)) continue;
        auto size_bytes = step.invocation->OutputBytes(static_cast<size_t>(index));
        if (!size_bytes) return In(id, size_bytes.Error().Message(), size_bytes.Error().StatusCC());
        made->edges_.AddInner(edge, *size_bytes);
      }
      made->steps_.push_back(std::move(step));
    }
    return made;
  }

  // Bytes of the edges that are neither input nor output.
  std::map<uint64_t, size_t> BytesOfInnerEdges() const { return edges_.BytesOfInner(); }
  // The buffers that nodes have as scratchpads, in the order in which the nodes run.
  std::vector<uint64_t> Scratchpads() const {
    std::vector<uint64_t> handles;
    for (const Step& step : steps_) {
      if (step.scratchpad.handle != 0) handles.push_back(step.scratchpad.handle);
    }
    return handles;
  }
  // Where the next run has inner edges, of their size, in place of its own memory; and the scratchpads.
  void UseMemory(EdgeMemory edges, std::vector<ScratchpadView> scratchpads) {
    edges_.Bind(std::move(edges));
    scratchpads_ = std::move(scratchpads);
  }

  ::litert::Expected<void> Run(InputViews inputs, OutputViews outputs) override {
    failed_ = nullptr;
    size_t next_scratchpad = 0;
    for (Step& step : steps_) {
      std::vector<InputView> step_inputs;
      std::vector<OutputView> step_outputs;
      for (const auto edge : step.inputs)
        step_inputs.push_back(edges_.ToRead(edge, inputs, outputs));
      for (const auto edge : step.outputs) step_outputs.push_back(edges_.ToWrite(edge, outputs));
      if (step.scratchpad.handle != 0) {
        ScratchpadView memory = scratchpads_[next_scratchpad++];
        memory.size_bytes = step.scratchpad.needed.size_bytes;
        step.invocation->UseScratchpad(memory);
      }
      auto run = step.invocation->Run(InputViews(step_inputs), OutputViews(step_outputs));
      if (run) continue;
      failed_ = step.invocation.get();
      return In(step.id, run.Error().Message(), run.Error().StatusCC());
    }
    return {};
  }

  // Debug handles are of one module: a graph of several nodes records nothing.
  ::litert::Expected<void> SetRecording(uint32_t record) override {
    if (Invocation* const only = OnlyNode()) return only->SetRecording(record);
    return Invocation::SetRecording(record);
  }
  ::litert::internal::Span<const ProfileEvent> Profile() const override {
    const Invocation* const only = OnlyNode();
    return only != nullptr ? only->Profile() : Invocation::Profile();
  }
  ::litert::Expected<Intermediate> GetIntermediate(uint32_t handle, size_t output) override {
    if (Invocation* const only = OnlyNode()) return only->GetIntermediate(handle, output);
    return Invocation::GetIntermediate(handle, output);
  }
  // Of the node at fault, if that has more to tell than what Run() returned.
  InvocationError LastError() const override {
    if (failed_ == nullptr) return Invocation::LastError();
    InvocationError error = failed_->LastError();
    return error.message.empty() ? Invocation::LastError() : error;
  }

  // Those of the nodes that read the input. With several, all are met.
  ::litert::Expected<BufferRequirements> InputRequirements(
      size_t input, const ::litert::RankedTensorType& type) override {
    std::vector<BufferRequirements> demands;
    for (Step& step : steps_) {
      LITERT_RETURN_IF_ERROR(
          Ask(step.inputs, GraphEdges::Place::kInput, input, demands,
              [&](size_t i) { return step.invocation->InputRequirements(i, type); }));
    }
    return MergeRequirements(std::move(demands), input);
  }
  ::litert::Expected<BufferRequirements> OutputRequirements(
      size_t output, const ::litert::RankedTensorType& type) override {
    std::vector<BufferRequirements> demands;
    for (Step& step : steps_) {
      LITERT_RETURN_IF_ERROR(
          Ask(step.outputs, GraphEdges::Place::kOutput, output, demands,
              [&](size_t i) { return step.invocation->OutputRequirements(i, type); }));
    }
    return MergeRequirements(std::move(demands), output);
  }

  ::litert::Expected<void> StartMetrics(int detail_level) override {
    return ForEach([&](Invocation& node) { return node.StartMetrics(detail_level); });
  }
  // Added up over the nodes, where that makes sense.
  ::litert::Expected<std::vector<Metric>> StopMetrics() override {
    if (Invocation* const only = OnlyNode()) return only->StopMetrics();
    std::vector<Metric> all;
    for (Step& step : steps_) {
      LITERT_ASSIGN_OR_RETURN(auto metrics, step.invocation->StopMetrics());
      for (Metric& metric : metrics) AddMetric(all, std::move(metric));
    }
    return all;
  }
  ::litert::Expected<void> SetOptions(LiteRtOptions options) override {
    return ForEach([&](Invocation& node) { return node.SetOptions(options); });
  }
  ::litert::Expected<void> SetScheduling(const LiteRtSchedulingInfo* info) override {
    return ForEach([&](Invocation& node) { return node.SetScheduling(info); });
  }

 private:
  struct Step {
    DispatchGraph::Id id = 0;
    std::unique_ptr<Invocation> invocation;
    std::vector<DispatchGraph::Id> inputs;
    std::vector<DispatchGraph::Id> outputs;
    LoadedExecutable::Scratchpad scratchpad;  // as it was attached when the step was made
  };

  GraphInvocation() = default;

  Invocation* OnlyNode() const {
    return steps_.size() == 1 ? steps_.front().invocation.get() : nullptr;
  }

  static ::litert::Unexpected In(
      DispatchGraph::Id node, const std::string& what,
      ::litert::Status status = ::litert::Status::kErrorInvalidArgument) {
    return ::litert::Unexpected(status, ::litert::internal::Text({"node ", node, ": ", what}));
  }

  template <class Body>
  ::litert::Expected<void> ForEach(Body body) {
    for (Step& step : steps_) LITERT_RETURN_IF_ERROR(body(*step.invocation));
    return {};
  }

  // What a node asks of the ports that lie at a place.
  template <class Body>
  ::litert::Expected<void> Ask(const std::vector<DispatchGraph::Id>& ports, GraphEdges::Place place,
                               size_t index, std::vector<BufferRequirements>& demands, Body body) {
    for (size_t i = 0; i < ports.size(); ++i) {
      if (!edges_.IsAt(ports[i], place, index)) continue;
      LITERT_ASSIGN_OR_RETURN(auto demand, body(i));
      demands.push_back(std::move(demand));
    }
    return {};
  }

  std::vector<Step> steps_;  // in the order in which they run
  GraphEdges edges_;
  std::vector<ScratchpadView> scratchpads_;
  const Invocation* failed_ = nullptr;  // in the last run
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_GRAPH_INVOCATION_H_
