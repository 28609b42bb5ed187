// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What libnpukit_tokenizer.so gives: SentencePiece behind functions of C. It is a library of its own, opened when a tokenizer is
// asked for, since SentencePiece exports a copy of Protocol Buffers, which vendors' compilers bring along, too.

#ifndef NPUKIT_SDK_TOKENIZER_TOKENIZER_LIBRARY_H_
#define NPUKIT_SDK_TOKENIZER_TOKENIZER_LIBRARY_H_

#include <cstddef>
#include <cstdint>

struct NpukitTokenizer;

// One thread at a time. Texts are UTF-8.
struct NpukitTokenizerFunctions {
  // Of a SentencePiece model (".model"). Null: `error`, of so many bytes, says why. close() ends it.
  NpukitTokenizer* (*open)(const char* path, char* error, size_t error_bytes);
  void (*close)(NpukitTokenizer* tokenizer);
  // How many there are, of which up to `room` are written; below 0: the text can't be split, or the ids can't be joined.
  int64_t (*encode)(const NpukitTokenizer* tokenizer, const char* text, size_t text_bytes,
                    int32_t* ids, size_t room);
  int64_t (*decode)(const NpukitTokenizer* tokenizer, const int32_t* ids, size_t count, char* text,
                    size_t room);
  // Below 0: there is none.
  int32_t (*begin_id)(const NpukitTokenizer* tokenizer);
  int32_t (*end_id)(const NpukitTokenizer* tokenizer);
  int32_t (*size)(const NpukitTokenizer* tokenizer);  // ids are below
};

extern "C" __attribute__((visibility("default"))) const NpukitTokenizerFunctions*
NpukitGetTokenizerFunctions();

#endif  // NPUKIT_SDK_TOKENIZER_TOKENIZER_LIBRARY_H_
