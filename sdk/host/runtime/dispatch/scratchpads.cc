// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/scratchpads.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"

namespace npukit {
namespace {

constexpr size_t kHostAlignmentBytes = 64;  // LiteRT's, for host memory

// Of the steps behind `from`, those that work on what it computes, through any number of others.
std::vector<bool> StepsBehind(const ExecutionPlan& plan, size_t from) {
  std::vector<bool> is_behind(plan.steps.size());
  std::vector<bool> is_made(plan.values.size());
  const auto mark = [&](const PlanStep& step) {
    for (const int value : step.outputs) {
      if (value != kNoValue) is_made[static_cast<size_t>(value)] = true;
    }
  };
  mark(plan.steps[from]);
  for (size_t s = from + 1; s < plan.steps.size(); ++s) {
    const std::vector<int>& inputs = plan.steps[s].inputs;
    is_behind[s] = std::any_of(inputs.begin(), inputs.end(), [&](int value) {
      return value != kNoValue && is_made[static_cast<size_t>(value)];
    });
    if (is_behind[s]) mark(plan.steps[s]);
  }
  return is_behind;
}

// Bytes without elements of their own, as a tensor: whole rows where one dimension does not hold them.
LiteRtRankedTensorType BytesType(size_t size_bytes) {
  constexpr size_t kRowBytes = size_t{1} << 20;
  LiteRtRankedTensorType type = {};
  type.element_type = kLiteRtElementTypeInt8;
  type.layout.rank = 1;
  type.layout.dimensions[0] = static_cast<int32_t>(size_bytes);
  if (size_bytes <= size_t{std::numeric_limits<int32_t>::max()}) return type;
  type.layout.rank = 2;
  type.layout.dimensions[0] = static_cast<int32_t>(size_bytes / kRowBytes);
  type.layout.dimensions[1] = int32_t{kRowBytes};
  return type;
}

}  // namespace

std::vector<size_t> GroupScratchpads(const ExecutionPlan& plan, const std::vector<size_t>& steps,
                                     bool may_overlap) {
  // A step may join a group only behind each step that is in it: then data flows from one to the
  // next, and no two of them run at once. Greedy: the first group that fits.
  std::vector<size_t> groups(steps.size());
  if (!may_overlap) return groups;
  std::vector<std::vector<bool>> behind;
  for (const size_t step : steps) behind.push_back(StepsBehind(plan, step));
  size_t count = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto fits = [&](size_t group) {
      for (size_t j = 0; j < i; ++j) {
        if (groups[j] == group && !behind[j][steps[i]]) return false;
      }
      return true;
    };
    size_t group = 0;
    while (group < count && !fits(group)) ++group;
    groups[i] = group;
    count = std::max(count, group + 1);
  }
  return groups;
}

void Scratchpads::Add(size_t step, LoadedInvocation loaded) {
  users_.push_back({.step = step, .loaded = std::move(loaded)});
}

LoadedFunction* Scratchpads::FunctionOf(size_t step) const {
  for (const User& user : users_) {
    if (user.step == step) return user.loaded.function.get();
  }
  return nullptr;
}

void Scratchpads::Share(const ExecutionPlan& plan, bool async) {
  std::vector<bool> is_shared(users_.size());
  for (size_t first = 0; first < users_.size(); ++first) {
    if (is_shared[first]) continue;
    const LoadedInvocation& of = users_[first].loaded;
    const auto is_alike = [&](const LoadedInvocation& other) {
      return &other.function->device() == &of.function->device() &&
             other.scratchpad.buffer_type == of.scratchpad.buffer_type;
    };
    std::vector<size_t> alike;
    std::vector<size_t> steps;
    for (size_t u = first; u < users_.size(); ++u) {
      if (!is_alike(users_[u].loaded)) continue;
      alike.push_back(u);
      steps.push_back(users_[u].step);
      is_shared[u] = true;
    }
    const size_t begin = pieces_.size();
    const std::vector<size_t> groups =
        GroupScratchpads(plan, steps, async && of.library->has_async());
    pieces_.resize(begin + *std::max_element(groups.begin(), groups.end()) + 1);
    for (size_t i = 0; i < alike.size(); ++i) {
      User& user = users_[alike[i]];
      user.piece = begin + groups[i];
      Piece& piece = pieces_[user.piece];
      PortRequirements& all = piece.requirements;
      const PortRequirements& needed = user.loaded.scratchpad;
      piece.library = user.loaded.library;
      piece.device = &user.loaded.function->device();
      all.buffer_type = needed.buffer_type;
      all.size_bytes = std::max(all.size_bytes, needed.size_bytes);
      all.alignment_bytes = std::max(all.alignment_bytes, needed.alignment_bytes);
    }
  }
  for (const Piece& piece : pieces_) size_bytes_ += piece.requirements.size_bytes;
}

litert::Expected<void> Scratchpads::Make(Piece& piece) {
  const PortRequirements& needed = piece.requirements;
  const LiteRtRankedTensorType type = BytesType(needed.size_bytes);
  if (needed.buffer_type != kLiteRtTensorBufferTypeHostMemory) {
    LITERT_ASSIGN_OR_RETURN(
        piece.buffer, BufferRegistration::CreateOwn(*piece.device, piece.library->environment(),
                                                    needed.buffer_type, needed.size_bytes, type));
    return {};
  }
  LITERT_ASSIGN_OR_RETURN(
      piece.memory, AlignedMemory::Allocate(needed.size_bytes,
                                            std::max(needed.alignment_bytes, kHostAlignmentBytes)));
  LITERT_ASSIGN_OR_RETURN(piece.buffer,
                          BufferRegistration::Create(*piece.device, piece.memory.bytes(), type));
  return {};
}

litert::Expected<void> Scratchpads::Attach(const ExecutionPlan& plan, bool async,
                                           uint64_t max_bytes) {
  Share(plan, async);
  if (size_bytes_ > max_bytes) {
    return litert::Unexpected(
        kLiteRtStatusErrorMemoryAllocationFailure,
        fmt::format("dispatch ops need {} bytes to work in, more than the limit of {}", size_bytes_,
                    max_bytes));
  }
  for (Piece& piece : pieces_) LITERT_RETURN_IF_ERROR(Make(piece));
  for (const User& user : users_)
    LITERT_RETURN_IF_ERROR(user.loaded.function->AttachScratchpad(*pieces_[user.piece].buffer));
  return {};
}

litert::Expected<void> Scratchpads::Close() {
  ErrorCollector errors;
  for (Piece& piece : pieces_) {
    if (piece.buffer != nullptr) errors.Add(piece.buffer->Close());
  }
  pieces_.clear();
  for (User& user : users_) errors.Add(user.loaded.function->Close());
  users_.clear();
  return errors.Result();
}

}  // namespace npukit
