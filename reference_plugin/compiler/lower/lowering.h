// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lowering. In: a network and where its values live. Out: tasks, in an order that is right when they
// run one after the other, and the step buffers that they name. Each kind of layer has a file of its
// own in the folders below; this is what they share. What a lowering decides is how a layer is cut
// into tiles; when they run, and at which addresses, is decided later, so it takes a new buffer for
// each tile and never waits for anything.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_LOWERING_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_LOWERING_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/network/drained_extremes.h"
#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/placement/constant_pool.h"
#include "reference_plugin/compiler/placement/placement.h"
#include "reference_plugin/compiler/tasks/task.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// The share of the scratchpad that a layer's step buffers have whatever else there is.
constexpr int64_t GuaranteedStepBytes(const Hardware& hardware) {
  return hardware.scratchpad_bytes * 16 / 100;
}

// What lowering makes: tasks in an order that is right when they run one after the other, and the
// buffers that they name by symbolic addresses, ascending.
struct LoweredNetwork {
  std::vector<Task> tasks;
  std::vector<ScratchpadBuffer> buffers;
};

// Elementwise work is cut into pieces of at most so many elements, so that what makes the operands
// and what reads the result can run beside it.
inline constexpr int64_t kOverlapElems = 8192;

struct PackedConv;  // products/conv_weights.h
struct PixelPlan;   // products/pixel_plan.h

// A reduction that a later layer asks for, of rows of what a layer makes: the vector engine can do it
// as they come, and one after the other has its result at `scratchpad`.
struct Epilogue {
  ReduceOp op = ReduceOp::kSum;
  int64_t row_elems = 0;
  int64_t scratchpad = 0;
};

// State of lowering one network. Tasks are appended in an order that is right when they run one
// after the other.
class LoweringContext {
 public:
  LoweringContext(const Network& network, const Placement& placement, const Hardware& hardware,
                  ConstantPool& constants)
      : network_(network),
        placement_(placement),
        hardware_(hardware),
        constants_(constants),
        buffers_(placement.buffers),
        lasting_end_(EndOf(placement.buffers)),
        loaded_(network.values.size()) {}

  const Network& network() const { return network_; }
  const Hardware& hardware() const { return hardware_; }
  ConstantPool& constants() { return constants_; }
  const Value& value(ValueId id) const { return network_.value(id); }
  const ValuePlace& place(ValueId id) const { return placement_.values[static_cast<size_t>(id)]; }

  // The layer whose tasks follow.
  void BeginLayer(const Layer& layer);
  // Appends the tasks of layer `index` of the network.
  Expected<void> Lower(size_t index);
  // What may be reduced as the layer at hand makes it. Who does so takes it, and its layer has no
  // tasks of its own.
  std::optional<Epilogue> EpilogueOf(ValueId output) const;
  void TakeEpilogue(ValueId output);
  // How the layer at hand finds extremes of its result on the way, with `epilogue` of its
  // instructions; nothing if nobody asks for them.
  std::optional<isa::VEpilogue> ExtremesOf(ValueId output) const;
  // Whether the layer computes some rows of a chain (strips.h).
  bool in_strips() const { return strips_ >= 0; }
  void Append(Task task);

  // Bytes that may be in step buffers at a time.
  int64_t StepBytes() const { return placement_.step_bytes; }
  // Bytes that one transfer of constants should bring: large enough for the DRAM, small enough to
  // begin with the first.
  int64_t ChunkBytes() const;
  // A buffer of its own, aligned to 64 bytes, for one step: its symbolic address. It lives from its
  // first to its last use.
  int64_t BeginStep(int64_t bytes);

  // A buffer with constants in it. Layers that compute parts of one result share it, if they keep
  // it.
  // `int4`: it stands in half the bytes, two elements each.
  int64_t LoadConstant(const DramPlace& from, int64_t bytes, bool keep, bool int4 = false);
  // The same of a table that a whole layer reads.
  int64_t LoadTable(const std::vector<uint8_t>& table);

  // The weights of a convolution as they were packed for an earlier strip of it, by
  // Conv::KeyOfStrips and what else the planes depend on; null if there was none.
  std::shared_ptr<const PackedConv>& PackedFor(const std::string& strips, int64_t how) {
    return packed_[{strips, how}];
  }

  // How earlier strips of a convolution fill the array; null if there were none.
  std::shared_ptr<const PixelPlan>& PixelsFor(const std::string& strips) { return pixels_[strips]; }

  // So many accumulator rows, in turn with those before.
  int64_t NextAccumulators(int64_t rows);

  // Where a constant, or a value without a scratchpad home, stands.
  DramPlace DramHome(ValueId id);

  // Loads a value with a scratchpad home into it unless it is there already: partition inputs
  // before their first use.
  void MakeResident(ValueId id);

  // Copies consecutive bytes.
  void Load(const DramPlace& from, int64_t scratchpad, int64_t bytes);
  // So many elements of a byte from as many halves of bytes.
  void LoadInt4(const DramPlace& from, int64_t scratchpad, int64_t elems);
  void Store(int64_t scratchpad, const DramPlace& to, int64_t bytes);

  LoweredNetwork Take() { return {std::move(tasks_), std::move(buffers_)}; }

 private:
  // The layer after the one at hand that reduces all of its result; -1 if there is none.
  int64_t ReducerOf(ValueId output) const;
  // Null unless they are found on the way.
  const DrainedExtremes* FoundExtremes(ValueId root) const;
  // Of the layer at hand, before its tasks: what extremes begin with.
  void BeginExtremes(ValueId output);

  const Network& network_;
  const Placement& placement_;
  const Hardware& hardware_;
  ConstantPool& constants_;
  uint32_t handle_ = 0;
  size_t layer_ = 0;       // at hand
  std::set<size_t> done_;  // layers that others have done
  std::vector<ScratchpadBuffer> buffers_;
  const int64_t lasting_end_;  // of the values' buffers
  int64_t acc_next_ = 0;
  int32_t strips_ = -1;                      // Layer::strips of the current layer
  std::map<int64_t, int64_t> constants_at_;  // loaded for it: place and kind, buffer
  std::map<std::pair<std::string, int64_t>, std::shared_ptr<const PackedConv>> packed_;
  std::map<std::string, std::shared_ptr<const PixelPlan>> pixels_;
  std::vector<bool> loaded_;
  std::vector<Task> tasks_;
};

// All layers.
Expected<LoweredNetwork> LowerNetwork(const Network& network, const Placement& placement,
                                      const Hardware& hardware, ConstantPool& constants);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_LOWERING_H_
