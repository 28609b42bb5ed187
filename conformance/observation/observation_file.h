// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the workers of a run saw, kept: for each observed result its evidence, compressed
// (observation/evidence.h). With the suites and the claims its verdicts can be made again, without the
// plugin.

#ifndef NPUKIT_CONFORMANCE_OBSERVATION_OBSERVATION_FILE_H_
#define NPUKIT_CONFORMANCE_OBSERVATION_OBSERVATION_FILE_H_

#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// In the folder of a run's reports.
inline constexpr char kObservationFile[] = "observations.bin";

class ObservationWriter {
 public:
  static litert::Expected<std::unique_ptr<ObservationWriter>> Create(const std::string& path);
  // The file appears when it is finished; until then another one of that name stays.
  void Add(const std::string& result_name, std::string_view observed);
  litert::Expected<void> Finish();

 private:
  explicit ObservationWriter(const std::string& path);

  std::string path_;
  std::ofstream stream_;
};

// Of a whole file's bytes, which must stay. They are not trusted: what is not there is an error,
// nothing is allocated for what a number promises, and a name that stands twice is refused.
class ObservationReader {
 public:
  static litert::Expected<ObservationReader> Of(std::string_view bytes);

  bool Has(const std::string& result_name) const { return records_.contains(result_name); }
  litert::Expected<std::string> ObservedOf(const std::string& result_name) const;
  struct Record {
    uint64_t observed_bytes = 0;
    std::string_view packed;
  };
  const std::map<std::string, Record>& records() const { return records_; }

 private:
  std::map<std::string, Record> records_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_OBSERVATION_OBSERVATION_FILE_H_
