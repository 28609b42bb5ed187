// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/reducer.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "conformance/oracle/model_shrink.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/cut_out.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"

namespace npukit::conformance {
namespace {

OpSet Union(std::span<const OpSet> sets) {
  OpSet all;
  for (const OpSet& set : sets) all.insert(set.begin(), set.end());
  return all;
}

// Each op by itself.
std::vector<OpSet> Singles(const OpSet& ops) {
  std::vector<OpSet> singles;
  for (uint32_t op : ops) singles.push_back({op});
  return singles;
}

// The partitions, and what is in none as runs of neighbours; in the order of their first ops.
std::vector<OpSet> Units(const std::vector<OpSet>& partitions, size_t op_count) {
  std::vector<OpSet> units;
  OpSet placed;
  for (const OpSet& ops : partitions) {
    OpSet rest;
    for (uint32_t op : ops) {
      if (op < op_count && placed.insert(op).second) rest.insert(op);
    }
    if (!rest.empty()) units.push_back(std::move(rest));
  }
  OpSet run;
  for (uint32_t op = 0; op <= op_count; ++op) {
    if (op < op_count && !placed.contains(op)) {
      run.insert(op);
    } else if (!run.empty()) {
      units.push_back(std::exchange(run, {}));
    }
  }
  std::sort(units.begin(), units.end());
  return units;
}

// Inputs of the changed model: by name what they were, cut to their new shapes.
std::vector<std::vector<uint8_t>> CutInputs(const Model& before, const TrialModel& given,
                                            const Model& after, uint64_t seed) {
  std::map<std::string, size_t> known;
  const Subgraph& old_graph = before.main_subgraph();
  for (size_t i = 0; i < old_graph.inputs.size(); ++i) known[old_graph.inputs[i]->name] = i;
  std::vector<std::vector<uint8_t>> inputs;
  for (const Tensor* input : after.main_subgraph().inputs) {
    const auto found = known.find(input->name);
    const int bits = ElementBits(input->element_type);
    if (found != known.end()) {
      const Tensor& old = *old_graph.inputs[found->second];
      const std::vector<uint8_t>& bytes = given.inputs[found->second];
      if (old.shape == input->shape) {
        inputs.push_back(bytes);
        continue;
      }
      if (bits > 0 && bits % 8 == 0 && DenseBytes(old.element_type, old.shape) == bytes.size()) {
        inputs.push_back(
            CutElements(bytes, old.shape, input->shape, static_cast<size_t>(bits) / 8));
        continue;
      }
    }
    std::vector<uint8_t> random(DenseBytes(input->element_type, input->shape).value_or(0));
    FillRandom(*input, seed, inputs.size(), random);
    inputs.push_back(std::move(random));
  }
  return inputs;
}

}  // namespace

void Reducer::Keep(OpSet ops, TrialModel model, Observed observed) {
  best_ = {.ops = std::move(ops), .model = std::move(model), .observed = std::move(observed)};
  keep_(*best_);
}

bool Reducer::Shows(const OpSet& ops) {
  if (trials_.is_over()) return false;
  const auto cut = CutOps(problem_.model, problem_.subgraph, ops);
  if (!cut) return false;
  auto trial = ToTrial(*cut, problem_.recording, problem_.seed);
  if (!trial) return false;
  Observed observed = trials_.Try(*trial);
  const bool shows = problem_.symptom.IsShownBy(observed);
  if (shows) Keep(ops, std::move(*trial), std::move(observed));
  report_(best_ ? best_->ops.size() : problem_.model.subgraph(problem_.subgraph).ops().size());
  return shows;
}

// After Zeller and Hildebrandt (2002): parts alone, what is left without one, then finer parts.
// ddmin: units of which none can be left out.
std::vector<OpSet> Reducer::Minimise(std::vector<OpSet> units) {
  size_t parts = 2;
  while (units.size() >= 2 && !trials_.is_over()) {
    parts = std::min(parts, units.size());
    const auto part = [&](size_t i) {
      const size_t begin = i * units.size() / parts;
      const size_t end = (i + 1) * units.size() / parts;
      return std::pair(begin, end);
    };
    bool smaller = false;
    for (size_t i = 0; i < parts && !smaller; ++i) {
      const auto [begin, end] = part(i);
      if (!Shows(Union(std::span(units).subspan(begin, end - begin)))) continue;
      units = std::vector<OpSet>(units.begin() + static_cast<ptrdiff_t>(begin),
                                 units.begin() + static_cast<ptrdiff_t>(end));
      parts = 2;
      smaller = true;
    }
    // With two parts what is left without one is the other.
    for (size_t i = 0; i < parts && parts > 2 && !smaller; ++i) {
      const auto [begin, end] = part(i);
      std::vector<OpSet> rest = units;
      rest.erase(rest.begin() + static_cast<ptrdiff_t>(begin),
                 rest.begin() + static_cast<ptrdiff_t>(end));
      if (!Shows(Union(rest))) continue;
      units = std::move(rest);
      --parts;
      smaller = true;
    }
    if (smaller) continue;
    if (parts == units.size()) break;
    parts *= 2;
  }
  return units;
}

bool Reducer::TryShrinking() {
  const auto before = ParseModel(SharedBytes::Copy(best_->model.file));
  if (!before) return false;
  for (const Reduction& reduction : PossibleReductions(**before, /*ops=*/false)) {
    if (trials_.is_over()) return false;
    auto candidate = ParseModel(SharedBytes::Copy(best_->model.file));
    if (!candidate || !Reduce(reduction, **candidate)) continue;
    if (ModelWeight(**candidate) >= ModelWeight(**before)) continue;
    auto bytes = SerializeModel(**candidate);
    if (!bytes) continue;
    TrialModel trial{.file = std::move(*bytes),
                     .inputs = CutInputs(**before, best_->model, **candidate, problem_.seed)};
    Observed observed = trials_.Try(trial);
    const bool shows = problem_.symptom.IsShownBy(observed);
    if (shows) Keep(best_->ops, std::move(trial), std::move(observed));
    report_(best_->ops.size());
    if (shows) return true;
  }
  return false;
}

void Reducer::ShrinkShapes() {
  while (!trials_.is_over() && TryShrinking()) {
  }
}

std::optional<Reduced> Reducer::Run(const std::vector<OpSet>& partitions) {
  const size_t op_count = problem_.model.subgraph(problem_.subgraph).ops().size();
  const std::vector<OpSet> units = Units(partitions, op_count);
  if (!Shows(Union(units))) return std::nullopt;
  // Whole partitions first: they are dozens where ops are thousands, and ops that are compiled
  // together stay so as long as that is enough.
  if (!partitions.empty()) Minimise(units);
  Minimise(Singles(OpSet(best_->ops)));
  ShrinkShapes();
  return best_;
}

}  // namespace npukit::conformance
