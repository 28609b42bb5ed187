// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/remote_state.h"

#include <fmt/format.h>

namespace npukit::remote {

RemoteState& RemoteState::Get() {
  static auto* const state = new RemoteState;  // threads may outlive static objects
  return *state;
}

void RemoteState::Install(Link* link, const LibraryFile* file, RemoteHooks hooks) {
  link_ = link;
  file_ = file;
  hooks_ = std::move(hooks);
  is_open_ = false;
  facts_ = {};
  trouble_.clear();
}

LiteRtStatus RemoteState::Tell(const LinkTrouble& trouble) {
  switch (trouble.kind) {
    case LinkTrouble::Kind::kLost:
      trouble_ = "device lost: " + trouble.what;
      if (hooks_.on_lost) hooks_.on_lost(trouble.what);
      break;
    case LinkTrouble::Kind::kDied:
      trouble_ = "the library's process on the device " + trouble.what;
      if (hooks_.on_died) hooks_.on_died(trouble.end);
      break;
    case LinkTrouble::Kind::kRefused:
      trouble_ = "the device's worker: " + trouble.what;
      break;
  }
  return kLiteRtStatusErrorRuntimeFailure;
}

LiteRtStatus RemoteState::Open() {
  if (is_open_) return kLiteRtStatusOk;
  LinkTrouble trouble;
  if (link_ == nullptr) {
    trouble.what = "there is no connection";
    return Tell(trouble);
  }
  if (!link_->SendFile(file_->digest, file_->bytes, trouble) ||
      !link_->Open(file_->digest, file_->name, facts_, trouble)) {
    return Tell(trouble);
  }
  is_open_ = true;
  return kLiteRtStatusOk;
}

LiteRtStatus RemoteState::Call(const DispatchCall& call, DispatchAnswer& answer) {
  answer = {};
  LinkTrouble trouble;
  if (!is_open_) {
    trouble = {.kind = LinkTrouble::Kind::kRefused, .what = "no library is open", .end = {}};
    return Tell(trouble);
  }
  trouble_.clear();
  if (!link_->Call(call, answer, trouble)) return Tell(trouble);
  return static_cast<LiteRtStatus>(answer.status);
}

LiteRtStatus RemoteState::SendFile(const std::string& digest, std::span<const uint8_t> bytes) {
  LinkTrouble trouble;
  return link_ != nullptr && link_->SendFile(digest, bytes, trouble) ? kLiteRtStatusOk
                                                                     : Tell(trouble);
}

DeskDevice* RemoteState::AddDevice(uint64_t number) {
  devices_.push_back(std::make_unique<DeskDevice>());
  devices_.back()->number = number;
  return devices_.back().get();
}

DeskInvocation* RemoteState::AddInvocation(uint64_t number, DeskDevice* device) {
  invocations_.push_back(std::make_unique<DeskInvocation>());
  invocations_.back()->number = number;
  invocations_.back()->device = device;
  return invocations_.back().get();
}

LiteRtStatus CallOf(const DispatchCall& call) {
  const auto lock = RemoteState::Get().Lock();
  DispatchAnswer answer;
  return RemoteState::Get().Call(call, answer);
}

}  // namespace npukit::remote
