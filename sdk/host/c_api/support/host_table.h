// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads the table of functions that a host hands to a plugin, of whatever release of LiteRT the host
// is: without a header (2.1.5, 2.1.6) or with one, and as long as it happens to be.

#ifndef NPUKIT_SDK_HOST_C_API_SUPPORT_HOST_TABLE_H_
#define NPUKIT_SDK_HOST_C_API_SUPPORT_HOST_TABLE_H_

#include <cstddef>

#include "litert/c/litert_common.h"

// In the library of whoever links it; hidden.
namespace npukit_host_table {

// Bytes of the table by its header; 0 for a table that begins with its first function.
size_t SizeByHeader(const void* table);

// What is known of the tables of one kind.
struct Layout {
  const char* const* functions;  // names in the C API, in the table's order
  size_t num_functions;          // as many as there are in the newest release
  size_t min_bytes_with_header;  // that a host with headers has, the header included
  // That a table without a header has: in 2.1.5, in 2.1.6.
  size_t functions_of_215;
  size_t functions_of_216;
};

// Fills `functions`, [num_functions]. Those behind the end of the host's table are looked up by name
// in the library that the table's functions lie in, and null if it does not have them either.
// kLiteRtStatusErrorInvalidArgument for null, kLiteRtStatusErrorWrongVersion for a header of another
// major version or of too small a table.
LiteRtStatus Read(const void* table, const Layout& layout, void** functions);

// A function that no table has, by its name, in the library that one of the host's lies in; or null.
void* FindBeside(void* function, const char* name);

}  // namespace npukit_host_table

#endif  // NPUKIT_SDK_HOST_C_API_SUPPORT_HOST_TABLE_H_
