// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_LOAD_CALL_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_LOAD_CALL_H_

// The functions that load a model, as the C headers at hand declare them.

#include <type_traits>

#include "litert/c/litert_common.h"

namespace litert::internal {

// LiteRT's own C headers, which stand in for ours in its tree, have the environment first from 2.2.0 on.
template <class Load, class... Args>
LiteRtStatus LoadBy(Load* load, LiteRtModel* model, Args... args) {
  if constexpr (std::is_invocable_v<Load*, Args..., LiteRtModel*>) {
    return load(args..., model);
  } else {
    return load(nullptr, args..., model);
  }
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_LOAD_CALL_H_
