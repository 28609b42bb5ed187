// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/step_flags.h"

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/command_line.h"

namespace npukit::tools {

void StepFlags::AddTo(CommandLine& line) {
  line.Add("--position", position_,
           "where the first token of a language model's signature stands (default: as late in the "
           "context as there is room, or as --in says)")
      .Between(0, 1 << 30);
}

litert::Expected<void> StepFlags::Read(const Model& model, SessionFlags& flags) {
  step_ = FindTokenStep(model, flags.signature);
  if (step_) {
    flags.shared_ports = step_->caches;
    return position_ < 0 ? litert::Expected<void>() : CheckPosition(*step_, position_);
  }
  if (position_ < 0) return {};
  return litert::Unexpected(litert::Status::kErrorInvalidArgument,
                            "--position is for a signature of a language model, as 'decode'; "
                            "--signature names it");
}

litert::Expected<void> StepFlags::FillInputs(const SessionFlags& flags, const Model& model,
                                             SignatureRunner& runner) const {
  LITERT_RETURN_IF_ERROR(flags.inputs.Fill(runner, model));
  // Positions from a file stay as they are.
  if (!step_ || (position_ < 0 && !flags.inputs.files.empty())) return {};
  WritePositions(step_->signature, position_ < 0 ? step_->LastPosition() : position_, runner);
  return {};
}

}  // namespace npukit::tools
