// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/observation/evidence.h"

#include <fmt/format.h>

#include <utility>

namespace npukit::conformance {
namespace {

constexpr std::string_view kMagic = "npukit evidence 1";

}  // namespace

std::string SerializeEvidence(const Evidence& evidence) {
  size_t size_bytes = kMagic.size();
  for (const Observation& observation : evidence)
    size_bytes += observation.label.size() + observation.bytes.size();
  constexpr size_t kCounts = 2;  // the magic's size and how many there are; two more for each
  size_bytes += (kCounts + 2 * evidence.size()) * sizeof(uint64_t);
  ByteWriter writer(size_bytes);
  writer.Put(kMagic);
  writer.Put(static_cast<uint64_t>(evidence.size()));
  for (const Observation& observation : evidence) {
    writer.Put(observation.label);
    writer.Put(observation.bytes);
  }
  return writer.Take();
}

std::optional<Evidence> ParseEvidence(std::string_view text) {
  ByteReader reader(text);
  std::string magic;
  uint64_t count = 0;
  if (!reader.Get(magic) || magic != kMagic || !reader.Get(count)) return std::nullopt;
  Evidence evidence;
  for (uint64_t i = 0; i < count; ++i) {
    Observation& observation = evidence.emplace_back();
    if (!reader.Get(observation.label) || !reader.Get(observation.bytes)) return std::nullopt;
  }
  return reader.at_end() ? std::optional(std::move(evidence)) : std::nullopt;
}

Witness& Witness::Get() {
  static Witness witness;
  return witness;
}

void Witness::Note() {
  stand_ = Stand::kNotes;
  evidence_.clear();
}

void Witness::Repeat(Evidence evidence) {
  stand_ = Stand::kRepeats;
  evidence_ = std::move(evidence);
  next_ = 0;
  problem_.clear();
}

std::string Witness::Problem(bool left_early) const {
  if (!problem_.empty() || left_early || next_ == evidence_.size()) return problem_;
  return fmt::format("{} of {} observations were not asked for, the first is '{}'",
                     evidence_.size() - next_, evidence_.size(), evidence_[next_].label);
}

litert::Expected<std::string> Witness::Next(std::string_view label) {
  if (problem_.empty() && next_ == evidence_.size()) {
    problem_ = fmt::format("observation {}, '{}', is missing", next_, label);
  } else if (problem_.empty() && evidence_[next_].label != label) {
    problem_ = fmt::format("observation {} is '{:.60}', expected '{}'", next_,
                           evidence_[next_].label, label);
  }
  if (!problem_.empty()) return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, problem_);
  return std::move(evidence_[next_++].bytes);
}

litert::Error Witness::Unreadable(std::string_view label) {
  if (problem_.empty())
    problem_ = fmt::format("observation {}, '{}', can't be read", next_ - 1, label);
  return litert::Error(kLiteRtStatusErrorRuntimeFailure, problem_);
}

void Witness::PutError(ByteWriter& writer, const litert::Error& error) {
  writer.Put(static_cast<uint64_t>(error.Status()));
  writer.Put(error.Message());
}

std::optional<litert::Error> Witness::GetError(ByteReader& reader) {
  uint64_t status = 0;
  std::string message;
  if (!reader.Get(status) || !reader.Get(message) || !reader.at_end() || status == 0 ||
      status > static_cast<uint64_t>(INT32_MAX))
    return std::nullopt;
  return litert::Error(static_cast<LiteRtStatus>(status), message);
}

LiteRtStatus Witness::ObserveCode(std::string_view label,
                                  const std::function<LiteRtStatus()>& work) {
  const auto observed = Observe<uint64_t>(
      label, [&]() -> litert::Expected<uint64_t> { return static_cast<uint64_t>(work()); });
  if (observed && *observed <= static_cast<uint64_t>(INT32_MAX))
    return static_cast<LiteRtStatus>(*observed);
  return kLiteRtStatusErrorRuntimeFailure;
}

void Witness::Unseen(const std::function<void()>& work) {
  if (is_repeating()) return;
  // Threads within See change nothing.
  if (!is_noting() || is_looking_) return work();
  is_looking_ = true;
  work();
  is_looking_ = false;
}

void Witness::Doubt(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

litert::Expected<void> Witness::ObserveStatus(std::string_view label,
                                              const std::function<litert::Expected<void>()>& work) {
  const auto observed = Observe<uint64_t>(label, [&]() -> litert::Expected<uint64_t> {
    if (auto done = work(); !done) return done.Error();
    return uint64_t{0};
  });
  if (!observed) return observed.Error();
  if (*observed == 0) return {};
  Doubt(fmt::format("'{}' ended with {}, which is neither success nor an error", label, *observed));
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, problem_);
}

}  // namespace npukit::conformance
