// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One operator of the CPU oracle: type and shape rules, a fast kernel, an
// oracle, and the words that say what it computes. Each stands in <family>/<file>.cc
// and has one line in operators.def. How to add one: README.md beside this file.
//
//   const Operator* op = FindOperator(*node.op);            null: not known
//   Inferred shapes = op->infer(node)                       types checked,
//   output shapes std::unique_ptr<Kernel> kernel = op->prepare(node, {})
//   quantisation checked, weights packed kernel->Run(context) RunOracle(node,
//   inputs)                                 oracle.h

#ifndef NPUKIT_SDK_HOST_KERNELS_OPERATOR_H_
#define NPUKIT_SDK_HOST_KERNELS_OPERATOR_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/cpu_isa.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

struct OracleTensor;  // oracle.h

// Output shapes, or the input whose value must be known first: the caller then
// computes it, sets Operand::constant, and infers again. (An input without
// elements needs no value.)
struct Inferred {
  std::vector<Shape> shapes;
  std::optional<size_t> needs_value_of;

  static Inferred NeedsValueOf(size_t input) { return {.needs_value_of = input}; }
};

struct PrepareOptions {
  int num_threads = 1;          // of the pool that will be passed to Run; scratch is sized for it
  CpuIsa isa = DetectCpuIsa();  // the best code path the kernel may take; tests lower it
  // Called when a packed form has replaced the first `first_bytes` of a constant: their memory may
  // be given back, but must stay readable. May be empty.
  std::function<void(const Operand& constant, int64_t first_bytes)> spent;
};

// How near a correct implementation must come to the oracle. `reason` derives
// it in a sentence.
struct Tolerance {
  enum class Kind {
    kExact,         // equal bytes
    kSteps,         // integers within `amount` steps
    kUlps,          // floats within `amount` units in the last place of the oracle's
                    // value
    kRunningBound,  // floats within the oracle's bound of each element
  };
  Kind kind = Kind::kExact;
  double amount = 0;
  std::string_view reason;
};

struct Documentation {
  std::string_view formula;  // what is computed, one line
  std::string_view source;   // whose semantics these are
  std::string_view types;    // which element types
};

// The parts that <family>/<file>.cc defines. The test operators_test fails for an
// operator that lacks one.
struct OperatorParts {
  Documentation doc;
  litert::Expected<Inferred> (*infer)(const Node& node) = nullptr;
  // Output shapes are set and are those that infer gave.
  litert::Expected<std::unique_ptr<Kernel>> (*prepare)(const Node& node,
                                                       const PrepareOptions& options) = nullptr;
  // Fills `outputs`, whose type and shape are set. Integers: what TFLite's
  // reference kernel gives. Floats: float64 values and, per element, the error
  // that a correct float32 implementation may not exceed, given the inputs' own
  // bounds.
  litert::Expected<void> (*oracle)(const Node& node, std::span<const OracleTensor* const> inputs,
                                   std::span<OracleTensor> outputs) = nullptr;
  Tolerance (*tolerance)(const Node& node) = nullptr;
};

// OperatorParts::tolerance of operators that move elements or compute integers
// with one right result.
Tolerance ExactTolerance(const Node& node);
// Floats within the running bound, integers exact.
Tolerance BoundOrExactTolerance(const Node& node);

// Begins the definition of an operator's parts in <family>/<file>.cc, in namespace
// npukit::kernels::op_<file>:
//   NPUKIT_DEFINE_OPERATOR = {.doc = {...}, .infer = ..., ...};
#define NPUKIT_DEFINE_OPERATOR          \
  extern const OperatorParts kOperator; \
  const OperatorParts kOperator

struct Operator : OperatorParts {
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  std::string_view name;            // "CONV_2D", or the composite's name
  std::string_view composite_name;  // "odml.rms_norm"; empty for builtins
  std::string_view file;            // "conv_2d": convolution/conv_2d.cc
};

// All operators, in the order of operators.def.
std::span<const Operator> AllOperators();

// Null if there is none. A STABLEHLO_COMPOSITE is looked up by the name in its
// options: null means that the composite runs through its decomposition.
const Operator* FindOperator(const Op& op);
const Operator* FindOperator(LiteRtOpCode code);

// Where FindOperator looks by name for custom ops and for composites that the table lacks. Set
// once, by customized/, which this folder does not know.
using OperatorFinder = const Operator* (*)(std::string_view name);
void SetCustomizedOperatorFinder(OperatorFinder finder);

// infer, with errors for unknown operators. Gives as many shapes as the node
// has outputs.
litert::Expected<Inferred> InferNode(const Node& node);
litert::Expected<std::unique_ptr<Kernel>> PrepareNode(const Node& node,
                                                      const PrepareOptions& options = {});

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_OPERATOR_H_
