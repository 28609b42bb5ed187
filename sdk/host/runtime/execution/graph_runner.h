// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a subgraph: its first stage, which is planned at once, and those behind shapes that only a
// run shows. A later stage is planned when a run gets there, and used again while the shapes and the
// values that it depends on stay.

#ifndef NPUKIT_SDK_HOST_RUNTIME_EXECUTION_GRAPH_RUNNER_H_
#define NPUKIT_SDK_HOST_RUNTIME_EXECUTION_GRAPH_RUNNER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/execution/graph_context.h"
#include "sdk/host/runtime/execution/owned_values.h"
#include "sdk/host/runtime/execution/stage.h"
#include "sdk/host/runtime/memory/given_memory.h"
#include "sdk/host/runtime/plan/execution_plan.h"
#include "sdk/host/runtime/plan/flat_graph.h"

namespace npukit {

// After an error it may run again.
class GraphRunner final : private EarlierValues {
 public:
  struct Options {
    std::map<const Tensor*, kernels::Shape> resized_inputs;
    bool keep_intermediates = false;
    bool takes_other_shapes = false;  // SetInputShapes may be called
    GivenMemory given_memory;         // where all shapes are known before any run
    // Called with each stage once it is planned; may be empty. After an error it is not kept.
    std::function<litert::Expected<void>(const Stage& stage)> on_stage;
  };
  // What a value is like now. Of one whose shape only a run shows, before that, the shape is empty
  // and `is_known` false.
  struct Value {
    const Tensor* tensor = nullptr;
    bool is_known = false;
    bool is_fixed = false;  // known before any run, and the same in all
    std::span<const int32_t> shape;
    std::span<const uint8_t> bytes;  // dense
  };

  static litert::Expected<std::unique_ptr<GraphRunner>> Create(const GraphContext& context,
                                                               const Subgraph& subgraph,
                                                               Options options);
  ~GraphRunner() override { (void)Close(); }
  GraphRunner(const GraphRunner&) = delete;
  GraphRunner& operator=(const GraphRunner&) = delete;
  // Gives the dispatch libraries their objects back; no run afterwards.
  litert::Expected<void> Close();

  size_t num_inputs() const { return graph_.inputs().size(); }
  size_t num_outputs() const { return graph_.outputs().size(); }
  Value input(size_t index) const { return ValueAt(graph_.inputs()[index]); }
  Value output(size_t index) const { return ValueAt(graph_.outputs()[index]); }
  // To write to before a run; it keeps its value over runs. Aligned to 64 bytes. Of strings: what
  // they are, which SetInput alone changes.
  std::span<uint8_t> input_memory(size_t index) const;
  // Copies into it. An error gives both sizes if `bytes` has the wrong one, or says what is wrong
  // with strings (state/string_tensor.h), whose size is free.
  litert::Expected<void> SetInput(size_t index, std::span<const uint8_t> bytes);
  // Whether all shapes were known before any run.
  bool is_static() const { return is_static_; }
  // Plans anew if it is another shape; inputs then have no values.
  litert::Expected<void> SetInputShapes(std::span<const std::span<const int32_t>> shapes);

  // `with_times`: step_times() tells.
  litert::Expected<void> Run(bool with_times = false);

  // -- What has been planned so far: all of it, where all shapes are known -------------------------

  // Goes up whenever stages change.
  uint64_t generation() const { return generation_; }
  std::span<const std::unique_ptr<Stage>> stages() const { return stages_; }
  size_t num_steps() const { return step_times_.size(); }
  struct StepPlace {
    const Stage* stage = nullptr;
    size_t index = 0;
  };
  StepPlace step(size_t index) const;
  litert::Expected<void> RunStep(size_t index);
  std::span<const StepTime> step_times() const { return step_times_; }
  // The value that a tensor stands for, whatever subgraph it is of; nullopt if it has none here.
  struct ValuePlace {
    const Stage* stage = nullptr;
    int value = kNoValue;
    bool lasts = false;  // to the end of the run
  };
  std::optional<ValuePlace> Find(const Tensor& tensor) const;

 private:
  struct Location {
    int stage = -1;  // none
    int value = kNoValue;
  };

  GraphRunner(const GraphContext& context, FlatGraph graph, Options options)
      : context_(context),
        graph_(std::move(graph)),
        options_(std::move(options)),
        string_inputs_(graph_.inputs().size()) {}
  std::optional<Found> Find(int flat_value) const override;
  Value ValueAt(int flat_value) const;
  const Location& LocationOf(int flat_value) const;
  bool IsString(size_t input) const;
  // As many empty ones as the shape says.
  litert::Expected<void> EmptyStrings();
  litert::Expected<void> PlanNext();
  void DropStages(size_t from);
  litert::Expected<void> MakeReady(size_t stage);

  GraphContext context_;
  FlatGraph graph_;
  Options options_;
  OwnedValues string_inputs_;  // by input; others have nothing there
  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<Location> locations_;  // by flat value
  std::vector<StepTime> step_times_;
  std::vector<size_t> first_steps_;  // per stage: how many steps those before it have
  bool is_static_ = false;
  uint64_t generation_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_EXECUTION_GRAPH_RUNNER_H_
