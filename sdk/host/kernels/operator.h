// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One operator of the CPU kernels: its types, its output shapes, a fast kernel, an oracle, and the
// words that say what it computes. It is defined in a file of its family's folder, alone or with
// operators that differ by a function, and has one line in operators.def. How to add one: README.md
// beside this file.
//
//   Inferred shapes = InferNode(node)                          types checked, output shapes
//   std::unique_ptr<Kernel> kernel = PrepareNode(node)         quantisation checked, weights packed
//   kernel->Run(context)
//   std::vector<OracleTensor> values = RunOracle(node, inputs) oracle/oracle.h

#ifndef NPUKIT_SDK_HOST_KERNELS_OPERATOR_H_
#define NPUKIT_SDK_HOST_KERNELS_OPERATOR_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/cpu_isa.h"
#include "sdk/host/kernels/hybrid_mode.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/kernels/signature.h"
#include "sdk/host/kernels/tolerance.h"

namespace npukit::kernels {

struct OracleTensor;  // oracle/oracle.h

// Output shapes, or the input whose value must be known first: the caller then computes it, sets
// Operand::constant, and infers again. (An input without elements needs no value.)
struct Inferred {
  std::vector<Shape> shapes;
  std::optional<size_t> needs_value_of;

  static Inferred NeedsValueOf(size_t input) { return {.needs_value_of = input}; }
};

struct PrepareOptions {
  int num_threads = 1;          // of the pool that will be passed to Run; scratch is sized for it
  CpuIsa isa = DetectCpuIsa();  // the best code path the kernel may take; tests lower it
  HybridMode hybrid = HybridMode::kAsTflite;
  // Called when a packed form has replaced the first `first_bytes` of a constant: their memory may
  // be given back, but must stay readable. May be empty.
  std::function<void(const Operand& constant, int64_t first_bytes)> spent;
};

struct Documentation {
  std::string_view formula;  // what is computed, one line
  std::string_view source;   // whose semantics these are
};

// What an operator's file defines. docs/operators.md is made of `doc`, `signature` and `tolerance`;
// testing/operators_test.cc fails for an operator that lacks a part.
struct OperatorParts {
  Documentation doc;
  std::string_view signature;  // numbers and types of tensors: signature.h
  // The node fits the signature.
  litert::Expected<Inferred> (*infer)(const Node& node) = nullptr;
  // Output shapes are set and are those that infer gave.
  litert::Expected<std::unique_ptr<Kernel>> (*prepare)(const Node& node,
                                                       const PrepareOptions& options) = nullptr;
  // Fills `outputs`, whose type and shape are set. Integers: what TFLite's reference kernel gives.
  // Floats: float64 values and, per element, the error that a correct float32 implementation may not
  // exceed, given the inputs' own bounds.
  litert::Expected<void> (*oracle)(const Node& node, std::span<const OracleTensor* const> inputs,
                                   std::span<OracleTensor> outputs) = nullptr;
  ResultTolerance tolerance;
};

// Begins the definition of an operator's parts, in namespace npukit::kernels; `Name` is the
// operator's in operators.def:
//   NPUKIT_DEFINE_OPERATOR(Floor) = {.doc = {...}, .signature = "T -> T; ...", .infer = ..., ...};
#define NPUKIT_DEFINE_OPERATOR(Name)         \
  extern const OperatorParts k##Name##Parts; \
  constinit const OperatorParts k##Name##Parts

struct Operator {
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  std::string_view name;            // "CONV_2D", or the composite's name
  std::string_view composite_name;  // "odml.rms_norm"; empty for builtins
  const OperatorParts& parts;
  // parts.signature, parsed at the first call: models use few of the operators. One that cannot be
  // parsed is empty, and a test fails for it. Any thread may call it.
  const Signature& signature() const;

  mutable std::atomic<const Signature*> parsed = nullptr;  // signature's own
};

// All operators, in the order of operators.def.
std::span<const Operator> AllOperators();

// Null if there is none. A STABLEHLO_COMPOSITE is looked up by the name in its options: null means
// that the composite runs through its decomposition.
const Operator* FindOperator(const Op& op);
const Operator* FindOperator(LiteRtOpCode code);

// Where FindOperator looks by name for custom ops and for composites that the table lacks. Set once,
// by customized/, which this folder does not know.
using OperatorFinder = const Operator* (*)(std::string_view name);
void SetCustomizedOperatorFinder(OperatorFinder finder);

// Checks the node against the operator's signature and infers. Gives as many shapes as the node has
// outputs. An operator that is not known is an error; so is a composite that does not fit, as an
// unsupported one, since it can run through its decomposition.
litert::Expected<Inferred> InferNode(const Node& node);
litert::Expected<std::unique_ptr<Kernel>> PrepareNode(const Node& node,
                                                      const PrepareOptions& options = {});

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_OPERATOR_H_
