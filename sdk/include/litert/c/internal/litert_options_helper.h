// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Text as the payload of opaque options (litert_opaque_options.h).

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_OPTIONS_HELPER_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_OPTIONS_HELPER_H_

#include "litert/cc/internal/litert_string_view.h"

namespace litert::internal {

// A copy of the text with a zero at its end, and what frees it.
inline void MakeCStringPayload(StringView text, void** payload, void (**payload_deleter)(void*)) {
  char* const copy = new char[text.size() + 1];
  text.copy(copy, text.size());
  copy[text.size()] = '\0';
  *payload = copy;
  *payload_deleter = [](void* made) { delete[] static_cast<char*>(made); };
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_OPTIONS_HELPER_H_
