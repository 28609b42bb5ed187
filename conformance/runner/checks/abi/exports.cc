// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class abi on what the libraries' files export, and what they give when they are queried.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/host/library/queried_table.h"
#include "sdk/host/plugin/plugin_functions.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"

namespace npukit::conformance::checks::abi {
namespace {

// Which of the functions that a compiler plugin needs are there, as facts for the check.
struct ObservedExports {
  bool is_queried = false;           // they stand in a queried table
  std::vector<std::string> present;  // members of that table, or exported functions
  bool names_host = false;           // libLiteRt.so is needed
  bool uses_host = false;            // any of its functions is imported
  static auto Fields(auto& self) {
    return std::tie(self.is_queried, self.present, self.names_host, self.uses_host);
  }
};

// Of a file that this machine need not be able to load: not those of a queried table.
litert::Expected<ObservedExports> LookAtDeviceExports(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const ElfFacts facts, ReadElfFacts(path, ElfMachine::kAny));
  ObservedExports observed;
  observed.is_queried = facts.Exports(kPluginQueryFunction);
#define FUNCTION(symbol, member) \
  if (facts.Exports(#symbol)) observed.present.emplace_back(#symbol);
#include "sdk/host/plugin/plugin_functions.def"
  const auto& needed = facts.needed;
  observed.names_host = std::find(needed.begin(), needed.end(), "libLiteRt.so") != needed.end();
  observed.uses_host = facts.ImportsPrefix("LiteRt");
  return observed;
}

litert::Expected<ObservedExports> LookAtExports(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(ObservedExports observed, LookAtDeviceExports(path));
  if (observed.is_queried) {
    observed.present.clear();
    LITERT_ASSIGN_OR_RETURN(const PluginLibrary library,
                            PluginLibrary::Open(path, kNpukitStaticPluginCompiler));
    const auto query = reinterpret_cast<QueryInterface>(library.Find(kPluginQueryFunction));
    LITERT_ASSIGN_OR_RETURN(const QueriedTable table,
                            QueriedTable::Query(path, kPluginQueryFunction, query, /*id=*/0));
#define MEMBER(position, member) \
  if (table.Find<void*>(position) != nullptr) observed.present.emplace_back(#member);
#include "sdk/host/plugin/queried_plugin.def"
  }
  return observed;
}

// The answers for one id of a library that is queried.
struct ObservedTable {
  uint64_t status = 0;        // for the version that is asked for
  bool is_null = false;       // what it gave then
  std::string problem;        // of the table; empty: none
  bool same_newer = false;    // version 1.7.3 gives the same table
  uint64_t status_major = 0;  // for version 2.0.0
  uint64_t status_old = 0;    // for version 0.1.0
  static auto Fields(auto& self) {
    return std::tie(self.status, self.is_null, self.problem, self.same_newer, self.status_major,
                    self.status_old);
  }
};

struct ObservedQueries {
  bool is_queried = false;
  std::vector<ObservedTable> tables;  // by id
  uint64_t status_unknown = 0;        // for an id that does not exist
  uint64_t status_null_result = 0;    // without a place for the table
  static auto Fields(auto& self) {
    return std::tie(self.is_queried, self.tables, self.status_unknown, self.status_null_result);
  }
};

// A library that may be queried, with the ids that it may know.
struct QueriedLibrary {
  std::string path;
  NpukitStaticPluginKind kind;
  const char* function;
  int32_t num_ids;
};

litert::Expected<ObservedQueries> Query(const QueriedLibrary& queried) {
  ObservedQueries observed;
  LITERT_ASSIGN_OR_RETURN(const PluginLibrary library,
                          PluginLibrary::Open(queried.path, queried.kind));
  const auto query = reinterpret_cast<QueryInterface>(library.Find(queried.function));
  if (query == nullptr) return observed;
  observed.is_queried = true;
  const void* const kUntouched = &observed;
  LiteRtInterface given = kUntouched;
  const auto ask = [&](int32_t id, LiteRtApiVersion version) {
    given = kUntouched;
    return static_cast<uint64_t>(VendorCall(queried.function, query, id, version, &given));
  };
  for (int32_t id = 0; id < queried.num_ids; ++id) {
    ObservedTable table;
    table.status = ask(id, kQueriedVersion);
    table.is_null = given == nullptr;
    const LiteRtInterface first = given;
    if (table.status == kLiteRtStatusOk) {
      const auto read = QueriedTable::Query("", queried.function, query, id);
      if (!read) table.problem = read.Error().Message();
      table.same_newer = ask(id, {1, 7, 3}) == kLiteRtStatusOk && given == first;
      table.status_major = ask(id, {2, 0, 0});
      table.status_old = ask(id, {0, 1, 0});
    }
    observed.tables.push_back(table);
  }
  observed.status_unknown = ask(queried.num_ids + 1000, kQueriedVersion);
  observed.status_null_result =
      static_cast<uint64_t>(VendorCall(queried.function, query, 0, kQueriedVersion, nullptr));
  return observed;
}

// What is wrong with the answers; empty if nothing is.
std::string ProblemOf(const ObservedQueries& observed, const QueriedLibrary& queried) {
  const char* function = queried.function;
  if (observed.tables.size() != static_cast<size_t>(queried.num_ids))
    return fmt::format("{}: {} ids are told of {}", function, observed.tables.size(),
                       queried.num_ids);
  for (size_t id = 0; id < observed.tables.size(); ++id) {
    const ObservedTable& table = observed.tables[id];
    const std::string status = StatusText(static_cast<LiteRtStatus>(table.status));
    if (table.status != kLiteRtStatusOk && id > 0) {
      if (table.is_null) continue;
      return fmt::format("{}: id {} gave {}, but not null", function, id, status);
    }
    if (table.status != kLiteRtStatusOk) return fmt::format("{} gave {}", function, status);
    if (!table.problem.empty()) return table.problem;
    if (!table.same_newer)
      return fmt::format("{}: version 1.7.3 of id {} has another answer than 1.0.0", function, id);
    if (table.status_major == kLiteRtStatusOk)
      return fmt::format("{}: id {} is given for version 2.0.0", function, id);
    if (table.status_old == kLiteRtStatusOk)
      return fmt::format("{}: id {} is given for version 0.1.0", function, id);
  }
  if (observed.status_unknown == kLiteRtStatusOk)
    return fmt::format("{}: an id that does not exist has a table", function);
  if (observed.status_null_result == kLiteRtStatusOk)
    return fmt::format("{}: a null result pointer was taken", function);
  return {};
}

}  // namespace

CheckAnswer exports(Workbench& bench) {
  const auto& device = bench.under_test().device;
  const bool is_there = device && !device->plugin_path.empty();
  LITERT_ASSIGN_OR_RETURN(
      const ObservedExports observed,
      Witness::Get().Observe<ObservedExports>("the compiler plugin's exports", [&] {
        return is_there ? LookAtDeviceExports(device->plugin_path)
                        : LookAtExports(bench.under_test().plugin_path);
      }));
  if (is_there && observed.is_queried)
    return CheckReport::Skip("the table of a device's plugin can't be looked at from here");
  const std::set<std::string> present(observed.present.begin(), observed.present.end());
  std::string missing;
  if (observed.is_queried) {
#define MEMBER(position, member) \
  if (!present.contains(#member)) missing += " " #member;
#include "sdk/host/plugin/queried_plugin.def"
    NPUKIT_CHECK_THAT(missing.empty(), "not in the queried table:" + missing);
  } else {
#define FUNCTION(symbol, member) \
  if (!present.contains(#symbol)) missing += " " #symbol;
#include "sdk/host/plugin/plugin_functions.def"
    NPUKIT_CHECK_THAT(missing.empty(), "not exported:" + missing);
  }
  // LiteRT's own tools load a plugin that uses the host's functions only if it names the host.
  NPUKIT_CHECK_THAT(observed.names_host || !observed.uses_host,
                    "uses functions of libLiteRt.so, but does not name it as needed (NEEDED)");
  LITERT_RETURN_IF_ERROR(bench.api());
  return CheckReport::Pass();
}

CheckAnswer queried(Workbench& bench) {
  const QueriedLibrary libraries[] = {
      {bench.under_test().plugin_path, kNpukitStaticPluginCompiler, kPluginQueryFunction, 1},
      {bench.under_test().dispatch_path, kNpukitStaticPluginDispatch, kDispatchQueryFunction, 4}};
  bool is_any_queried = false;
  for (const QueriedLibrary& library : libraries) {
    LITERT_ASSIGN_OR_RETURN(const ObservedQueries observed,
                            Witness::Get().Observe<ObservedQueries>(
                                fmt::format("queries of {}", library.function),
                                [&]() -> litert::Expected<ObservedQueries> {
                                  return library.path.empty() ? ObservedQueries() : Query(library);
                                }));
    if (!observed.is_queried) continue;
    is_any_queried = true;
    const std::string problem = ProblemOf(observed, library);
    NPUKIT_CHECK_THAT(problem.empty(), problem);
  }
  if (!is_any_queried) return CheckReport::Skip("neither library is queried");
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::abi
