// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string_view>
#include <utility>

#include "reference_plugin/compiler/lower/dimension_order.h"

namespace acme::compiler {
namespace {

// A multiple of 64, so that the parts of a copy stay aligned to bursts.
constexpr int64_t kMaxCopyBytes = (1 << 24) - 64;  // what the instruction's field holds

// So far ahead a layer is looked for that reduces a result.
constexpr size_t kMostToReducer = 8;

}  // namespace

void LoweringContext::Append(Task task) {
  task.handle = handle_;
  task.symbols = {lasting_end_, EndOf(buffers_)};
  OrderDimensions(task, hardware_);
  tasks_.push_back(std::move(task));
}

int64_t LoweringContext::ChunkBytes() const {
  // What the DRAM brings in about ten times its latency. But instructions are handed out in their order: where those
  // that use a chunk, two for each plane of weights, are more than an engine's queue takes, the load of another waits
  // behind them.
  const int64_t queued_planes = std::max<int64_t>(hardware_.queue_depth / 2, 1);
  return std::max<int64_t>(
      4096, std::min(10 * hardware_.dram_latency_cycles * hardware_.dram_bytes_per_cycle,
                     queued_planes * hardware_.array_rows * hardware_.array_cols));
}

int64_t LoweringContext::BeginStep(int64_t bytes) {
  return AddBuffer(bytes, buffers_, lasting_end_);
}

Expected<void> LoweringContext::Lower(size_t index) {
  if (done_.contains(index)) return {};
  layer_ = index;
  const Layer& layer = network_.layers[index];
  BeginLayer(layer);
  BeginExtremes(layer.output);
  return layer.op->Lower(layer.output, *this);
}

const DrainedExtremes* LoweringContext::FoundExtremes(ValueId root) const {
  const auto found = placement_.extremes.find(root);
  if (found == placement_.extremes.end()) return nullptr;
  for (const ValueId id : {found->second.result, found->second.lows}) {
    if (id != kNoValue && (!place(id).scratchpad_offset || place(id).dram)) return nullptr;
  }
  return &found->second;
}

void LoweringContext::BeginExtremes(ValueId output) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const DrainedExtremes* extremes = FoundExtremes(network_.RootOf(output).value);
  if (extremes == nullptr || extremes->first_maker != layer_) return;
  const auto begin = [&](ValueId id, float number) {
    Append({.config = {isa::VShape{.n0 = 1, .n1 = 1, .n2 = 1, .n3 = 1},
                       isa::VView{.view = View::kDst, .s0 = SizeBytes(Dtype::kF32)}},
            .work = isa::VFill{.dtype = Dtype::kF32,
                               .dst = static_cast<uint32_t>(*place(id).scratchpad_offset),
                               .value = std::bit_cast<uint32_t>(number)}});
  };
  begin(extremes->result, extremes->op == ReduceOp::kMax   ? -kInfinity
                          : extremes->op == ReduceOp::kMin ? kInfinity
                                                           : 0.0f);
  if (extremes->lows != kNoValue) begin(extremes->lows, kInfinity);
  done_.insert(extremes->reducers.begin(), extremes->reducers.end());
}

std::optional<isa::VEpilogue> LoweringContext::ExtremesOf(ValueId output) const {
  constexpr uint32_t kAllDimensions = 0xF;
  const DrainedExtremes* extremes = FoundExtremes(network_.RootOf(output).value);
  if (extremes == nullptr) return std::nullopt;
  const auto at = [&](ValueId id) {
    return id == kNoValue ? 0 : static_cast<uint32_t>(*place(id).scratchpad_offset);
  };
  return isa::VEpilogue{.op = extremes->op,
                        .dims = kAllDimensions,
                        .dst = at(extremes->result),
                        .accumulate = true,
                        .lows = extremes->lows != kNoValue,
                        .lows_dst = at(extremes->lows)};
}

int64_t LoweringContext::ReducerOf(ValueId output) const {
  const size_t end = std::min(network_.layers.size(), layer_ + 1 + kMostToReducer);
  for (size_t i = layer_ + 1; i < end; ++i) {
    const std::optional<RowReduction> reduction = network_.layers[i].op->AsRowReduction();
    if (reduction && reduction->x == output) return static_cast<int64_t>(i);
  }
  return -1;
}

std::optional<Epilogue> LoweringContext::EpilogueOf(ValueId output) const {
  const int64_t reducer = ReducerOf(output);
  if (reducer < 0 || value(output).base != kNoValue || done_.contains(static_cast<size_t>(reducer)))
    return std::nullopt;
  const Layer& layer = network_.layers[static_cast<size_t>(reducer)];
  const RowReduction reduction = *layer.op->AsRowReduction();
  const Value& result = value(layer.output);
  const ValuePlace& where = place(layer.output);
  if (!where.scratchpad_offset || where.dram || result.dtype != Dtype::kF32 ||
      value(output).Elems() != result.Elems() * reduction.row_elems)
    return std::nullopt;
  return Epilogue{reduction.op, reduction.row_elems, *where.scratchpad_offset};
}

void LoweringContext::TakeEpilogue(ValueId output) {
  done_.insert(static_cast<size_t>(ReducerOf(output)));
}

void LoweringContext::BeginLayer(const Layer& layer) {
  handle_ = layer.handle;
  // What was loaded or packed for a region is of use to its further steps alone: these come one
  // after the other (strips.h, columns.h).
  if (layer.strips < 0 || layer.strips != strips_) {
    constants_at_.clear();
    packed_.clear();
    pixels_.clear();
  }
  strips_ = layer.strips;
}

int64_t LoweringContext::LoadConstant(const DramPlace& from, int64_t bytes, bool keep, bool int4) {
  const int64_t key = from.offset_bytes * 2 + (int4 ? 1 : 0);
  const auto found = constants_at_.find(key);
  if (keep && found != constants_at_.end()) return found->second;
  const int64_t buffer = BeginStep(bytes);
  int4 ? LoadInt4(from, buffer, bytes) : Load(from, buffer, bytes);
  if (keep && strips_ >= 0) constants_at_[key] = buffer;
  return buffer;
}

int64_t LoweringContext::LoadTable(const std::vector<uint8_t>& table) {
  return LoadConstant(constants_.Add(table), static_cast<int64_t>(table.size()), /*keep=*/true);
}

int64_t LoweringContext::NextAccumulators(int64_t rows) {
  // Sums of 64 bits take two rows each and begin with an even one (docs/isa.md, m.type). Taking the
  // accumulators in turn gives a drain as much time as possible before its rows are written again.
  rows = (rows + 1) / 2 * 2;
  if (acc_next_ + rows > hardware_.accumulator_rows) acc_next_ = 0;
  return std::exchange(acc_next_, acc_next_ + rows);
}

DramPlace LoweringContext::DramHome(ValueId id) {
  const Value& of = value(id);
  return of.is_constant() ? constants_.Share(of.constant, of.owned) : *place(id).dram;
}

void LoweringContext::MakeResident(ValueId id) {
  id = network_.RootOf(id).value;
  const ValuePlace& where = place(id);
  if (value(id).input_index < 0 || !where.scratchpad_offset || loaded_[static_cast<size_t>(id)])
    return;
  loaded_[static_cast<size_t>(id)] = true;
  // In parts, so that the first can be used while the last comes.
  const int64_t bytes = value(id).Bytes();
  const int64_t most = ChunkBytes() / 2;
  for (int64_t done = 0; done < bytes; done += most) {
    const int64_t part = std::min(most, bytes - done);
    Load({where.dram->binding, where.dram->offset_bytes + done}, *where.scratchpad_offset + done,
         part);
  }
}

void LoweringContext::Load(const DramPlace& from, int64_t scratchpad, int64_t bytes) {
  for (int64_t done = 0; done < bytes; done += kMaxCopyBytes) {
    const int64_t part = std::min(bytes - done, kMaxCopyBytes);
    Task task;
    task.work = isa::LdCopy{.binding = from.binding,
                            .dram = static_cast<uint32_t>(from.offset_bytes + done),
                            .spm = static_cast<uint32_t>(scratchpad + done),
                            .bytes = static_cast<uint32_t>(part)};
    Append(std::move(task));
  }
}

void LoweringContext::LoadInt4(const DramPlace& from, int64_t scratchpad, int64_t elems) {
  constexpr int64_t kMostBytes = 1 << 22;
  // Of an odd number both halves of the last byte are unpacked: the element too many lands within
  // what the buffer is aligned up to.
  const int64_t bytes = (elems + 1) / 2;
  for (int64_t done = 0; done < bytes; done += kMostBytes) {
    const int64_t part = std::min(bytes - done, kMostBytes);
    Append({.config = {isa::LdShape{.n0 = static_cast<uint32_t>(part), .n1 = 1, .n2 = 1, .n3 = 1},
                       isa::LdSpmStride{.s0 = 1}},
            .work = isa::LdNd{.binding = from.binding,
                              .dram = static_cast<uint32_t>(from.offset_bytes + done),
                              .spm = static_cast<uint32_t>(scratchpad + 2 * done),
                              .elem_bytes = 1,
                              .unpack = true}});
  }
}

void LoweringContext::Store(int64_t scratchpad, const DramPlace& to, int64_t bytes) {
  for (int64_t done = 0; done < bytes; done += kMaxCopyBytes) {
    const int64_t part = std::min(bytes - done, kMaxCopyBytes);
    Task task;
    task.work = isa::StCopy{.binding = to.binding,
                            .dram = static_cast<uint32_t>(to.offset_bytes + done),
                            .spm = static_cast<uint32_t>(scratchpad + done),
                            .bytes = static_cast<uint32_t>(part)};
    Append(std::move(task));
  }
}

namespace {

// What the instructions' fields for a place in a DRAM buffer hold.
Expected<void> CheckOffsets(const Network& network, const Placement& placement) {
  constexpr int64_t kMostBytes = int64_t{1} << 32;
  const auto check = [&](std::string_view what, int64_t bytes) -> Expected<void> {
    if (bytes <= kMostBytes) return {};
    return Error(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: {} of {} bytes; a buffer may have 2^32", network.name, what, bytes));
  };
  for (const Value& value : network.values) ACME_RETURN_IF_ERROR(check("a value", value.Bytes()));
  return check("a workspace", placement.workspace_bytes);
}

}  // namespace

Expected<LoweredNetwork> LowerNetwork(const Network& network, const Placement& placement,
                                      const Hardware& hardware, ConstantPool& constants) {
  ACME_RETURN_IF_ERROR(CheckOffsets(network, placement));
  LoweringContext context(network, placement, hardware, constants);
  for (size_t i = 0; i < network.layers.size(); ++i) ACME_RETURN_IF_ERROR(context.Lower(i));
  return context.Take();
}

}  // namespace acme::compiler
