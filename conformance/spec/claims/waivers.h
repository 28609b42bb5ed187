// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Waivers: failures that whoever certifies lets a vendor's device have for a while. A file of their
// own, since it is not the vendor who grants them; docs/conformance.md describes the format.

#ifndef NPUKIT_CONFORMANCE_SPEC_CLAIMS_WAIVERS_H_
#define NPUKIT_CONFORMANCE_SPEC_CLAIMS_WAIVERS_H_

#include <string>
#include <vector>

#include "conformance/spec/claims/claims.h"
#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/text/value.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct Waiver {
  struct Cases {
    NamePattern pattern;  // of whole names of results
    SourceLocation at;
  };
  std::string device;  // one of the SoC models that the vendor claims
  SourceLocation device_at;
  std::vector<Cases> cases;  // one at least
  std::string reason;        // never empty
  std::string until;         // the last day that it holds, "2027-03-31", in UTC
  SourceLocation at;

  bool Covers(const std::string& result_name) const;
};

struct Waivers {
  std::string file;
  std::string vendor;
  SourceLocation vendor_at;
  std::vector<Waiver> waivers;

  // Null if there is none for that result.
  const Waiver* Find(const std::string& result_name) const;
};

// "2026-11-23", in UTC.
std::string Today();

// Errors begin with "file:line:column: ". One that ended before `today` is an error.
litert::Expected<Waivers> ReadWaivers(const Value& value, const std::string& today);
litert::Expected<Waivers> LoadWaivers(const std::string& path);

// An error if they are of another vendor than the claims, or of a device that these do not list.
litert::Expected<void> CheckWaivers(const Waivers& waivers, const Claims& claims);
// An error if a pattern matches none of these names, which are all of a whole run.
litert::Expected<void> CheckWaiversMatch(const Waivers& waivers,
                                         const std::vector<std::string>& result_names);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_CLAIMS_WAIVERS_H_
