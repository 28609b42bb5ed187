// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A table of functions that a library gave when it was queried (LiteRT*QueryInterface): it begins
// with a LiteRtAbiHeader, and a member is there only if it lies within the header's struct_size.

#ifndef NPUKIT_SDK_HOST_LIBRARY_QUERIED_TABLE_H_
#define NPUKIT_SDK_HOST_LIBRARY_QUERIED_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"

namespace npukit {

// LiteRtDispatchQueryInterface and LiteRtCompilerPluginQueryInterface.
using QueryInterface = LiteRtStatus (*)(int32_t id, LiteRtApiVersion version,
                                        LiteRtInterface* table);

// Of the tables that this host knows, and asks for.
inline constexpr LiteRtApiVersion kQueriedVersion = {1, 0, 0};

// Lent by a library, which outlives it.
class QueriedTable {
 public:
  // Errors (WrongVersion) name the library and the function: it has no table of this id and version;
  // it gave null, or a header that can't be, or one of another major version.
  static litert::Expected<QueriedTable> Query(const std::string& path, const char* function,
                                              QueryInterface query, int32_t id);

  uint16_t minor_version() const { return header_.minor_version; }
  // With its header, and where that lies.
  size_t size_bytes() const { return header_.struct_size; }
  LiteRtInterface table() const {
    return reinterpret_cast<const char*>(members_) - sizeof(LiteRtAbiHeader);
  }
  // How many of its members are there, null ones included, counted behind the header.
  size_t num_members() const {
    return (header_.struct_size - sizeof(LiteRtAbiHeader)) / sizeof(void*);
  }
  // The member at a position behind the header; null if it is not there.
  template <typename Function>
  Function Find(size_t position) const {
    return reinterpret_cast<Function>(position < num_members() ? members_[position] : nullptr);
  }

 private:
  LiteRtAbiHeader header_ = {};
  void* const* members_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_QUERIED_TABLE_H_
