// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What most libraries require of every tensor buffer: the same types and alignment, and dense elements without
// padding. What such a library will answer about a tensor that nobody has asked about yet can be foreseen. One that has
// answered differently than foreseen a few times is waited for.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_PLAIN_REQUIREMENTS_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_PLAIN_REQUIREMENTS_H_

#include <memory>
#include <optional>
#include <utility>

#include "sdk/remote/desk/dispatch/shared_answers.h"
#include "sdk/remote/wire/dispatch_call.h"

namespace npukit::remote {

// Of one library, in this process and, where there are shared answers, in others of the run. Not thread-safe.
class PlainRequirements {
 public:
  // Times that a run may be misled, each of which costs it a case that is run again.
  static constexpr int kMostMistakes = 8;

  PlainRequirements() = default;
  explicit PlainRequirements(std::shared_ptr<SharedAnswers> of_others)
      : of_others_(std::move(of_others)) {}

  // What is expected for a tensor of that type; nothing: the library gave no plain answer yet, or was misjudged too often.
  std::optional<Requirements> Of(const LiteRtRankedTensorType& type);
  // The library's answer, which nobody foresaw.
  void Note(const LiteRtRankedTensorType& type, const Requirements& given);
  // It has answered differently than foreseen.
  void NoteMistake();

 private:
  bool IsMisjudged() const;

  std::shared_ptr<SharedAnswers> of_others_;
  std::optional<Requirements> plain_;  // with a size of 0
  int mistakes_ = 0;                   // in this process
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_PLAIN_REQUIREMENTS_H_
