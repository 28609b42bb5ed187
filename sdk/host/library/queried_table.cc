// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/queried_table.h"

#include <fmt/format.h>

#include <cstring>

namespace npukit {

litert::Expected<QueriedTable> QueriedTable::Query(const std::string& path, const char* function,
                                                   QueryInterface query, int32_t id) {
  const auto refused = [&](const std::string& why) {
    return litert::Unexpected(
        kLiteRtStatusErrorWrongVersion,
        fmt::format("{}: {}({}, version {}.{}.{}) {}", path, function, id, kQueriedVersion.major,
                    kQueriedVersion.minor, kQueriedVersion.patch, why));
  };
  LiteRtInterface given = nullptr;
  const LiteRtStatus status = query(id, kQueriedVersion, &given);
  if (status != kLiteRtStatusOk) {
    return refused(fmt::format("gave {}: it is of another version, or a draft of 2026",
                               litert::internal::StatusString(status)));
  }
  if (given == nullptr) return refused("gave null");
  QueriedTable table;
  std::memcpy(&table.header_, given, sizeof(table.header_));
  if (table.header_.struct_size < sizeof(LiteRtAbiHeader)) {
    return refused(fmt::format("gave a table of {} bytes: expected at least {}, its header",
                               table.header_.struct_size, sizeof(LiteRtAbiHeader)));
  }
  if (table.header_.major_version != kQueriedVersion.major) {
    return refused(fmt::format("gave a table of version {}.{}", table.header_.major_version,
                               table.header_.minor_version));
  }
  table.members_ =
      reinterpret_cast<void* const*>(static_cast<const char*>(given) + sizeof(LiteRtAbiHeader));
  return table;
}

}  // namespace npukit
