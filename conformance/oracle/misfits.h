// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that no converter makes, but that a damaged or hostile file has: an operator whose operands do
// not fit each other. What a compiler must do with them is to end with a status.

#ifndef NPUKIT_CONFORMANCE_ORACLE_MISFITS_H_
#define NPUKIT_CONFORMANCE_ORACLE_MISFITS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance {

// One change of one operand. Some leave an operator that is well-formed all the same.
struct Misfit {
  enum class Kind {
    kLonger,      // by one in dimension `axis`; a constant gets zeros
    kEmpty,       // nothing in dimension `axis`; not of constants
    kNoneOfSize,  // nothing there, nor in any other activation's dimension of that size
    kFlat,        // one dimension; of one dimension, two
    kOmitted,     // an input that is not there
    kOtherType,   // float32 for anything else, int8 for float32; not of constants
    kUnscaled,    // without its quantisation
    kMoreScales,  // scales per channel, one more than there are channels
  };
  Kind kind = Kind::kLonger;
  bool is_output = false;
  size_t operand = 0;  // position among the op's inputs or outputs
  size_t axis = 0;
  // "input 1 is longer by one in dimension 0".
  std::string ToString() const;
  bool operator==(const Misfit&) const = default;
};

// In the order of operands, inputs first; at most a few dozen.
std::vector<Misfit> PossibleMisfits(const Op& op);

// Changes the tensor, and so what else reads or makes it. An error if the misfit is not one of
// PossibleMisfits(op).
litert::Expected<void> MakeMisfit(const Misfit& misfit, Model& model, Op& op);

// Why nothing could compute the op: operands that do not fit each other, or an output of another
// number of elements than follows from them. Empty if something could, or if the host can't tell.
std::string Contradiction(const Op& op);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_MISFITS_H_
