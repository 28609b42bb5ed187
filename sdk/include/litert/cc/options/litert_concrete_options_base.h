// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_CONCRETE_OPTIONS_BASE_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_CONCRETE_OPTIONS_BASE_H_

#include "litert/c/litert_common.h"

namespace litert {

// Options of one kind, as they become opaque options.
class ConcreteOptionsBase {
 public:
  virtual ~ConcreteOptionsBase() = default;

  // What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
  // caller owns, with the function that releases it.
  virtual LiteRtStatus GetOpaqueOptionsData(const char** identifier, void** payload,
                                            void (**payload_deleter)(void*)) const = 0;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_CONCRETE_OPTIONS_BASE_H_
