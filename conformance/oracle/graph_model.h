// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The model that a case is about: its graph made into one, its file loaded, or its network built.

#ifndef NPUKIT_CONFORMANCE_ORACLE_GRAPH_MODEL_H_
#define NPUKIT_CONFORMANCE_ORACLE_GRAPH_MODEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "conformance/oracle/tensor_data.h"
#include "conformance/spec/claims/claims.h"
#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/suite/suite.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance {

struct CaseModel {
  std::unique_ptr<Model> model;
  std::map<std::string, ValueRange> input_ranges;  // by tensor name, where the suite gives one
};

// `claims` decide what UNCLAIMED_UNARY stands for; may be null. Shapes that the graph leaves out
// are inferred by the host's kernels. Errors: InvalidArgument with the place in the suite;
// Unsupported if no operator fits UNCLAIMED_UNARY.
litert::Expected<CaseModel> MakeModel(const GraphSpec& graph, const Claims* claims, uint64_t seed);

// Of any case that has_model().
litert::Expected<CaseModel> MakeCaseModel(const CaseSpec& spec, const Claims* claims,
                                          uint64_t seed);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_GRAPH_MODEL_H_
