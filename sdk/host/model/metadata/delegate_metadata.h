// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known of each partition of a compiled model beside its bytecode: which plugin compiled
// it, with which compile specs, from which ops, and which ops each debug handle stands for; and of
// ops left on the CPU, which they were. Kept in the model's metadata entry "NpukitDelegates"; hosts
// that do not know it lose nothing but this.

#ifndef NPUKIT_SDK_HOST_MODEL_METADATA_DELEGATE_METADATA_H_
#define NPUKIT_SDK_HOST_MODEL_METADATA_DELEGATE_METADATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/metadata/compile_spec.h"

namespace npukit {

inline constexpr char kDelegateMetadata[] = "NpukitDelegates";

struct DelegateRecord {
  // An op of the model as it was before it was compiled.
  struct SourceOp {
    uint32_t subgraph = 0;
    uint32_t index = 0;     // position there; of an op that a composite held, the composite's
    std::string op;         // "CONV_2D"
    std::string name;       // of its first output tensor
    std::string composite;  // the composite it was inlined from, or is; else empty
    bool operator==(const SourceOp&) const = default;
  };
  // npukit/delegate_debug.h
  struct Handle {
    uint32_t handle = 0;
    std::string name;
    std::vector<uint32_t> ops;  // into `ops`
    // The tensor of that model whose values its first output has; empty: none, or not known.
    std::string value;
    bool operator==(const Handle&) const = default;
  };
  // npukit/extensions/in_place.h: an output of the dispatch op and the input whose buffer it may be.
  struct InPlace {
    uint32_t output = 0;
    uint32_t input = 0;
    bool operator==(const InPlace&) const = default;
  };
  // The dispatch op: its entry point and the name of its first output. Of an op on the CPU: no
  // entry point; it has a record if it is another op than, or elsewhere from, where it came from.
  std::string entry_point;
  std::string output;
  std::string plugin;     // manufacturer; empty: an op on the CPU
  std::string soc_model;  // empty: the plugin's default
  std::vector<CompileSpec> specs;
  std::vector<SourceOp> ops;
  std::vector<Handle> handles;
  std::vector<InPlace> in_place;
  bool operator==(const DelegateRecord&) const = default;

  // Null if the plugin did not name the handle.
  const Handle* FindHandle(uint32_t handle) const;
};

// "7 CONV_2D (block1/out)", with the subgraph unless it is the first.
std::string Describe(const DelegateRecord::SourceOp& op);

// Replaces the entry; removes nothing else.
void WriteDelegates(Model& model, const std::vector<DelegateRecord>& delegates);

// Empty if the model has no such entry. Error: the entry is damaged, or of a later version.
litert::Expected<std::vector<DelegateRecord>> ReadDelegates(const Model& model);

// Null if nothing is known of the op.
const DelegateRecord* FindDelegate(const std::vector<DelegateRecord>& delegates, const Op& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_METADATA_DELEGATE_METADATA_H_
