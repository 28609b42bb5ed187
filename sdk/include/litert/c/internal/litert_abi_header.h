// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The first member of the tables that grow: how large the table is that a
// caller holds, and which layout it has. From abi 2.2 on.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_ABI_HEADER_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_ABI_HEADER_H_

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LiteRtAbiHeader {
  uint16_t struct_size;    // Bytes of the whole table, this header included.
  uint16_t major_version;  // Another layout.
  uint16_t minor_version;  // The same layout, members appended.
  uint16_t reserved;       // 0.
} LiteRtAbiHeader;

LITERT_ABI_ASSERT(sizeof(LiteRtAbiHeader) == 8);

// A table that begins with a LiteRtAbiHeader; what follows is told by the id that it was asked for
// by.
typedef const void* LiteRtInterface;

#ifdef __cplusplus
}
#endif

// Whether a table has the wanted layout and at least the wanted members.
#define LITERT_ABI_IS_COMPATIBLE(instance_ptr, req_major, req_minor) \
  ((instance_ptr)->abi_header.major_version == (req_major) &&        \
   (instance_ptr)->abi_header.minor_version >= (req_minor))

// Whether a table, which may be null, has a member at all and it is not null.
#define LITERT_ABI_HAS_API(instance_ptr, req_major, api_member)                                  \
  ((instance_ptr) != NULL && (instance_ptr)->abi_header.major_version == (req_major) &&          \
   (size_t)(instance_ptr)->abi_header.struct_size >=                                             \
       (size_t)((const char*)(&(instance_ptr)->api_member + 1) - (const char*)(instance_ptr)) && \
   (instance_ptr)->api_member != NULL)

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_ABI_HEADER_H_
