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
  if (const auto position = Position(flags)) WritePositions(step_->signature, *position, runner);
  return {};
}

std::optional<int32_t> StepFlags::Position(const SessionFlags& flags) const {
  if (!step_) return std::nullopt;
  if (position_ >= 0) return position_;
  // Positions from a file stay as they are.
  if (!flags.inputs.files.empty()) return std::nullopt;
  return step_->LastPosition();
}

}  // namespace npukit::tools
