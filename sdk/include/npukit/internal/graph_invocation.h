// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_GRAPH_INVOCATION_H_
#define NPUKIT_INTERNAL_GRAPH_INVOCATION_H_

// A graph of executables as one invocation: an invocation for each node, and
// memory for the edges between them.

#include <algorithm>
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
#include "npukit/internal/dispatch_graph.h"
#include "npukit/internal/metric_sum.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Bytecode that a device has looked at.
struct LoadedExecutable {
  LiteRtDispatchExecutableType type = kLiteRtDispatchExecutableTypeUnknown;
  ::litert::internal::Span<const uint8_t> bytes;  // the caller's, or those in `storage`
  std::vector<uint8_t> storage;
};

// The memory of edges.
using EdgeMemory = std::map<uint64_t, ::litert::internal::Span<uint8_t>>;

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
      made->edges_[edge] = {Place::kInput, static_cast<size_t>(index), {}};
    }
    for (const auto& [index, edge] : graph.outputs()) {
      made->edges_[edge] = {Place::kOutput, static_cast<size_t>(index), {}};
    }
    for (const DispatchGraph::Id id : order) {
      const DispatchGraph::Node& node = graph.nodes().at(id);
      const auto executable = find(node.executable);
      if (executable == nullptr) return In(id, "its executable was unloaded");
      LoadRequest request;
      request.type = executable->type;
      request.bytecode = executable->bytes;
      request.function_name = node.function;
      request.num_inputs = node.inputs.size();
      request.num_outputs = node.outputs.size();
      auto loaded = device.Load(request);
      if (!loaded) return In(id, loaded.Error().Message(), loaded.Error().StatusCC());
      Step step;
      step.id = id;
      step.invocation = std::move(*loaded);
      for (const auto& [index, edge] : node.inputs) step.inputs.push_back(edge);
      for (const auto& [index, edge] : node.outputs) {
        step.outputs.push_back(edge);
        if (made->edges_.count(edge) > 0) continue;
        auto size_bytes = step.invocation->OutputBytes(static_cast<size_t>(index));
        if (!size_bytes) return In(id, size_bytes.Error().Message(), size_bytes.Error().StatusCC());
        made->edges_[edge] = {Place::kInner, 0, std::vector<uint8_t>(*size_bytes)};
      }
      made->steps_.push_back(std::move(step));
    }
    return made;
  }

  // Bytes of the edges that are neither input nor output.
  std::map<uint64_t, size_t> BytesOfInnerEdges() const {
    std::map<uint64_t, size_t> bytes;
    for (const auto& [id, edge] : edges_) {
      if (edge.place == Place::kInner) bytes[id] = edge.memory.size();
    }
    return bytes;
  }
  // Where the next run has inner edges, of their size, in place of its own memory.
  void UseMemory(EdgeMemory memory) { bound_ = std::move(memory); }

  ::litert::Expected<void> Run(InputViews inputs, OutputViews outputs) override {
    for (Step& step : steps_) {
      std::vector<InputView> step_inputs;
      std::vector<OutputView> step_outputs;
      for (const auto edge : step.inputs) step_inputs.push_back(ToRead(edge, inputs, outputs));
      for (const auto edge : step.outputs) step_outputs.push_back(ToWrite(edge, outputs));
      auto run = step.invocation->Run(InputViews(step_inputs), OutputViews(step_outputs));
      if (!run) return In(step.id, run.Error().Message(), run.Error().StatusCC());
    }
    return {};
  }

  // Those of the nodes that read the input. With several, all are met.
  ::litert::Expected<BufferRequirements> InputRequirements(
      size_t input, const ::litert::RankedTensorType& type) override {
    return Merge(input, [&](Step& step) {
      return Ask(step.inputs, input, Place::kInput,
                 [&](size_t i) { return step.invocation->InputRequirements(i, type); });
    });
  }
  ::litert::Expected<BufferRequirements> OutputRequirements(
      size_t output, const ::litert::RankedTensorType& type) override {
    return Merge(output, [&](Step& step) {
      return Ask(step.outputs, output, Place::kOutput,
                 [&](size_t i) { return step.invocation->OutputRequirements(i, type); });
    });
  }

  ::litert::Expected<void> StartMetrics(int detail_level) override {
    return ForEach([&](Invocation& node) { return node.StartMetrics(detail_level); });
  }
  // Added up over the nodes, where that makes sense.
  ::litert::Expected<std::vector<Metric>> StopMetrics() override {
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
  enum class Place { kInput, kOutput, kInner };
  struct EdgePlace {
    Place place = Place::kInner;
    size_t index = 0;             // of the graph's inputs or outputs
    std::vector<uint8_t> memory;  // of an inner edge
  };
  struct Step {
    DispatchGraph::Id id = 0;
    std::unique_ptr<Invocation> invocation;
    std::vector<DispatchGraph::Id> inputs;
    std::vector<DispatchGraph::Id> outputs;
  };

  GraphInvocation() = default;

  static ::litert::Unexpected In(
      DispatchGraph::Id node, const std::string& what,
      ::litert::Status status = ::litert::Status::kErrorInvalidArgument) {
    return ::litert::Unexpected(status, ::litert::internal::Text({"node ", node, ": ", what}));
  }

  // The type of what lies between two nodes is known to them alone.
  template <class View, class Bytes>
  static View Untyped(Bytes& bytes) {
    return View{bytes.data(), bytes.size(), ::litert::RankedTensorType(LiteRtRankedTensorType{}),
                0};
  }

  template <class View, class Own>
  View Inner(DispatchGraph::Id edge, Own& own) const {
    const auto bound = bound_.find(edge);
    return bound != bound_.end() ? Untyped<View>(bound->second) : Untyped<View>(own.memory);
  }

  InputView ToRead(DispatchGraph::Id edge, InputViews inputs, OutputViews outputs) const {
    const EdgePlace& place = edges_.at(edge);
    if (place.place == Place::kInput) return inputs[place.index];
    if (place.place == Place::kInner) return Inner<InputView>(edge, place);
    const OutputView& view = outputs[place.index];
    return InputView{view.data, view.size_bytes, view.type, view.registration};
  }
  OutputView ToWrite(DispatchGraph::Id edge, OutputViews outputs) {
    EdgePlace& place = edges_.at(edge);
    if (place.place == Place::kOutput) return outputs[place.index];
    return Inner<OutputView>(edge, place);
  }

  template <class Body>
  ::litert::Expected<void> ForEach(Body body) {
    for (Step& step : steps_) LITERT_RETURN_IF_ERROR(body(*step.invocation));
    return {};
  }

  using Demands = ::litert::Expected<std::vector<BufferRequirements>>;

  // What a node asks of the ports that lie at a place.
  template <class Body>
  Demands Ask(const std::vector<DispatchGraph::Id>& ports, size_t index, Place place, Body body) {
    std::vector<BufferRequirements> demands;
    for (size_t i = 0; i < ports.size(); ++i) {
      const EdgePlace& edge = edges_.at(ports[i]);
      if (edge.place != place || edge.index != index) continue;
      LITERT_ASSIGN_OR_RETURN(auto demand, body(i));
      demands.push_back(std::move(demand));
    }
    return demands;
  }

  template <class Body>
  ::litert::Expected<BufferRequirements> Merge(size_t index, Body body) {
    BufferRequirements merged;
    bool is_first = true;
    for (Step& step : steps_) {
      LITERT_ASSIGN_OR_RETURN(auto demands, body(step));
      for (BufferRequirements& demand : demands) {
        if (is_first) {
          merged = std::move(demand);
          is_first = false;
          continue;
        }
        if (demand.strides_elems != merged.strides_elems || demand.types != merged.types) {
          return ::litert::Unexpected(
              ::litert::Status::kErrorUnsupported,
              ::litert::internal::Text({"the readers of input ", index, " ask for other layouts"}));
        }
        merged.size_bytes = std::max(merged.size_bytes, demand.size_bytes);
        merged.alignment_bytes = std::max(merged.alignment_bytes, demand.alignment_bytes);
      }
    }
    return merged;
  }

  std::vector<Step> steps_;  // in the order in which they run
  std::map<DispatchGraph::Id, EdgePlace> edges_;
  EdgeMemory bound_;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_GRAPH_INVOCATION_H_
