// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Text as the payload of opaque options (litert_opaque_options.h).

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_OPTIONS_HELPER_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_OPTIONS_HELPER_H_

#ifdef __cplusplus

namespace litert::internal {

// A copy of the text, which is a view of any kind, with a zero at its end, and what frees it.
template <typename Text>
void MakeCStringPayload(const Text& text, void** payload, void (**payload_deleter)(void*)) {
  char* const copy = new char[text.size() + 1];
  for (decltype(text.size()) i = 0; i < text.size(); ++i) copy[i] = text[i];
  copy[text.size()] = '\0';
  *payload = copy;
  *payload_deleter = [](void* made) { delete[] static_cast<char*>(made); };
}

}  // namespace litert::internal

#endif  // __cplusplus

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_OPTIONS_HELPER_H_
