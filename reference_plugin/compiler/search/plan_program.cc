// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/plan_program.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/rewrite/columns/columns.h"
#include "reference_plugin/compiler/rewrite/layer_cycles.h"
#include "reference_plugin/compiler/rewrite/region_costs.h"
#include "reference_plugin/compiler/rewrite/regions.h"
#include "reference_plugin/compiler/search/measure.h"

namespace acme::compiler {
namespace {

// The level that compares the programs of all efforts.
constexpr int kBestOfAll = 3;
// The lowest level that looks for a better program than the first that fits.
constexpr int kSearchLevel = 2;
// Of another's estimate, for chains by columns to be taken.
constexpr int64_t kClearPercent = 97;
// Shares of the scratchpad that are tried, too: small strips leave more for weights that come early.
constexpr std::array<int64_t, 2> kOtherStripPercents = {40, 25};
// Shares that are tried, too, where layers are computed by columns (columns.h): what they make as a
// whole stays if it can, since what reads it next needs all of it.
constexpr int64_t kRoomyResidentPercent = 80;
constexpr int64_t kRoomyStepPercent = 16;
// Layers that are computed together, so many at most, in so many steps.
struct Pipeline {
  int32_t steps = 1;  // 1: what ChooseRegions chooses
  size_t most_layers = kMostRegionLayers;
};
// All layers that can be computed together in these are tried: one step's layers fill the engines
// while another's wait. Then fewer of them: rows that windows need twice become more with each layer.
constexpr size_t kBlock = 3;   // expanded, filtered and projected
constexpr size_t kBlocks = 6;  // two of these
constexpr std::array kPipelines = {Pipeline{2},          Pipeline{3},          Pipeline{4},
                                   Pipeline{6},          Pipeline{8},          Pipeline{2, kBlock},
                                   Pipeline{4, kBlock},  Pipeline{2, kBlocks}, Pipeline{4, kBlocks},
                                   Pipeline{6, kBlocks}, Pipeline{8, kBlocks}};
// A program must be better than the best so far by so much: estimates are no better than that.
constexpr int64_t kLeastGainPerMille = 2;
// Tasks of the best program are moved so many times as far, too; the second where every way is tried. Programs of more tasks,
// which take long to plan once, are left as they are.
constexpr std::array<size_t, 1> kWiderWindow = {8};
constexpr std::array<size_t, 4> kWiderWindows = {2, 4, 8, 16};
constexpr size_t kMostTimedTasks = 40000;
// Values above this share of the scratchpad are not kept whole if rows will do.
constexpr int64_t kLargeValuePercent = 25;
// Of the scratchpad, for the constants of layers that are computed in strips.
constexpr int64_t kStripWeightPercent = 20;

std::unique_ptr<RegionCosts> CostsOfRegions(const Network& network, const Hardware& hardware) {
  const int64_t bytes = hardware.scratchpad_bytes;
  return std::make_unique<RegionCosts>(
      network, EstimateLayers(network, hardware),
      RegionLimits{.value_bytes = bytes * kLargeValuePercent / 100,
                   .weight_bytes = bytes * kStripWeightPercent / 100,
                   .dram_bytes_per_cycle = hardware.dram_bytes_per_cycle,
                   .copy_bytes_per_cycle = hardware.vector_lanes});
}

// The layers that are computed together when an effort's share of the scratchpad may be used.
std::vector<StripRegion> RegionsOf(RegionCosts& costs, const Effort& effort,
                                   const Pipeline& pipeline, const Hardware& hardware) {
  const int64_t memory_bytes = hardware.scratchpad_bytes * effort.strip_percent / 100;
  if (pipeline.steps > 1)
    return ChoosePipelines(costs, pipeline.steps, memory_bytes, pipeline.most_layers);
  return ChooseRegions(costs, memory_bytes);
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
                          TryEffort(costs.network(), effort, RegionsOf(costs, effort, {}, hardware),
                                    hardware, constants, options, fewest_cycles));
    constants.Cut(size);
    if (!planned || planned->estimated_cycles >= fewest_cycles) continue;
    fewest_cycles = planned->estimated_cycles;
    best = &effort;
  }
  return best;
}

// A network, as it is or with chains by columns, and its best program so far, with the constants of
// that alone.
struct Way {
  const Network* network = nullptr;
  std::unique_ptr<RegionCosts> costs;
  Effort effort = {};  // of what it began with, and the strips
  std::vector<StripRegion> regions;
  PlannedTasks program;
  Effort best_effort = {};  // the program's, and its strips
  std::vector<StripRegion> best_regions;
  ConstantPool::Additions constants;
  size_t spent_tasks = 0;
};

class Search {
 public:
  Search(const Hardware& hardware, ConstantPool& constants, const CompileOptions& options)
      : hardware_(hardware),
        constants_(constants),
        options_(options),
        size_bytes_(constants.SizeBytes()) {}

  // The first effort's program that fits.
  Expected<Way> Begin(const Network& network) {
    Way way{.network = &network, .costs = CostsOfRegions(network, hardware_)};
    const Effort* only = nullptr;
    if (options_.optimization_level >= kBestOfAll) {
      ACME_ASSIGN_OR_RETURN(only, BestEffort(*way.costs, hardware_, constants_, options_));
    }
    for (const Effort& effort : kEfforts) {
      if (effort.level > options_.optimization_level || (only != nullptr && only != &effort))
        continue;
      way.effort = effort;
      way.regions = RegionsOf(*way.costs, effort, {}, hardware_);
      way.program.estimated_cycles = INT64_MAX;
      ACME_ASSIGN_OR_RETURN(const bool fits, Improve(way, effort, way.regions));
      if (!fits) continue;
      if (way.program.has_strips_in_dram && options_.optimization_level >= kSearchLevel) {
        Effort other = effort;
        other.strips_first = true;
        ACME_ASSIGN_OR_RETURN(const bool better, Improve(way, other, way.regions));
        if (better) way.effort = other;
      }
      if (HasColumns(network)) {
        Effort roomy = way.effort;
        roomy.resident_percent = kRoomyResidentPercent;
        roomy.step_percent = kRoomyStepPercent;
        ACME_ASSIGN_OR_RETURN(const bool better, Improve(way, roomy, way.regions));
        if (better) way.effort = roomy;
      }
      return way;
    }
    return Error(ErrorCode::kInvalidArgument,
                 network.name + ": no tiling fits the scratchpad of " + hardware_.name);
  }

  // Tries other ways to compute layers together, as long as the budget lasts.
  Expected<void> GoOn(Way& way) {
    // Choices of regions are often the same for several shares and pipelines; a program is planned
    // once for each.
    tried_ = {way.regions};
    for (int64_t percent : kOtherStripPercents) {
      Effort other = way.effort;
      other.strip_percent = percent;
      ACME_RETURN_IF_ERROR(TryRegions(way, other, {}));
    }
    for (const Pipeline& pipeline : kPipelines)
      ACME_RETURN_IF_ERROR(TryRegions(way, way.effort, pipeline));
    return {};
  }

  // Tries to move the best program's tasks further. Engines find work for longer waits then, but what can begin early is not
  // always what should: the difference is often less than estimates are wrong, so programs are timed.
  Expected<void> Widen(Way& way) {
    if (way.program.lowered_tasks > kMostTimedTasks) return {};
    std::span<const size_t> windows = kWiderWindow;
    if (options_.optimization_level >= kBestOfAll) windows = kWiderWindows;
    ACME_ASSIGN_OR_RETURN(int64_t fewest_cycles, MeasureCycles(way.program, hardware_));
    for (const size_t wider : windows) {
      Effort effort = way.best_effort;
      effort.window *= wider;
      ACME_ASSIGN_OR_RETURN(
          std::optional<PlannedTasks> planned,
          TryEffort(*way.network, effort, way.best_regions, hardware_, constants_, options_));
      ConstantPool::Additions added = constants_.Cut(size_bytes_);
      if (!planned) continue;
      ACME_ASSIGN_OR_RETURN(const int64_t cycles, MeasureCycles(*planned, hardware_));
      if (cycles >= fewest_cycles) continue;
      fewest_cycles = cycles;
      Take(std::move(*planned), std::move(added), way);
    }
    return {};
  }

 private:
  Expected<void> TryRegions(Way& way, const Effort& effort, const Pipeline& pipeline) {
    if (way.spent_tasks >= options_.most_search_tasks) return {};
    std::vector<StripRegion> regions = RegionsOf(*way.costs, effort, pipeline, hardware_);
    if (std::find(tried_.begin(), tried_.end(), regions) != tried_.end()) return {};
    tried_.push_back(regions);
    ACME_RETURN_IF_ERROR(Improve(way, effort, regions));
    return {};
  }

  // Whether there is such a program that is better than the way's.
  Expected<bool> Improve(Way& way, const Effort& effort, std::span<const StripRegion> regions) {
    ACME_ASSIGN_OR_RETURN(std::optional<PlannedTasks> planned,
                          TryEffort(*way.network, effort, regions, hardware_, constants_, options_,
                                    way.program.estimated_cycles));
    // Each try lays its weights out for its own tiles. They are taken out of the pool at once, and
    // only those of the program that is taken come back (PlanProgram).
    ConstantPool::Additions added = constants_.Cut(size_bytes_);
    if (!planned) return false;
    way.spent_tasks += planned->lowered_tasks;
    const int64_t least_gain = way.program.estimated_cycles / 1000 * kLeastGainPerMille;
    if (planned->estimated_cycles >= way.program.estimated_cycles - least_gain) return false;
    Take(std::move(*planned), std::move(added), way);
    way.best_effort = effort;
    way.best_regions.assign(regions.begin(), regions.end());
    return true;
  }

  static void Take(PlannedTasks planned, ConstantPool::Additions constants, Way& way) {
    planned.form = way.program.form;
    way.program = std::move(planned);
    way.constants = std::move(constants);
  }

  const Hardware& hardware_;
  ConstantPool& constants_;
  const CompileOptions& options_;
  int64_t size_bytes_;  // of the constants, without those of the network's programs
  std::vector<std::vector<StripRegion>> tried_;
};

// By more than the estimate is wrong, mostly.
bool IsClearlyBetter(const PlannedTasks& program, const PlannedTasks& than) {
  return program.estimated_cycles * 100 < than.estimated_cycles * kClearPercent;
}

// A choice of chains by columns.
struct ColumnChoice {
  size_t number = 0;  // ProgramForm::columns
  std::vector<ColumnRegion> regions;
};

// The different ones, or the one of that number.
constexpr size_t kAllChoices = 0;
std::vector<ColumnChoice> ColumnChoices(const Network& network, const Hardware& hardware,
                                        size_t only) {
  std::vector<ColumnChoice> choices;
  size_t number = 0;
  for (const bool side_by_side : {false, true}) {
    for (const bool hand_on : {true, false}) {
      ++number;
      if (only != kAllChoices && only != number) continue;
      std::vector<ColumnRegion> regions =
          ChooseColumns(network, hardware, {.hand_on = hand_on, .side_by_side = side_by_side});
      const auto is_same = [&](const ColumnChoice& other) { return other.regions == regions; };
      if (regions.empty() || std::any_of(choices.begin(), choices.end(), is_same)) continue;
      choices.push_back({number, std::move(regions)});
    }
  }
  return choices;
}

}  // namespace

Expected<PlannedTasks> PlanProgram(std::span<const Network> forms, const Hardware& hardware,
                                   ConstantPool& constants, const CompileOptions& options) {
  Search search(hardware, constants, options);
  const size_t first = std::min(options.only_form ? options.only_form->form : 0, forms.size() - 1);
  Expected<Way> best = search.Begin(forms[first]);
  if (best) best->program.form = {.form = first};
  std::vector<std::unique_ptr<Network>> split;
  std::optional<Way> close;  // another form's, about as good
  if (options.optimization_level >= kSearchLevel || !best) {
    const auto try_other = [&](const Network& network, const ProgramForm& form) {
      Expected<Way> way = search.Begin(network);
      if (!way) return;
      way->program.form = form;
      if (best && !IsClearlyBetter(way->program, best->program)) {
        const bool is_other = form.columns == 0 && form.form != best->program.form.form;
        if (is_other && !IsClearlyBetter(best->program, way->program)) close = std::move(*way);
        return;
      }
      best = std::move(way);
      close.reset();
    };
    for (size_t i = first; i < forms.size(); ++i) {
      if (i != first) {
        // Forms differ in what they need of the scratchpad.
        if ((best && best->program.workspace_bytes == 0) || options.only_form) break;
        try_other(forms[i], {.form = i});
      }
      if (options.only_form && options.only_form->columns == 0) break;
      const size_t only = options.only_form ? options.only_form->columns : kAllChoices;
      for (const ColumnChoice& choice : ColumnChoices(forms[i], hardware, only)) {
        split.push_back(std::make_unique<Network>(SplitIntoColumns(forms[i], choice.regions)));
        try_other(*split.back(), {.form = i, .columns = choice.number});
      }
    }
  }
  if (best && options.optimization_level >= kSearchLevel) {
    ACME_RETURN_IF_ERROR(search.GoOn(*best));
    if (close) {
      close->spent_tasks += best->spent_tasks;
      ACME_RETURN_IF_ERROR(search.GoOn(*close));
      if (close->program.estimated_cycles < best->program.estimated_cycles)
        best = std::move(*close);
    }
  }
  if (!best) return best.Error();
  if (options.optimization_level >= kSearchLevel) ACME_RETURN_IF_ERROR(search.Widen(*best));
  constants.Restore(std::move(best->constants));
  return std::move(best->program);
}

}  // namespace acme::compiler
