// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tokenizer/tokenizer_library.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

struct NpukitTokenizer {
  sentencepiece::SentencePieceProcessor processor;
};

namespace {

template <class T>
int64_t CopyOut(const T& from, typename T::value_type* to, size_t room) {
  std::copy_n(from.begin(), std::min(room, from.size()), to);
  return static_cast<int64_t>(from.size());
}

NpukitTokenizer* Open(const char* path, char* error, size_t error_bytes) {
  std::string why;
  try {
    auto tokenizer = std::make_unique<NpukitTokenizer>();
    const auto status = tokenizer->processor.Load(path);
    if (status.ok()) return tokenizer.release();
    why = status.ToString();
  } catch (const std::exception& e) {
    why = e.what();
  }
  if (error_bytes > 0) {
    std::strncpy(error, why.c_str(), error_bytes);
    error[error_bytes - 1] = 0;
  }
  return nullptr;
}

void Close(NpukitTokenizer* tokenizer) { delete tokenizer; }

int64_t Encode(const NpukitTokenizer* tokenizer, const char* text, size_t text_bytes, int32_t* ids,
               size_t room) {
  std::vector<int> found;
  if (!tokenizer->processor.Encode({text, text_bytes}, &found).ok()) return -1;
  return CopyOut(found, ids, room);
}

int64_t Decode(const NpukitTokenizer* tokenizer, const int32_t* ids, size_t count, char* text,
               size_t room) {
  std::string found;
  if (!tokenizer->processor.Decode(std::vector<int>(ids, ids + count), &found).ok()) return -1;
  return CopyOut(found, text, room);
}

int32_t BeginId(const NpukitTokenizer* tokenizer) { return tokenizer->processor.bos_id(); }
int32_t EndId(const NpukitTokenizer* tokenizer) { return tokenizer->processor.eos_id(); }
int32_t Size(const NpukitTokenizer* tokenizer) { return tokenizer->processor.GetPieceSize(); }

}  // namespace

const NpukitTokenizerFunctions* NpukitGetTokenizerFunctions() {
  static const NpukitTokenizerFunctions functions = {
      .open = Open,
      .close = Close,
      .encode = Encode,
      .decode = Decode,
      .begin_id = BeginId,
      .end_id = EndId,
      .size = Size,
  };
  return &functions;
}
