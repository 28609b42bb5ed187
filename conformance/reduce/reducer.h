// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Narrowing down: the fewest ops of a subgraph that still show a symptom, then the smallest shapes.
// Delta debugging (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, 2002), over
// partitions first, then over ops.

#ifndef NPUKIT_CONFORMANCE_REDUCE_REDUCER_H_
#define NPUKIT_CONFORMANCE_REDUCE_REDUCER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/reduce/recording.h"
#include "conformance/reduce/symptom.h"
#include "conformance/reduce/trial.h"
#include "conformance/reduce/trials.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance {

// What is smallest so far.
struct Reduced {
  OpSet ops;  // of the given subgraph
  TrialModel model;
  Observed observed;
};

// Keeps references to all that it is given.
class Reducer {
 public:
  struct Problem {
    const Model& model;
    size_t subgraph = 0;
    const Recording& recording;
    const Symptom& symptom;
    uint64_t seed = 1;
  };
  // `report` is called after each trial, with the number of ops of the best so far; `keep` with each
  // new best.
  Reducer(const Problem& problem, Trials& trials, std::function<void(size_t ops)> report,
          std::function<void(const Reduced&)> keep)
      : problem_(problem), trials_(trials), report_(std::move(report)), keep_(std::move(keep)) {}

  // `partitions`: op sets to take as a whole at first; may be empty. Nullopt: the subgraph by itself,
  // without signatures and with its inputs as they were, does not show the symptom.
  std::optional<Reduced> Run(const std::vector<OpSet>& partitions);

 private:
  bool Shows(const OpSet& ops);
  std::vector<OpSet> Minimise(std::vector<OpSet> units);
  void ShrinkShapes();
  bool TryShrinking();
  void Keep(OpSet ops, TrialModel model, Observed observed);

  const Problem problem_;
  Trials& trials_;
  std::function<void(size_t)> report_;
  std::function<void(const Reduced&)> keep_;
  std::optional<Reduced> best_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REDUCE_REDUCER_H_
