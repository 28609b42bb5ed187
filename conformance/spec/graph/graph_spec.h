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
    kRare,     // as kRandom, but the last element and few others as kSpecial
    kValues,   // as given, repeated to the end
    kFile,     // the bytes of a file
    kLike,     // the bytes of another constant, but for the sign of one element
  };
  Pattern pattern = Pattern::kRandom;
  std::vector<double> values;  // kValues
  // kFile: .npy is read as NumPy's, all else as the dense little-endian bytes. Relative to the folder
  // of the YAML file.
  std::string file;
  // kLike: a constant that stands before it, and which element differs.
  enum class Place { kFirst, kMiddle, kLast };
  std::string like;
  Place place = Place::kLast;
};
// Names in YAML, in the order of the enumerators; kValues is written as a list, kFile as a map
// {file: PATH}, kLike as {like: NAME, but: PLACE}.
inline constexpr const char* kPatternNames[] = {"random", "wide",    "extremes", "zeros", "ones",
                                                "iota",   "special", "every",    "rare"};
inline constexpr const char* kPlaceNames[] = {"first", "middle", "last"};

struct QuantSpec {
  std::vector<float> scales;  // one, or one per channel
  std::vector<int64_t> zero_points;
  std::optional<int32_t> axis;  // set: per channel
  // Blockwise: the scales (and zero points) are constants of the subgraph, one for each block of so
  // many elements. `scales` is empty then.
  std::string scales_tensor;
  std::string zero_points_tensor;
  int32_t block_size_elems = 0;
  SourceLocation at;
};

struct TensorSpec {
  std::string name;
  // Not given for an op's output: those of the input that decides (TypedInput), mostly the first.
  std::optional<LiteRtElementType> type;
  std::optional<QuantSpec> quant;
  // Not given for an op's output: inferred. -1 is a dynamic dimension.
  std::optional<std::vector<int32_t>> shape;
  // Of random data: real values for floats, stored ones for integers.
  std::optional<std::pair<double, double>> range;
  DataSpec data;  // of constants
  bool has_data = false;
  // Constants of one name here, whatever their subgraphs, share one buffer of the model, which has the
  // data of the first; empty: a buffer of its own.
  std::string buffer;
  SourceLocation at;
};

struct SubgraphSpec;

struct OpSpec {
  // Names that stand for an operator chosen when the case runs: one that the vendor does not claim
  // but the host can run.
  static constexpr char kUnclaimedUnary[] = "UNCLAIMED_UNARY";

  // "ADD", "odml.rms_norm", "custom:FOO" or kUnclaimedUnary. In YAML a composite whose name has no dot
  // is "composite:NAME".
  std::string name;
  int32_t version = 1;
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  OpOptions options;
  std::vector<std::string> inputs;  // "" where omitted ("-" in YAML)
  std::vector<TensorSpec> outputs;
  std::vector<TensorSpec> intermediates;  // what kernels keep inside: types and scales alone
  std::vector<uint8_t> custom_options;
  // Composites; other attributes than numbers stand in the options as the file has them.
  std::vector<std::pair<std::string, double>> attributes;
  std::shared_ptr<const SubgraphSpec> decomposition;
  SourceLocation at;

  bool is_composite() const { return code == kLiteRtOpCodeShloComposite; }
  bool is_unclaimed() const { return name == kUnclaimedUnary; }
};

struct SubgraphSpec {
  std::string name;       // empty: one is made up
  std::string signature;  // empty: none
  // Tensors by their names in the signature, where these are others than the tensors' own.
  std::vector<std::pair<std::string, std::string>> signature_inputs;
  std::vector<std::pair<std::string, std::string>> signature_outputs;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> constants;
  std::vector<TensorSpec> variables;  // state that starts at zero
  std::vector<OpSpec> ops;
  std::vector<std::string> outputs;
  SourceLocation at;
};

struct GraphSpec {
  // At least one. Options that name a subgraph (cond_subgraph_index, ...) count these.
  std::vector<SubgraphSpec> subgraphs;
};

// A graph is one subgraph (a map) or a list of them. Checks names: unique, known where used, in
// order.
litert::Expected<GraphSpec> ReadGraph(const Value& value);

litert::Expected<LiteRtElementType> ReadElementType(const Value& value);
litert::Expected<DataSpec> ReadData(const Value& value);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_GRAPH_GRAPH_SPEC_H_
