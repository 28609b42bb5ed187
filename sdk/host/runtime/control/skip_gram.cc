// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SKIP_GRAM: the runs of words of a sentence, with up to so many words left out between two.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/control/special_kernels.h"
#include "sdk/host/runtime/execution/owned_values.h"
#include "sdk/host/runtime/state/string_tensor.h"

namespace npukit {
namespace {

using kernels::Node;

constexpr auto kString = kLiteRtElementTypeTfString;
constexpr int32_t kMaxWords = 64;              // of one gram
constexpr size_t kMaxGrams = size_t{1} << 20;  // of one sentence: they grow as fast as powers

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// As TFLite finds them: a word ends at a space, but the first character is never one's end, and the
// rest of the sentence is a word even where it begins with a space.
std::vector<std::string_view> WordsOf(std::string_view sentence) {
  std::vector<std::string_view> words;
  size_t begin = 0;
  for (size_t i = 1; i < sentence.size(); ++i) {
    if (!IsSpace(sentence[i])) continue;
    if (i > begin && !IsSpace(sentence[begin])) words.push_back(sentence.substr(begin, i - begin));
    begin = i + 1;
  }
  if (begin < sentence.size()) words.push_back(sentence.substr(begin));
  return words;
}

class Grams {
 public:
  Grams(std::span<const std::string_view> words, const SkipGramOptions& options)
      : words_(words), options_(options) {}

  // False if there are too many.
  bool Run() {
    if (static_cast<int64_t>(words_.size()) < options_.ngram_size) return true;
    for (size_t first = 0; first < words_.size(); ++first) {
      if (!Extend(std::string(words_[first]), first, 1)) return false;
    }
    return true;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  // Longer grams come before those that they begin with.
  bool Extend(const std::string& gram, size_t last, int32_t size) {
    // What too few words follow would be looked through in vain, in powers of ways.
    const auto missing = static_cast<size_t>(options_.ngram_size - size);
    if (!options_.include_all_ngrams && words_.size() - 1 - last < missing) return true;
    if (size < options_.ngram_size) {
      const size_t reach = last + 1 + static_cast<size_t>(options_.max_skip_size);
      for (size_t next = last + 1; next <= reach && next < words_.size(); ++next) {
        if (!Extend(fmt::format("{} {}", gram, words_[next]), next, size + 1)) return false;
      }
    }
    if (size != options_.ngram_size && !options_.include_all_ngrams) return true;
    if (texts_.size() == kMaxGrams) return false;
    texts_.push_back(gram);
    return true;
  }

  std::span<const std::string_view> words_;
  const SkipGramOptions& options_;
  std::vector<std::string> texts_;
};

class SkipGramKernel final : public kernels::Kernel {
 public:
  SkipGramKernel(const Node& node, const SkipGramOptions& options)
      : name_(kernels::NodeName(node)),
        count_(node.inputs[0]->elems()),
        options_(options),
        owned_(1) {}

  const RunTimeOutputs& run_time_outputs() const { return owned_; }

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    const auto sentences = ReadStrings(context.inputs[0], count_);
    if (!sentences) return Invalid(sentences.Error().Message());
    const std::vector<std::string_view> words = WordsOf(sentences->front());
    Grams grams(words, options_);
    if (!grams.Run()) return Invalid(fmt::format("gives more than {} strings", kMaxGrams));
    const std::vector<std::string_view> texts(grams.texts().begin(), grams.texts().end());
    const auto bytes = WriteStrings(texts);
    if (!bytes) return Invalid(bytes.Error().Message());
    const auto count = static_cast<int32_t>(texts.size());
    return owned_.Set(0, {.shape = {&count, 1}, .bytes = *bytes});
  }

 private:
  litert::Unexpected Invalid(const std::string& what) const {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("{}: {}", name_, what));
  }

  std::string name_;
  int64_t count_;
  SkipGramOptions options_;
  mutable OwnedValues owned_;
};

}  // namespace

litert::Expected<SpecialStep> MakeSkipGram(const GraphContext& /*context*/, const Node& node) {
  if (node.inputs.size() != 1 || node.inputs[0] == nullptr || node.outputs.size() != 1)
    return kernels::InvalidNode(node, "expected one input and one output");
  if (node.inputs[0]->type() != kString || node.inputs[0]->elems() < 1)
    return kernels::InvalidNode(node, node.inputs[0], "must be a string");
  if (node.outputs[0]->type() != kString)
    return kernels::InvalidNode(node, node.outputs[0], "must be of strings");
  const auto* options = node.op->OptionsAs<SkipGramOptions>();
  if (options == nullptr) return kernels::InvalidNode(node, "has no options");
  if (options->ngram_size < 1 || options->ngram_size > kMaxWords || options->max_skip_size < 0) {
    return kernels::InvalidNode(
        node, fmt::format("makes grams of {} words leaving out {}, expected 1 to {} and 0 or more",
                          options->ngram_size, options->max_skip_size, kMaxWords));
  }
  auto kernel = std::make_unique<SkipGramKernel>(node, *options);
  SpecialStep step;
  step.shapes.resize(1);
  step.run_time_outputs = &kernel->run_time_outputs();
  step.kernel = std::move(kernel);
  return step;
}

}  // namespace npukit
