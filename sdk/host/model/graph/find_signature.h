// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_FIND_SIGNATURE_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_FIND_SIGNATURE_H_

#include <algorithm>
#include <string_view>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// The model's signature of that key, the first of several; null if there is none.
inline const Signature* FindSignature(const Model& model, std::string_view key) {
  const auto found = std::find_if(model.signatures.begin(), model.signatures.end(),
                                  [&](const auto& signature) { return signature->key == key; });
  return found == model.signatures.end() ? nullptr : found->get();
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_FIND_SIGNATURE_H_
