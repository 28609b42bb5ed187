// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A graph as a suite describes it: tensors, ops, options. Plain values; graph_model.h makes a model
// of them.

#ifndef NPUKIT_CONFORMANCE_SPEC_GRAPH_GRAPH_SPEC_H_
#define NPUKIT_CONFORMANCE_SPEC_GRAPH_GRAPH_SPEC_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/spec/text/value.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::conformance {

// How the elements of a tensor are chosen.
struct DataSpec {
  enum class Pattern {
    kRandom,    // uniform over the range
    kWide,      // floats over many magnitudes; integers as kRandom
    kExtremes,  // the ends of the type or range, zero, and their neighbours
    kZeros,
    kOnes,
    kIota,     // 0, 1, 2 ...
    kSpecial,  // floats: NaN, infinities, signed zeros, subnormals; integers as kExtremes
    kEvery,    // integers: each value of the range or type in turn; floats as kRandom
    kValues,   // as given, repeated to the end
  };
  Pattern pattern = Pattern::kRandom;
  std::vector<double> values;  // kValues
};
// Names in YAML, in the order of the enumerators; kValues is written as a list.
inline constexpr const char* kPatternNames[] = {"random", "wide", "extremes", "zeros",
                                                "ones",   "iota", "special",  "every"};

struct QuantSpec {
  std::vector<float> scales;  // one, or one per channel
  std::vector<int64_t> zero_points;
  std::optional<int32_t> axis;  // set: per channel
};

struct TensorSpec {
  std::string name;
  // Not given for an op's output: those of the op's first input.
  std::optional<LiteRtElementType> type;
  std::optional<QuantSpec> quant;
  // Not given for an op's output: inferred. -1 is a dynamic dimension.
  std::optional<std::vector<int32_t>> shape;
  // Of random data: real values for floats, stored ones for integers.
  std::optional<std::pair<double, double>> range;
  DataSpec data;  // of constants
  SourceLocation at;
};

struct SubgraphSpec;

struct OpSpec {
  // Names that stand for an operator chosen when the case runs: one that the vendor does not claim
  // but the host can run.
  static constexpr char kUnclaimedUnary[] = "UNCLAIMED_UNARY";

  std::string name;  // "ADD", "odml.rms_norm", "custom:FOO" or kUnclaimedUnary
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  OpOptions options;
  std::vector<std::string> inputs;  // "" where omitted ("-" in YAML)
  std::vector<TensorSpec> outputs;
  // Composites.
  std::vector<std::pair<std::string, double>> attributes;
  std::shared_ptr<const SubgraphSpec> decomposition;
  SourceLocation at;

  bool is_composite() const { return code == kLiteRtOpCodeShloComposite; }
  bool is_unclaimed() const { return name == kUnclaimedUnary; }
};

struct SubgraphSpec {
  std::string signature;  // empty: none
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> constants;
  std::vector<TensorSpec> variables;  // state that starts at zero
  std::vector<OpSpec> ops;
  std::vector<std::string> outputs;
  SourceLocation at;
};

struct GraphSpec {
  std::vector<SubgraphSpec> subgraphs;  // at least one
};

// A graph is one subgraph (a map) or a list of them. Checks names: unique, known where used, in
// order.
litert::Expected<GraphSpec> ReadGraph(const Value& value);

litert::Expected<LiteRtElementType> ReadElementType(const Value& value);
litert::Expected<DataSpec> ReadData(const Value& value);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_GRAPH_GRAPH_SPEC_H_
