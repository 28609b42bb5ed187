// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Texts as a language model's tokens: a SentencePiece model, by libnpukit_tokenizer.so.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_TOKENIZER_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_TOKENIZER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tokenizer/tokenizer_library.h"

namespace npukit::tools {

// One thread at a time.
class Tokenizer {
 public:
  // Errors: the file is no SentencePiece model, or cannot be read; npukit was built without SentencePiece
  // (kErrorUnsupported).
  static litert::Expected<std::unique_ptr<Tokenizer>> Open(const std::string& path);
  ~Tokenizer() { functions_.close(tokenizer_); }
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // With the token that begins a text before it, where there is one.
  litert::Expected<std::vector<int32_t>> Encode(std::string_view text) const;
  // Errors: an id that the tokenizer does not have.
  litert::Expected<std::string> Decode(std::span<const int32_t> ids) const;
  // The token that ends a text.
  std::optional<int32_t> end_id() const;

 private:
  Tokenizer(const NpukitTokenizerFunctions& functions, NpukitTokenizer* tokenizer)
      : functions_(functions), tokenizer_(tokenizer) {}

  const NpukitTokenizerFunctions& functions_;
  NpukitTokenizer* tokenizer_;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_TOKENIZER_H_
