// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/plain_requirements.h"

#include <functional>
#include <string_view>
#include <vector>

#include "litert/core/util/tensor_type_util.h"

namespace npukit::remote {
namespace {

// Places among the shared answers, which hashes of calls have too.
uint64_t QuestionOf(std::string_view name, int number) {
  return std::hash<std::string_view>()(name) + static_cast<uint64_t>(number);
}
uint64_t PlainQuestion() { return QuestionOf("npukit plain requirements", 0); }
uint64_t MistakeQuestion(int number) {
  return QuestionOf("npukit plain requirements wrong", number);
}

// 0: not known, or none.
uint64_t DenseBytes(const LiteRtRankedTensorType& type) {
  if (type.layout.rank > LITERT_TENSOR_MAX_RANK) return 0;
  const auto bytes = litert::internal::GetNumPackedBytes(type);
  return bytes ? *bytes : 0;
}

}  // namespace

bool PlainRequirements::IsMisjudged() const {
  return mistakes_ >= kMostMistakes ||
         (of_others_ != nullptr && of_others_->Find(MistakeQuestion(kMostMistakes - 1)));
}

std::optional<Requirements> PlainRequirements::Of(const LiteRtRankedTensorType& type) {
  const uint64_t size_bytes = DenseBytes(type);
  if (size_bytes == 0 || IsMisjudged()) return std::nullopt;
  if (!plain_ && of_others_ != nullptr) {
    if (const auto bytes = of_others_->Find(PlainQuestion())) {
      auto answers = ParseDispatchAnswers(*bytes);
      if (answers && answers->size() == 1) plain_ = std::move(answers->front().requirements);
    }
  }
  if (!plain_) return std::nullopt;
  Requirements expected = *plain_;
  expected.size_bytes = size_bytes;
  return expected;
}

void PlainRequirements::Note(const LiteRtRankedTensorType& type, const Requirements& given) {
  const uint64_t size_bytes = DenseBytes(type);
  if (plain_ || size_bytes == 0 || given.size_bytes != size_bytes || !given.strides_elems.empty())
    return;
  plain_ = given;
  plain_->size_bytes = 0;
  if (of_others_ == nullptr) return;
  DispatchAnswer answer;
  answer.requirements = *plain_;
  of_others_->Note(PlainQuestion(), Encode(std::vector{answer}));
}

void PlainRequirements::NoteMistake() {
  ++mistakes_;
  if (of_others_ == nullptr) return;
  for (int i = 0; i < kMostMistakes; ++i) {
    if (of_others_->Find(MistakeQuestion(i))) continue;
    of_others_->Note(MistakeQuestion(i), std::vector<uint8_t>{1});
    return;
  }
}

}  // namespace npukit::remote
