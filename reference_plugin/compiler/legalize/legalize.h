// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Legalising: from LiteRT's ops to the compiler's network. In: a subgraph of the model, in LiteRT's
// terms. Out: a Network, every layer of which lowering can tile to the hardware. This folder is the
// only one that knows LiteRT. The same functions answer Partition and Explain: an op that can't be
// legalised is left to the CPU, and the error says why. So whether an op fits the hardware must be
// asked here; no later stage may refuse it.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_LEGALIZE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_LEGALIZE_H_

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// What the operators need to know of a tensor beside its Value.
struct TensorInfo {
  Value value;
  // Quantisation: empty for none; one entry, or one a channel.
  std::vector<float> scales;
  std::vector<int64_t> zero_points;
  int32_t quantized_dimension = 0;
  // Of a matrix that is quantised blockwise, which has neither: elements of a block along a row, and
  // scales [rows, blocks]. 0: it is not.
  int32_t block_elems = 0;
  std::vector<float> block_scales;
  // A constant that a DEQUANTIZE of a constant makes. Where that ends up in another partition, it is
  // computed at run time after all (products/computed_product.h).
  bool dequantized = false;
};

// Tensors of int4, which only the load engine understands: for operators that have it unpack them.
// kTakenInBlocks: also if they are quantised blockwise.
enum class Int4 : uint8_t { kRefused, kTaken, kTakenInBlocks };

// Errors, each a sentence for people: dynamic shape; element type that the NPU has not; blockwise
// quantisation that is not taken; scales that are not finite and positive; no rank.
// Constants of int4 that are taken are int8 to all but the load engine (Value::int4).
Expected<TensorInfo> ReadTensor(const litert::Tensor& tensor, Int4 int4 = Int4::kRefused);

// Collects values and layers. `of_partition`: of a body that the host has cut out, where weights may
// come in that were dequantised elsewhere; else of an op that is only asked about. A tensor that is added twice is one value.
class NetworkBuilder {
 public:
  explicit NetworkBuilder(bool of_partition = false) : of_partition_(of_partition) {}
  bool of_partition() const { return of_partition_; }
  Expected<ValueId> AddTensor(const litert::Tensor& tensor, Int4 int4 = Int4::kRefused);
  // The tensor's value; kNoValue if it was not added.
  ValueId Find(const litert::Tensor& tensor) const;
  // The output tensor's value is computed by `op`.
  Expected<void> AddLayer(const litert::Tensor& output, std::shared_ptr<const LayerOp> op);
  void AddLayer(ValueId output, std::shared_ptr<const LayerOp> op);
  // A value that no tensor of the model stands for: between two layers of one op.
  ValueId AddValue(std::string name, Dtype dtype, std::vector<int32_t> shape);
  // A constant that no tensor of the model stands for.
  ValueId AddConstant(std::string name, Dtype dtype, std::vector<int32_t> shape,
                      std::vector<uint8_t> bytes);
  // The same of its elements.
  template <class T>
  ValueId AddNumbers(std::string name, Dtype dtype, std::vector<int32_t> shape,
                     const std::vector<T>& numbers) {
    std::vector<uint8_t> bytes(numbers.size() * sizeof(T));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return AddConstant(std::move(name), dtype, std::move(shape), std::move(bytes));
  }
  // Values that several ops have in common, by what they are; kNoValue at first.
  ValueId& Shared(const std::string& what) {
    return shared_.try_emplace(what, kNoValue).first->second;
  }
  Network& network() { return network_; }

 private:
  bool of_partition_;
  Network network_;
  std::map<std::string, ValueId> shared_;
  std::map<LiteRtTensor, ValueId> ids_;
};

// Adds the op's layer; `source_op` is its index in its subgraph.
Expected<void> LegalizeOp(const litert::Op& op, int32_t source_op, const Hardware& hardware,
                          NetworkBuilder& builder);

// A whole partition. Values' input_index and output_index follow the subgraph's.
Expected<Network> LegalizeSubgraph(const litert::Subgraph& subgraph, const Hardware& hardware,
                                   std::string name);

// -- For the operators' files ---------------------------------------------------------------------

// Those of operators.def: each checks the op and adds its layer, or layers where one is not enough.
// Operators of one family share a function, which looks at the op's code.
#define ACME_OPERATOR(code, name, function, types, scales, min_inputs, max_inputs) \
  Expected<void> function(const litert::Op& op, const Hardware& hardware, NetworkBuilder& builder);
#include "reference_plugin/compiler/legalize/operators.def"
#undef ACME_OPERATOR

// The schema's fused activation; TANH and SIGN_BIT are refused.
Expected<Activation> ReadActivation(uint32_t schema_value);
// "float32", as people write it.
std::string DtypeName(Dtype dtype);
// "[1,128]"
std::string ShapeName(const std::vector<int32_t>& shape);
Error Unsupported(std::string reason);
// Of a layer whose smallest tile is too large.
Error DoesNotFit(const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_LEGALIZE_H_
