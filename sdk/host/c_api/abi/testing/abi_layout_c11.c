// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// abi_facts.def held against the public headers by the C compiler: a plugin
// written in C sees the same layout.

#include "sdk/host/c_api/abi/testing/abi_layout_headers.h"

#define NPUKIT_ABI_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "size of " #type);
#define NPUKIT_ABI_ALIGN(type, bytes) \
  _Static_assert(_Alignof(type) == (bytes), "alignment of " #type);
#define NPUKIT_ABI_OFFSET(type, field, bytes) \
  _Static_assert(offsetof(type, field) == (bytes), "offset of " #field " in " #type);
#define NPUKIT_ABI_VALUE(constant, value) \
  _Static_assert((constant) == (value), "value of " #constant);
#include "sdk/host/c_api/abi/testing/abi_facts.def"

// What the compiler could not check by offsetof: the bit-fields in the first
// byte of a layout.
unsigned char NpukitLayoutFirstByteInC(unsigned rank, int has_strides) {
  LiteRtLayout layout = {0};
  layout.rank = rank;
  layout.has_strides = has_strides != 0;
  return *(const unsigned char*)&layout;
}
