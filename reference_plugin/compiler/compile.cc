// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "reference_plugin/compiler/emit/emit.h"
#include "reference_plugin/compiler/emit/hazards.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/movement/update_slice.h"
#include "reference_plugin/compiler/network/roofline.h"
#include "reference_plugin/compiler/placement/placement.h"
#include "reference_plugin/compiler/rewrite/columns.h"
#include "reference_plugin/compiler/rewrite/fuse.h"
#include "reference_plugin/compiler/rewrite/layer_cycles.h"
#include "reference_plugin/compiler/rewrite/regions.h"
#include "reference_plugin/compiler/rewrite/strips.h"
#include "reference_plugin/compiler/rewrite/transpositions.h"
#include "reference_plugin/compiler/schedule/schedule.h"
#include "reference_plugin/compiler/scratchpad/scratchpad_plan.h"
#include "reference_plugin/compiler/tasks/conflicts.h"
#include "reference_plugin/compiler/tasks/footprint.h"
#include "reference_plugin/compiler/tasks/weight_loads.h"
#include "simulator/isa/info.h"
#include "simulator/isa/text.h"
#include "simulator/module/verify.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

constexpr char kProducer[] = "AcmeCorp compiler 0.1";

void NumberHandles(Network& network, std::vector<DebugRecord>& debug) {
  for (Layer& layer : network.layers) {
    debug.push_back({layer.name, {static_cast<uint32_t>(layer.source_op)}});
    layer.handle = static_cast<uint32_t>(debug.size());
  }
}

std::vector<ModuleBinding> Bindings(const Network& network) {
  std::vector<ModuleBinding> bindings;
  const auto add = [&](ValueId id, bool output) {
    bindings.push_back(
        {network.value(id).name, static_cast<uint64_t>(network.value(id).Bytes()), output});
  };
  for (ValueId id : network.inputs) add(id, false);
  for (ValueId id : network.outputs) {
    add(id, true);
    if (const std::optional<ValueId> from = UpdatedInPlace(network, id))
      bindings.back().initial = static_cast<uint32_t>(network.value(*from).input_index) + 1;
  }
  return bindings;
}

// The level that compares the programs of all efforts.
constexpr int kBestOfAll = 3;
// The lowest level that looks for a better program than the first that fits.
constexpr int kSearchLevel = 2;
// The search ends when so many tasks were planned, those of the first program among them: what
// compiling takes stays in bounds, and does not depend on the machine.
constexpr size_t kSearchTasks = 10000;

// How boldly the scratchpad is used and tasks are moved. Whether an effort fits is known only when
// its buffers have real addresses: values that stay, tiles in flight and reordered tasks all take of
// the same memory. So efforts are tried from the boldest on, and the first that fits is taken. The
// last keeps nothing in the scratchpad, moves no task, and gives each step what legalising asked for
// (GuaranteedStepBytes), so that it always fits.
struct Effort {
  int level;  // the lowest optimisation level that tries it
  int64_t resident_percent;
  int64_t step_percent;
  int64_t strip_percent;  // of the scratchpad, while layers are computed in strips
  size_t window;
};
constexpr Effort kEfforts[] = {{2, 65, 25, 60, 32}, {2, 60, 20, 45, 16}, {2, 55, 16, 30, 8},
                               {1, 50, 16, 20, 4},  {1, 25, 16, 10, 1},  {0, 0, 16, 0, 1}};
constexpr size_t kWindowStep = 6;
// Shares of the scratchpad that are tried, too: small strips leave more for weights that come early.
constexpr std::array<int64_t, 2> kOtherStripPercents = {40, 25};
// Shares that are tried, too, where layers are computed by columns (columns.h): what they make as a
// whole stays if it can, since what reads it next needs all of it.
constexpr int64_t kRoomyResidentPercent = 80;
constexpr int64_t kRoomyStepPercent = 16;
// Steps of which all layers that can be computed together are tried: one step's layers fill the
// engines while another's wait.
constexpr std::array<int32_t, 5> kPipelineSteps = {2, 3, 4, 6, 8};
// Values above this share of the scratchpad are not kept whole if rows will do.
constexpr int64_t kLargeValuePercent = 25;
// Of the scratchpad, for the constants of layers that are computed in strips.
constexpr int64_t kStripWeightPercent = 20;

RegionCosts CostsOfRegions(const Network& network, const Hardware& hardware) {
  const int64_t bytes = hardware.scratchpad_bytes;
  return {network,
          EstimateLayers(network, hardware),
          {.value_bytes = bytes * kLargeValuePercent / 100,
           .weight_bytes = bytes * kStripWeightPercent / 100,
           .dram_bytes_per_cycle = hardware.dram_bytes_per_cycle,
           .copy_bytes_per_cycle = hardware.vector_lanes}};
}

// The layers that are computed together when an effort's share of the scratchpad may be used.
std::vector<StripRegion> RegionsOf(RegionCosts& costs, const Effort& effort, int32_t pipeline_steps,
                                   const Hardware& hardware) {
  const int64_t memory_bytes = hardware.scratchpad_bytes * effort.strip_percent / 100;
  if (pipeline_steps > 1) return ChoosePipelines(costs, pipeline_steps, memory_bytes);
  return ChooseRegions(costs, memory_bytes);
}

// What is planned of one network: tasks in their order, at real addresses.
struct PlannedTasks {
  std::vector<Task> tasks;
  std::vector<EnginePositions> conflicts;
  size_t lowered_tasks = 0;
  int64_t workspace_bytes = 0;
  int64_t estimated_cycles = 0;
  std::vector<StageDump> dump;  // of the stages from strips on, if asked for
};

// Nothing if it does not fit the scratchpad, or if no order of its tasks takes fewer cycles than
// `limit_cycles`.
Expected<std::optional<PlannedTasks>> TryEffort(const Network& whole, const Effort& effort,
                                                std::span<const StripRegion> regions,
                                                const Hardware& hardware, ConstantPool& constants,
                                                const CompileOptions& options,
                                                int64_t limit_cycles = INT64_MAX) {
  const Network network = SplitIntoStrips(whole, regions);
  const Placement placement =
      PlanPlacement(network, {hardware.scratchpad_bytes * effort.resident_percent / 100,
                              hardware.scratchpad_bytes * effort.step_percent / 100});
  ACME_ASSIGN_OR_RETURN(LoweredNetwork lowered,
                        LowerNetwork(network, placement, hardware, constants));
  EngineState state;
  std::vector<TaskCost> costs;
  costs.reserve(lowered.tasks.size());
  for (Task& task : lowered.tasks) {
    SetFootprint(task, state, hardware);
    costs.push_back(EstimateTask(task, state, hardware));
  }
  if (BusyCycles(lowered.tasks, costs) >= limit_cycles ||
      PeakBytes(lowered.tasks, lowered.buffers) > hardware.scratchpad_bytes)
    return std::optional<PlannedTasks>();
  const Dependencies dependencies = FindDependencies(lowered.tasks);
  Schedule schedule;
  std::optional<ScratchpadPlan> plan;
  // Tasks that are moved less keep fewer buffers alive at a time.
  for (size_t window = effort.window; !plan && window > 0; window /= kWindowStep) {
    schedule = PlanSchedule(lowered.tasks, costs, dependencies, window);
    plan = PlanScratchpad(lowered.tasks, costs, schedule, lowered.buffers, hardware);
  }
  if (!plan) return std::optional<PlannedTasks>();
  PlannedTasks planned;
  planned.workspace_bytes = placement.workspace_bytes;
  if (options.dump) {
    planned.dump = {{"strips", network.ToString()},
                    {"placement", placement.ToString()},
                    {"tasks", PrintTasks(lowered.tasks)},
                    {"schedule", PrintSchedule(schedule)},
                    {"scratchpad", plan->ToString(lowered.buffers)}};
  }
  planned.lowered_tasks = lowered.tasks.size();
  planned.tasks.reserve(2 * lowered.tasks.size());
  std::vector<TaskCost> costs_in_order;
  for (uint32_t index : plan->order) {
    Task& task = lowered.tasks[index];
    Relocate(task, lowered.buffers, plan->offsets);
    AppendApart(std::move(task), costs[index], planned.tasks, costs_in_order);
  }
  for (Task& task : planned.tasks) SetFootprint(task, state, hardware);
  planned.conflicts = FindConflicts(planned.tasks);
  planned.estimated_cycles =
      EstimateCycles(planned.tasks, costs_in_order, planned.conflicts,
                     hardware.dram_latency_cycles + hardware.dma_setup_cycles);
  return std::optional<PlannedTasks>(std::move(planned));
}

// The effort whose program takes the fewest cycles by estimate; nothing if none fits.
Expected<const Effort*> BestEffort(RegionCosts& costs, const Hardware& hardware,
                                   ConstantPool& constants, CompileOptions options) {
  options.dump = false;
  const int64_t size = constants.SizeBytes();
  const Effort* best = nullptr;
  int64_t fewest_cycles = INT64_MAX;
  for (const Effort& effort : kEfforts) {
    ACME_ASSIGN_OR_RETURN(const std::optional<PlannedTasks> planned,
                          TryEffort(costs.network(), effort, RegionsOf(costs, effort, 1, hardware),
                                    hardware, constants, options, fewest_cycles));
    constants.Cut(size);
    if (!planned || planned->estimated_cycles >= fewest_cycles) continue;
    fewest_cycles = planned->estimated_cycles;
    best = &effort;
  }
  return best;
}

// Looks for a better program than the first that fits, by estimate: other ways to compute layers
// together, as long as the budget lasts.
class Search {
 public:
  // `constants` have this size without those of the network's programs.
  Search(RegionCosts& costs, const Hardware& hardware, const CompileOptions& options,
         ConstantPool& constants, int64_t size_bytes)
      : costs_(costs),
        hardware_(hardware),
        options_(options),
        constants_(constants),
        size_bytes_(size_bytes) {}

  // `first` is the effort's own program; its constants are the pool's last.
  Expected<PlannedTasks> Run(const Effort& effort, std::vector<StripRegion> regions,
                             PlannedTasks first) {
    Keep(std::move(first));
    spent_tasks_ = best_.lowered_tasks;
    tried_.push_back(std::move(regions));
    if (HasColumns(costs_.network())) {
      Effort other = effort;
      other.resident_percent = kRoomyResidentPercent;
      other.step_percent = kRoomyStepPercent;
      ACME_RETURN_IF_ERROR(Plan(other, tried_.front()));
    }
    for (int64_t percent : kOtherStripPercents) {
      Effort other = effort;
      other.strip_percent = percent;
      ACME_RETURN_IF_ERROR(Try(other, 1));
    }
    for (int32_t steps : kPipelineSteps) ACME_RETURN_IF_ERROR(Try(effort, steps));
    constants_.Restore(std::move(its_constants_));
    return std::move(best_);
  }

 private:
  void Keep(PlannedTasks planned) {
    best_ = std::move(planned);
    its_constants_ = constants_.Cut(size_bytes_);
  }

  Expected<void> Try(const Effort& effort, int32_t steps) {
    if (spent_tasks_ >= kSearchTasks) return {};
    std::vector<StripRegion> regions = RegionsOf(costs_, effort, steps, hardware_);
    if (std::find(tried_.begin(), tried_.end(), regions) != tried_.end()) return {};
    tried_.push_back(regions);
    return Plan(effort, regions);
  }

  Expected<void> Plan(const Effort& effort, std::span<const StripRegion> regions) {
    ACME_ASSIGN_OR_RETURN(std::optional<PlannedTasks> planned,
                          TryEffort(costs_.network(), effort, regions, hardware_, constants_,
                                    options_, best_.estimated_cycles));
    if (planned) spent_tasks_ += planned->lowered_tasks;
    if (planned && planned->estimated_cycles < best_.estimated_cycles) {
      Keep(std::move(*planned));
    } else {
      constants_.Cut(size_bytes_);
    }
    return {};
  }

  RegionCosts& costs_;
  const Hardware& hardware_;
  const CompileOptions& options_;
  ConstantPool& constants_;
  int64_t size_bytes_;
  PlannedTasks best_;
  ConstantPool::Additions its_constants_;
  size_t spent_tasks_ = 0;
  std::vector<std::vector<StripRegion>> tried_;
};

Expected<PlannedTasks> PlanProgram(const Network& network, const Hardware& hardware,
                                   ConstantPool& constants, const CompileOptions& options) {
  RegionCosts costs = CostsOfRegions(network, hardware);
  const Effort* only = nullptr;
  if (options.optimization_level >= kBestOfAll) {
    ACME_ASSIGN_OR_RETURN(only, BestEffort(costs, hardware, constants, options));
  }
  for (const Effort& effort : kEfforts) {
    if (effort.level > options.optimization_level || (only != nullptr && only != &effort)) continue;
    const int64_t size_bytes = constants.SizeBytes();
    std::vector<StripRegion> regions = RegionsOf(costs, effort, 1, hardware);
    ACME_ASSIGN_OR_RETURN(std::optional<PlannedTasks> planned,
                          TryEffort(network, effort, regions, hardware, constants, options));
    if (!planned) {
      constants.Cut(size_bytes);
      continue;
    }
    if (options.optimization_level < kSearchLevel) return std::move(*planned);
    return Search(costs, hardware, options, constants, size_bytes)
        .Run(effort, std::move(regions), std::move(*planned));
  }
  return Error(ErrorCode::kInvalidArgument,
               network.name + ": no tiling fits the scratchpad of " + hardware.name);
}

// By columns, where that is for the better by estimate and fits.
Expected<PlannedTasks> PlanSplit(const Network& network, const Hardware& hardware,
                                 ConstantPool& constants, const CompileOptions& options) {
  std::vector<std::vector<ColumnRegion>> ways;
  if (options.optimization_level >= kSearchLevel) {
    for (const bool hand_on : {true, false}) {
      std::vector<ColumnRegion> regions = ChooseColumns(network, hardware, hand_on);
      if (regions.empty() || (!ways.empty() && ways.front() == regions)) continue;
      ways.push_back(std::move(regions));
    }
  }
  const int64_t size_bytes = constants.SizeBytes();
  Expected<PlannedTasks> best = PlanProgram(network, hardware, constants, options);
  if (ways.empty()) return best;
  ConstantPool::Additions its_constants = constants.Cut(size_bytes);
  for (const std::vector<ColumnRegion>& regions : ways) {
    Expected<PlannedTasks> planned =
        PlanProgram(SplitIntoColumns(network, regions), hardware, constants, options);
    ConstantPool::Additions added = constants.Cut(size_bytes);
    if (!planned || (best && planned->estimated_cycles >= best->estimated_cycles)) continue;
    best = std::move(planned);
    its_constants = std::move(added);
  }
  constants.Restore(std::move(its_constants));
  return best;
}

Expected<ModuleEntry> CompileNetwork(const Network& legal, const Hardware& hardware,
                                     ConstantPool& constants, const CompileOptions& options,
                                     std::vector<NetworkDump>& dumps) {
  Network network = Fuse(legal);
  FuseTranspositions(network, hardware);
  MarkRows(network);
  ACME_ASSIGN_OR_RETURN(PlannedTasks planned, PlanSplit(network, hardware, constants, options));
  const std::vector<TaskSync> syncs = PlanSync(planned.tasks, planned.conflicts);
  const Roofline roofline = EstimateRoofline(network, hardware);
  ModuleEntry entry;
  entry.name = network.name;
  entry.bindings = Bindings(network);
  entry.workspace_bytes = static_cast<uint64_t>(planned.workspace_bytes);
  entry.roofline_cycles = roofline.engine_cycles;
  entry.macs = roofline.macs;
  ACME_ASSIGN_OR_RETURN(entry.code, EmitCode(planned.tasks, syncs));
  if (options.dump) {
    NetworkDump& dump = dumps.emplace_back();
    dump.network = network.name;
    dump.stages = {{"legalise", legal.ToString()}, {"fuse", network.ToString()}};
    std::move(planned.dump.begin(), planned.dump.end(), std::back_inserter(dump.stages));
    dump.stages.push_back({"order", PrintTasks(planned.tasks, syncs)});
    dump.stages.push_back({"code", DisassembleCode(entry.code)});
  }
  return entry;
}

}  // namespace

size_t MaxBindings() {
  for (const FieldInfo& field : InfoOf(Opcode::kStCopy).fields) {
    if (field.kind == FieldKind::kBindingOut) return (size_t{1} << field.bits) - kFirstIoBinding;
  }
  return 0;
}

Expected<CompiledModule> CompileNetworks(std::span<Network> networks, const Hardware& hardware,
                                         const CompileOptions& options) {
  CompiledModule compiled;
  Module& module = compiled.module;
  module.soc_model = hardware.name;
  module.program_key = hardware.ProgramKey();
  module.producer = kProducer;
  ConstantPool constants;
  for (Network& network : networks) {
    if (module.FindEntry(network.name) != nullptr) {
      return Error(ErrorCode::kInvalidArgument,
                   "two entry points are named '" + network.name + "'");
    }
    if (network.inputs.size() + network.outputs.size() > MaxBindings()) {
      return Error(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: {} inputs and {} outputs; a program addresses at most {}", network.name,
                      network.inputs.size(), network.outputs.size(), MaxBindings()));
    }
    NumberHandles(network, module.debug);
    ACME_ASSIGN_OR_RETURN(ModuleEntry entry,
                          CompileNetwork(network, hardware, constants, options, compiled.dumps));
    module.entries.push_back(std::move(entry));
  }
  module.constants = constants.Take();
  ACME_RETURN_IF_ERROR(VerifyModule(module, hardware));
  return compiled;
}

}  // namespace acme::compiler
