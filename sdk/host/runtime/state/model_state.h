// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a model keeps from run to run: state tensors, resource variables, hash tables, random numbers, and which
// subgraphs have initialised them. One for all signatures of a session, as in TFLite.

#ifndef NPUKIT_SDK_HOST_RUNTIME_STATE_MODEL_STATE_H_
#define NPUKIT_SDK_HOST_RUNTIME_STATE_MODEL_STATE_H_

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/random/counter_generators.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/plan/aligned_memory.h"

namespace npukit {

// A resource variable, as ASSIGN_VARIABLE leaves it.
struct ResourceVariable {
  std::string name;
  bool has_value = false;
  LiteRtElementType element_type = kLiteRtElementTypeNone;
  std::vector<int32_t> shape;
  std::vector<uint8_t> bytes;
};

// What HASHTABLE names: strings by number, or numbers by string.
struct HashTable {
  LiteRtElementType key_type = kLiteRtElementTypeNone;
  LiteRtElementType value_type = kLiteRtElementTypeNone;
  bool has_entries = false;  // imported once
  std::unordered_map<int64_t, std::string> text_of;
  std::unordered_map<std::string, int64_t> number_of;
};

class ModelState {
 public:
  // Loops of a run together may turn, and ops call subgraphs, so often.
  explicit ModelState(uint64_t max_calls_per_run) : max_calls_per_run_(max_calls_per_run) {}

  // The memory of a state tensor (Tensor::is_variable): made when first asked for, aligned to 64
  // bytes, valid as long as this is. A tensor has one size.
  litert::Expected<std::span<uint8_t>> TensorMemory(const Tensor& tensor, uint64_t size_bytes);

  // The memory of an input or output that signatures share by name, of `size_bytes` and up to a
  // multiple of 64 more. Made when first asked for, with `tensor`'s zero in it, valid as long as
  // this is. An error if another asked for another size.
  litert::Expected<std::span<uint8_t>> PortMemory(const std::string& name, const Tensor& tensor,
                                                  uint64_t size_bytes);

  // The number of a resource variable, by its names; the same for the same names.
  int32_t VariableId(const std::string& container, const std::string& shared_name);
  // Null for a number that VariableId has not given.
  ResourceVariable* FindVariable(int32_t id);
  // Made when first asked for, empty.
  HashTable& Table(int32_t id) { return tables_[id]; }
  // Null for one that nobody has made.
  HashTable* FindTable(int32_t id);
  // The numbers that a random op draws, seeded when first asked for; valid as long as this is. It goes
  // on from run to run, as in TFLite. Where both seeds are 0 TFLite takes one from the system; here
  // they are seeds like others, so that runs can be compared.
  kernels::PhiloxStream& RandomStream(const Op& op, uint64_t seed, uint64_t seed2);
  // Whether CALL_ONCE has run that subgraph.
  bool IsInitialised(int32_t subgraph) const { return initialised_.contains(subgraph); }
  void SetInitialised(int32_t subgraph) { initialised_.insert(subgraph); }

  // As before the first run: state tensors and shared ports zero (int8: the zero point), as TFLite
  // sets them, no variable has a value, tables are empty, nothing is initialised, random ops are
  // seeded again.
  void Reset();

  // So that no model runs for ever.
  void BeginRun() { calls_in_run_ = 0; }
  // One more turn or call. False if that is one too many.
  bool CountCall() { return ++calls_in_run_ <= max_calls_per_run_; }
  uint64_t max_calls_per_run() const { return max_calls_per_run_; }
  // Subgraphs that ops have been planned to call: there is a limit (control/subgraph_call.h).
  size_t num_calls = 0;
  // Of those the ones that are being planned or run just now, one within the other.
  size_t call_depth = 0;

 private:
  static void ResetTensor(const Tensor& tensor, std::span<uint8_t> memory);

  struct Port {
    const Tensor* tensor = nullptr;  // the first that asked
    uint64_t size_bytes = 0;
    AlignedMemory memory;
  };

  std::unordered_map<const Tensor*, AlignedMemory> tensors_;
  std::map<std::string, Port> ports_;
  std::map<std::pair<std::string, std::string>, int32_t> variable_ids_;
  std::map<int32_t, ResourceVariable> variables_;
  struct Random {
    uint64_t seed;
    uint64_t seed2;
    kernels::PhiloxStream stream;
  };
  std::unordered_map<const Op*, Random> random_;
  std::map<int32_t, HashTable> tables_;
  std::set<int32_t> initialised_;
  uint64_t max_calls_per_run_;
  uint64_t calls_in_run_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_STATE_MODEL_STATE_H_
