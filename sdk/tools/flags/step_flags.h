// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which step of a language model is measured.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_STEP_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_STEP_FLAGS_H_

#include <cstdint>
#include <optional>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/language/token_place.h"

namespace npukit::tools {

// --position. Other models have no steps: there it changes nothing, and is refused if it is given.
class StepFlags {
 public:
  void AddTo(CommandLine& line);

  // Finds out whether the signature is a step of a language model. Its caches are one buffer, then, as
  // input and as output: so whoever says token after token holds them, and nothing is copied from step
  // to step. kErrorInvalidArgument if it has no such position.
  litert::Expected<void> Read(const Model& model, SessionFlags& flags);

  // The flags' inputs, and tokens from the position on.
  litert::Expected<void> FillInputs(const SessionFlags& flags, const Model& model,
                                    SignatureRunner& runner) const;

  // What FillInputs() says: where the step's first token stands. Nothing if the model has no steps or
  // files may say it. After Read().
  std::optional<int32_t> Position(const SessionFlags& flags) const;

  const std::optional<TokenStep>& step() const { return step_; }

 private:
  int32_t position_ = -1;  // below 0: as late as there is room
  std::optional<TokenStep> step_;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_STEP_FLAGS_H_
