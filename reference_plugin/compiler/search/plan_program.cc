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
#include "reference_plugin/compiler/rewrite/region_rows.h"
#include "reference_plugin/compiler/rewrite/regions.h"
#include "reference_plugin/compiler/search/measure.h"
#include "reference_plugin/compiler/search/strip_choices.h"

namespace acme::compiler {
namespace {

// The level that compares the programs of all efforts.
constexpr int kBestOfAll = 3;
// The lowest level that looks for a better program than the first that fits.
constexpr int kSearchLevel = 2;
// Of another's estimate, for chains by columns to be taken.
constexpr int64_t kClearPercent = 97;
// Shares that are tried, too, where layers are computed by columns (columns.h): what they make as a
// whole stays if it can, since what reads it next needs all of it.
constexpr int64_t kRoomyResidentPercent = 80;
constexpr int64_t kRoomyStepPercent = 16;
// Times the search's budget: where the first programs took more, no other is tried.
constexpr size_t kMostOverdrawn = 3;
// A program must be better than the best so far by so much: estimates are no better than that.
constexpr int64_t kLeastGainPerMille = 2;
// So many programs that are the next best by estimate are timed, too, if they are as near to the best as this.
constexpr size_t kMostOthers = 2;
constexpr int64_t kClosePercent = 103;
// Tasks of the best program are moved over other windows, too, in percent of its own; the second where every way is tried.
// Programs of more tasks, which take long to plan once, are left as they are.
constexpr std::array<size_t, 2> kWindowPercents = {400, 25};
constexpr size_t kRichBudget = 5;  // programs that can be timed, for both of them
constexpr std::array<size_t, 5> kAllWindowPercents = {12, 25, 50, 200, 400};
constexpr size_t kMostTimedTasks = 40000;
// Whether a large result has a reader and is needed by another, or outside.
bool HasLargeResultsOfSeveral(const Network& network, const ValueUses& uses,
                              const Hardware& hardware) {
  return std::ranges::any_of(network.layers, [&](const Layer& layer) {
    const Value& value = network.value(layer.output);
    const size_t readers =
        uses.readers[static_cast<size_t>(network.RootOf(layer.output).value)].size();
    return value.Bytes() > LargeValueBytes(hardware) &&
           readers + (value.output_index >= 0 ? 1 : 0) > 1;
  });
}

// A program of a network, and what it was made of.
struct Candidate {
  std::optional<LoweredEffort> lowered;  // nothing if it has too many tasks to be planned once more
  size_t window = 0;                     // what the effort asks for
  PlannedTasks program = {.estimated_cycles = INT64_MAX};
  ConstantPool constants;  // of it alone, on top of those that there were

  int64_t estimated_cycles() const { return program.estimated_cycles; }
  // Not all buffers fit where tasks are moved as far as the effort asks for.
  bool is_cramped() const { return program.window < window; }
};

// A network, as it is or with chains by columns, and its programs so far.
struct Way {
  const Network* network = nullptr;
  std::unique_ptr<RegionCosts> costs;
  ProgramForm form;
  Effort effort = {};  // of what it began with, and the strips
  std::vector<StripRegion> regions;
  Candidate best;
  std::vector<Candidate>
      others;  // the next best by estimate, best first; all have what they were lowered to
  size_t spent_tasks = 0;
  size_t likely_window = 0;  // of the last program that fitted

  bool fits() const { return best.estimated_cycles() < INT64_MAX; }
};

class Search {
 public:
  Search(const Hardware& hardware, const ConstantPool& constants, const CompileOptions& options)
      : hardware_(hardware),
        constants_(constants),
        added_(ConstantPool::OnTopOf(constants)),
        options_(options) {}

  // The program of the first effort that fits; of a more careful one, if the first's tasks could be moved only a little.
  Expected<Way> Begin(const Network& network) {
    Way way{.network = &network, .costs = CostsOfRegions(network, hardware_)};
    for (const Effort& effort : kEfforts) {
      if (effort.level > options_.optimization_level) continue;
      std::vector<StripRegion> regions = RegionsFor(*way.costs, effort, hardware_);
      ACME_ASSIGN_OR_RETURN(const bool better, Improve(way, effort, regions));
      if (better) {
        way.effort = effort;
        way.regions = std::move(regions);
      }
      if (way.fits() && !TriesMoreCare(way, better)) break;
    }
    // Where all efforts are tried, they are not the search's to pay for.
    if (options_.optimization_level >= kBestOfAll) way.spent_tasks = 0;
    if (!way.fits()) {
      return Error(ErrorCode::kInvalidArgument,
                   network.name + ": no tiling fits the scratchpad of " + hardware_.name);
    }
    if (way.best.program.has_strips_in_dram && options_.optimization_level >= kSearchLevel) {
      Effort other = way.effort;
      other.strips_first = true;
      ACME_ASSIGN_OR_RETURN(const bool better, Improve(way, other, way.regions));
      if (better) way.effort = other;
    }
    if (options_.optimization_level >= kSearchLevel) ACME_RETURN_IF_ERROR(TryReadingBack(way));
    if (HasColumns(network)) {
      Effort roomy = way.effort;
      roomy.resident_percent = kRoomyResidentPercent;
      roomy.step_percent = kRoomyStepPercent;
      ACME_ASSIGN_OR_RETURN(const bool better, Improve(way, roomy, way.regions));
      if (better) way.effort = roomy;
    }
    return way;
  }

  // Tries other ways to compute layers together, the likeliest best first: that one, unless the budget is far
  // overdrawn, and others as long as it lasts.
  Expected<void> GoOn(Way& way) {
    if (way.spent_tasks > kMostOverdrawn * options_.most_search_tasks) return {};
    const std::vector<StripChoice> choices =
        OtherChoices(*way.costs, way.effort, way.regions, hardware_);
    for (const StripChoice& choice : choices) {
      ACME_RETURN_IF_ERROR(Improve(way, choice.effort, choice.regions));
      if (way.spent_tasks >= options_.most_search_tasks) break;
    }
    return {};
  }

  // Takes the program that the simulator finds the fastest, of those that are about as good by estimate and then of the same
  // with other windows. Engines find work for longer waits in a wide one, but what can begin early is not always what should:
  // the differences are often less than estimates are wrong.
  Expected<void> Time(Way& way) {
    if (!way.best.lowered) return {};
    const size_t tasks = way.best.program.lowered_tasks();
    ACME_ASSIGN_OR_RETURN(int64_t fewest_cycles, MeasureCycles(way.best.program, hardware_));
    const int64_t most_cycles = way.best.estimated_cycles() * kClosePercent / 100;
    const auto is_faster = [&](PlannedTasks& program) -> Expected<bool> {
      if (program.estimated_cycles > most_cycles) return false;
      ACME_ASSIGN_OR_RETURN(const int64_t cycles, MeasureCycles(program, hardware_));
      if (cycles >= fewest_cycles) return false;
      fewest_cycles = cycles;
      return true;
    };
    const bool all = options_.optimization_level >= kBestOfAll;
    // Besides the best by estimate: one with another window, whatever it costs, and others as long as the budget lasts.
    const size_t budget = all ? SIZE_MAX : options_.most_search_tasks / std::max<size_t>(1, tasks);
    const size_t most_others = std::max<size_t>(1, budget) - 1;
    for (size_t i = 0; i < std::min(most_others, way.others.size()); ++i) {
      ACME_ASSIGN_OR_RETURN(const bool faster, is_faster(way.others[i].program));
      if (faster) std::swap(way.best, way.others[i]);
    }
    std::span<const size_t> percents = kWindowPercents;
    if (budget < kRichBudget) percents = percents.first(1);
    if (all) percents = kAllWindowPercents;
    const size_t window = way.best.program.window;
    for (const size_t percent : percents) {
      if (percent > 100 && way.best.is_cramped()) continue;
      std::optional<PlannedTasks> planned =
          PlanTasks(*way.best.lowered, std::max<size_t>(1, window * percent / 100), hardware_);
      if (!planned || planned->order == way.best.program.order) continue;
      ACME_ASSIGN_OR_RETURN(const bool faster, is_faster(*planned));
      if (faster) way.best.program = std::move(*planned);
    }
    return {};
  }

 private:
  // `better`: the last effort was.
  bool TriesMoreCare(const Way& way, bool better) const {
    if (options_.optimization_level >= kBestOfAll) return true;
    return better && options_.optimization_level >= kSearchLevel && way.best.is_cramped() &&
           way.spent_tasks < options_.most_search_tasks;
  }

  // Regions need less room where they read back what they wrote for others.
  Expected<void> TryReadingBack(Way& way) {
    if (way.spent_tasks >= options_.most_search_tasks ||
        !HasLargeResultsOfSeveral(*way.network, way.costs->uses(), hardware_))
      return {};
    auto costs = CostsOfRegions(*way.network, hardware_, /*results_beside=*/false);
    Effort other = way.effort;
    other.results_beside = false;
    std::vector<StripRegion> regions = RegionsFor(*costs, other, hardware_);
    if (regions == way.regions && !way.best.program.has_results_beside) return {};
    ACME_ASSIGN_OR_RETURN(const bool better, Improve(way, other, regions));
    if (!better) return {};
    way.costs = std::move(costs);
    way.effort = other;
    way.regions = std::move(regions);
    return {};
  }

  // Whether there is such a program that is better than the way's.
  Expected<bool> Improve(Way& way, const Effort& effort, std::span<const StripRegion> regions) {
    const int64_t fewest_cycles = way.best.estimated_cycles();
    ACME_ASSIGN_OR_RETURN(
        std::optional<LoweredEffort> lowered,
        LowerEffort(*way.network, effort, regions, hardware_, added_, options_, fewest_cycles));
    std::optional<PlannedTasks> planned;
    if (lowered) planned = PlanTasks(*lowered, effort.window, hardware_, way.likely_window);
    if (!planned) {
      added_.Clear();
      return false;
    }
    way.likely_window = planned->window;
    way.spent_tasks += planned->lowered_tasks();
    if (planned->lowered_tasks() > kMostTimedTasks) lowered.reset();
    // Each try lays its weights out for its own tiles; only those of the program that is taken stay (PlanProgram).
    Candidate candidate = {std::move(lowered), effort.window, std::move(*planned),
                           std::exchange(added_, ConstantPool::OnTopOf(constants_))};
    const int64_t least_gain = fewest_cycles / 1000 * kLeastGainPerMille;
    const bool better = candidate.estimated_cycles() < fewest_cycles - least_gain;
    if (better) std::swap(candidate, way.best);
    if (candidate.lowered) KeepOther(std::move(candidate), way);
    return better;
  }

  void KeepOther(Candidate candidate, Way& way) {
    const auto behind =
        std::find_if(way.others.begin(), way.others.end(), [&](const Candidate& other) {
          return candidate.estimated_cycles() < other.estimated_cycles();
        });
    way.others.insert(behind, std::move(candidate));
    if (way.others.size() <= kMostOthers) return;
    // Memory that was written before is faster than any.
    added_ = std::move(way.others.back().constants);
    added_.Clear();
    way.others.pop_back();
  }

  const Hardware& hardware_;
  const ConstantPool& constants_;
  ConstantPool added_;  // of the try at hand
  const CompileOptions& options_;
};

// By more than the estimate is wrong, mostly.
bool IsClearlyBetter(const Way& way, const Way& than) {
  return way.best.estimated_cycles() * 100 < than.best.estimated_cycles() * kClearPercent;
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
  if (best) best->form = {.form = first};
  std::vector<std::unique_ptr<Network>> split;
  std::optional<Way> close;  // another form's, about as good
  if (options.optimization_level >= kSearchLevel || !best) {
    const auto try_other = [&](const Network& network, const ProgramForm& form) {
      Expected<Way> way = search.Begin(network);
      if (!way) return;
      way->form = form;
      if (best && !IsClearlyBetter(*way, *best)) {
        const bool is_other = form.columns == 0 && form.form != best->form.form;
        if (is_other && !IsClearlyBetter(*best, *way)) close = std::move(*way);
        return;
      }
      best = std::move(way);
      close.reset();
    };
    for (size_t i = first; i < forms.size(); ++i) {
      if (i != first) {
        // Forms differ in what they need of the scratchpad.
        if ((best && best->best.program.workspace_bytes == 0) || options.only_form) break;
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
      if (close->best.estimated_cycles() < best->best.estimated_cycles()) best = std::move(*close);
    }
  }
  if (!best) return best.Error();
  if (options.optimization_level >= kSearchLevel) ACME_RETURN_IF_ERROR(search.Time(*best));
  ACME_RETURN_IF_ERROR(Emit(best->best.program));
  constants.Append(std::move(best->best.constants));
  best->best.program.form = best->form;
  return std::move(best->best.program);
}

}  // namespace acme::compiler
