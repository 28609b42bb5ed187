// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where a session's runs begin: the model's signatures or, without any, its main subgraph; and what
// is resized there.

#ifndef NPUKIT_SDK_HOST_SESSION_ENTRIES_H_
#define NPUKIT_SDK_HOST_SESSION_ENTRIES_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/session/session.h"

namespace npukit {

struct Entry {
  std::string key;
  const Subgraph* subgraph = nullptr;
  std::unordered_map<const Tensor*, std::string> names;  // of its inputs and outputs
};

// Each once, in the order of the signatures.
std::vector<const Subgraph*> EntrySubgraphs(const Model& model);

// The signatures' keys, in file order.
std::vector<std::string> KeysOf(const Model& model);

// Of that signature; of an empty key, the first or, without any, the main subgraph. NotFound, with
// the keys there are.
litert::Expected<Entry> FindEntry(const Model& model, std::string_view key);

// Adds the new shapes of this entry's inputs; remembers which requests, by number, found one.
void FindResizes(const Entry& entry, const std::vector<ResizeRequest>& requests,
                 std::map<const Tensor*, kernels::Shape>& shapes, std::set<size_t>& found);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_SESSION_ENTRIES_H_
