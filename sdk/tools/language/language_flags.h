// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The widths of a language model to be made, from the command line.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_LANGUAGE_FLAGS_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_LANGUAGE_FLAGS_H_

#include <cstdint>
#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/samples/language_model.h"

namespace npukit::tools {

class CommandLine;

struct LanguageFlags {
  // Of what is 0, empty or false the sample's own is kept; hidden follows from the width.
  int32_t layers = 0;
  int32_t width = 0;
  int32_t heads = 0;
  int32_t kv_heads = 0;
  int32_t head_dim = 0;
  int32_t hidden = 0;
  int32_t vocabulary = 0;
  int32_t context = 0;
  int32_t window = 0;
  std::string prefill;  // "8,64"
  std::string recipe;
  std::string style;
  bool prefill_logits = false;

  void AddTo(CommandLine& line);
  bool is_given() const;
  // Writes what is given over it. Errors name the flag.
  litert::Expected<void> ApplyTo(LanguageModelShape& shape) const;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_LANGUAGE_FLAGS_H_
