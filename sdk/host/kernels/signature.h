// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How many tensors an operator takes and gives, and of which element types: data that stands once, as
// a line of text beside the operator. Inference checks nodes against it, the documentation prints it,
// tests enumerate it.
//
//   "T, T -> T; T = float32|int8"                        ADD: two inputs and an output of one type
//   "float32, float32|int8, float32? -> float32;
//    int8, int8, int32? -> int8"                         a weighted sum: either line, an optional bias
//   "int32|int64, T -> T+; T = bytes"                    SPLIT: one output or more
//
// Clauses stand between semicolons; one of them must fit. T is one type within a clause. After the
// types of a slot: `?` it may be omitted, `+` one or more of it, `*` any number, `?{23}` up to 23 of
// which each may be omitted. Besides the types' names there are
//   any          every type
//   bytes        types of whole bytes: their elements can be moved without looking at them
//   bytes8       of 1, 2, 4 or 8 bytes

#ifndef NPUKIT_SDK_HOST_KERNELS_SIGNATURE_H_
#define NPUKIT_SDK_HOST_KERNELS_SIGNATURE_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

// Types that a slot takes, in the order in which they were named.
struct TypeSet {
  enum class Group { kNamed, kAny, kWholeBytes, kUpTo8Bytes };
  Group group = Group::kNamed;
  std::vector<LiteRtElementType> named;  // of kNamed

  bool Contains(LiteRtElementType type) const;
  std::string Text() const;  // "float32, int8"
};

class Signature {
 public:
  struct Slot {
    TypeSet types;
    bool is_variable = false;  // T: `types` holds what T may be
    bool is_optional = false;
    size_t min_count = 1;
    size_t max_count = 1;
  };
  struct Clause {
    std::vector<Slot> inputs;
    std::vector<Slot> outputs;
  };

  Signature() = default;
  // Errors quote what is wrong with the text.
  static litert::Expected<Signature> Parse(std::string_view text);

  // One clause or more, unless it is empty.
  std::span<const Clause> clauses() const { return clauses_; }

  // Numbers of tensors, shapes that index arithmetic can trust (CheckOperand), and types. Errors name
  // the op, and the tensor where one is to blame. A wrong number of tensors is an invalid op, a type
  // that is not listed an unsupported one.
  litert::Expected<void> Check(const Node& node) const;

  // Calls fn(types) for every allowed choice out of `candidates` for the tensors of an op: the inputs
  // that are given, then `num_outputs`. The numbers must be allowed.
  void ForEachChoice(const std::vector<bool>& is_given_input, size_t num_outputs,
                     std::span<const LiteRtElementType> candidates,
                     const std::function<void(std::span<const LiteRtElementType> types)>& fn) const;

 private:
  std::vector<Clause> clauses_;
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_SIGNATURE_H_
