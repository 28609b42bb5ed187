// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a worker saw of vendor code, in the order in which it saw it, and the witness who says it.
//
// A check that is observed runs twice by the same function. In the worker, where vendor code is,
// each thing learned from it goes through Witness::See, which notes it. In a process that never held
// vendor code See does nothing but give what was noted, and the verdict is made there. Observations
// that are missing, that were not asked for, that stand twice or in another place, or that can't be
// read make the result fail as forged.

#ifndef NPUKIT_CONFORMANCE_OBSERVATION_EVIDENCE_H_
#define NPUKIT_CONFORMANCE_OBSERVATION_EVIDENCE_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/observation/byte_text.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct Observation {
  std::string label;  // what was looked at: "LiteRtCompilerPluginPartition"
  std::string bytes;
  bool operator==(const Observation&) const = default;
};
using Evidence = std::vector<Observation>;

std::string SerializeEvidence(const Evidence& evidence);
// nullopt if the text is no evidence.
std::optional<Evidence> ParseEvidence(std::string_view text);

// One a process. Not thread-safe.
class Witness {
 public:
  static Witness& Get();

  // From here on what is seen is noted; a worker's start.
  void Note();
  // From here on vendor code is not called: this is what was observed.
  void Repeat(Evidence evidence);

  // Whether vendor code is out of reach here, so that See gives what was noted.
  bool is_repeating() const { return stand_ == Stand::kRepeats; }
  // Whether this is a worker whose observations are judged elsewhere.
  bool is_noting() const { return stand_ == Stand::kNotes; }
  const Evidence& evidence() const { return evidence_; }
  // What is wrong with the evidence itself; empty if nothing is. What was not asked for is too much,
  // but where a check that fails left early.
  std::string Problem(bool left_early) const;

  // Does the work, or gives what came of it where it was done: its value or its error. What the work
  // itself sees, on whatever thread, is not noted.
  template <class T>
  litert::Expected<T> Observe(std::string_view label,
                              const std::function<litert::Expected<T>()>& work);
  litert::Expected<void> ObserveStatus(std::string_view label,
                                       const std::function<litert::Expected<void>()>& work);
  LiteRtStatus ObserveCode(std::string_view label, const std::function<LiteRtStatus()>& work);
  // Work that tells nothing. Where vendor code is out of reach it is left out.
  void Unseen(const std::function<void()>& work);
  // What was seen can't be.
  void Doubt(std::string problem);

 private:
  enum class Stand { kNone, kNotes, kRepeats };

  // What was noted next; an error if it is not of that label.
  litert::Expected<std::string> Next(std::string_view label);
  litert::Error Unreadable(std::string_view label);
  static void PutError(ByteWriter& writer, const litert::Error& error);
  static std::optional<litert::Error> GetError(ByteReader& reader);

  Stand stand_ = Stand::kNone;
  Evidence evidence_;
  size_t next_ = 0;
  std::string problem_;
  bool is_looking_ = false;  // within See or Unseen
};

// The beginning of an observation's bytes.
inline constexpr uint64_t kSawValue = 1;
inline constexpr uint64_t kSawError = 2;

template <class T>
litert::Expected<T> Witness::Observe(std::string_view label,
                                     const std::function<litert::Expected<T>()>& work) {
  if (stand_ != Stand::kRepeats) {
    if (stand_ == Stand::kNone || is_looking_) return work();
    is_looking_ = true;
    litert::Expected<T> observed = work();
    is_looking_ = false;
    ByteWriter writer;
    writer.Put(observed ? kSawValue : kSawError);
    if (observed) {
      writer.Put(*observed);
    } else {
      PutError(writer, observed.Error());
    }
    evidence_.push_back({std::string(label), writer.Take()});
    return observed;
  }
  const litert::Expected<std::string> bytes = Next(label);
  if (!bytes) return bytes.Error();
  ByteReader reader(*bytes);
  uint64_t kind = 0;
  if (!reader.Get(kind)) return Unreadable(label);
  if (kind == kSawError) {
    if (const std::optional<litert::Error> error = GetError(reader)) return *error;
    return Unreadable(label);
  }
  T value{};
  if (kind != kSawValue || !reader.Get(value) || !reader.at_end()) return Unreadable(label);
  return value;
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_OBSERVATION_EVIDENCE_H_
