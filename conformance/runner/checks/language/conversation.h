// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A language model's signatures over caches of one's own: `prefill_N` and `decode` take tokens, their
// positions and the caches, and give the caches and, where they have them, logits.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_CONVERSATION_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_CONVERSATION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance {

// Tokens at neighbouring positions; fewer than the signature takes are followed by zeros.
struct TokenStep {
  std::string signature;
  std::vector<int32_t> tokens;
  int32_t position = 0;
};

struct NamedValue {
  std::string name;
  LiteRtElementType type = kLiteRtElementTypeNone;
  std::vector<uint8_t> bytes;
  // The type is not written: who judges has it from the CPU.
  static auto Fields(auto& self) { return std::tie(self.name, self.bytes); }
};

// What a step gives: its outputs' values, or its error.
struct StepValues {
  std::string error;
  std::vector<NamedValue> outputs;

  static auto Fields(auto& self) { return std::tie(self.error, self.outputs); }
  // Null if there is none.
  const NamedValue* Find(std::string_view name) const;
};

// "" if both have an error, or neither.
std::string ErrorDifference(const StepValues& expected, const StepValues& found);
// "" if `found` has an output of that name with the same bytes.
std::string ByteDifference(const NamedValue& expected, const StepValues& found);
// "" if both have the same bytes, or an error each.
std::string ValueDifference(const StepValues& expected, const StepValues& found);

// Names of caches: inputs of `decode` that are outputs of the same name.
litert::Expected<std::vector<std::string>> CacheNames(const Model& model);
// Positions that a cache holds: the rope tables and caches agree on them.
litert::Expected<int32_t> ContextOf(const Model& model);
// Signatures "prefill_N" by N, ascending, and 1 for decode.
std::map<int32_t, std::string> SignaturesByLength(const Model& model);

// The session outlives it, and has no other conversation unless its caches are its own.
class Conversation {
 public:
  // Of the caches those that the session shares among its signatures (SessionOptions::shared_ports) are left
  // to it; the others are here, and each step sets them.
  Conversation(Session& session, std::vector<std::string> caches,
               std::vector<std::string> shared = {})
      : session_(&session), cache_names_(std::move(caches)), shared_(std::move(shared)) {}

  // All elements of all caches become this, from -127 to 127: floats, and as large a part of an integer
  // type's range as it is of int8's.
  litert::Expected<void> FillCaches(int32_t value);
  // A run that fails is a value; the caches stay as they were.
  litert::Expected<StepValues> Take(const TokenStep& step);
  // The same in two: what a step gives with the caches as they are, and then that its caches are kept.
  litert::Expected<StepValues> Run(const TokenStep& step);
  void Keep(const StepValues& values);
  // What the step is to be given, by the inputs' names; empty what is left as it is.
  litert::Expected<std::map<std::string, std::vector<uint8_t>>> Inputs(const TokenStep& step) const;

 private:
  std::vector<std::vector<uint8_t>> InputsOf(const SignatureRunner& runner,
                                             const TokenStep& step) const;

  Session* session_;
  std::vector<std::string> cache_names_;
  std::vector<std::string> shared_;
  std::map<std::string, std::vector<uint8_t>> caches_;  // that are not shared
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_CONVERSATION_H_
