// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/remote_state.h"

#include <fmt/format.h>

#include "sdk/remote/wire/digest.h"

namespace npukit::remote {
namespace {

// Bytecode that goes with the call; what is longer is kept on the device.
constexpr size_t kMaxInlineBytes = size_t{16} << 10;

constexpr char kLoading[] = "loading the dispatch library";

}  // namespace

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
  first_trouble_.clear();
}

LiteRtStatus RemoteState::Tell(const LinkTrouble& trouble, const std::string& where) {
  std::function<void()> hook;
  switch (trouble.kind) {
    case LinkTrouble::Kind::kLost:
      trouble_ = fmt::format("device lost in {}: {}", where, trouble.what);
      if (hooks_.on_lost) hook = [&] { hooks_.on_lost(trouble.what); };
      break;
    case LinkTrouble::Kind::kDied:
      trouble_ = fmt::format("the library's process on the device {} in {}", trouble.what, where);
      if (hooks_.on_died) hook = [&] { hooks_.on_died(trouble.end); };
      break;
    case LinkTrouble::Kind::kRefused:
      trouble_ = fmt::format("the device's worker, in {}: {}", where, trouble.what);
      break;
  }
  if (first_trouble_.empty()) first_trouble_ = trouble_;
  if (hook) hook();
  return kLiteRtStatusErrorRuntimeFailure;
}

LiteRtStatus RemoteState::Open() {
  if (is_open_) return kLiteRtStatusOk;
  LinkTrouble trouble;
  if (link_ == nullptr) {
    trouble.what = "there is no connection";
    return Tell(trouble, kLoading);
  }
  if (!link_->SendFile(file_->digest, file_->bytes, trouble) ||
      !link_->Open(file_->digest, file_->name, facts_, trouble)) {
    return Tell(trouble, kLoading);
  }
  is_open_ = has_been_open_ = true;
  return kLiteRtStatusOk;
}

LiteRtStatus RemoteState::Call(const DispatchCall& call, DispatchAnswer& answer) {
  answer = {};
  LinkTrouble trouble;
  // The host initialises a library once in a process: on a fresh worker after the first it is done here.
  if (!is_open_ && has_been_open_) {
    if (const LiteRtStatus status = Open(); status != kLiteRtStatusOk) return status;
  }
  if (!is_open_) {
    trouble = {.kind = LinkTrouble::Kind::kRefused, .what = "no library is open", .end = {}};
    return Tell(trouble, NameOf(call.function));
  }
  trouble_.clear();
  if (!link_->Call(call, answer, trouble)) return Tell(trouble, NameOf(call.function));
  return static_cast<LiteRtStatus>(answer.status);
}

LiteRtStatus RemoteState::SendFile(const std::string& digest, std::span<const uint8_t> bytes) {
  LinkTrouble trouble;
  return link_ != nullptr && link_->SendFile(digest, bytes, trouble)
             ? kLiteRtStatusOk
             : Tell(trouble, "sending bytecode");
}

LiteRtStatus RemoteState::PutBytecode(const LiteRtMemBuffer* memory, DispatchCall& call) {
  if (memory == nullptr) {
    call.nulls |= kNullBuffer;
    return kLiteRtStatusOk;
  }
  call.size_bytes = memory->size;
  if (memory->base_addr == nullptr) {
    call.nulls |= kNullBytes;
    return kLiteRtStatusOk;
  }
  // The bytes before the offset are not the library's to read; their number is kept below a page, so
  // that what follows is aligned as it is here.
  constexpr size_t kPage = 4096;
  call.handle = memory->offset % kPage;
  const auto* const begin = static_cast<const uint8_t*>(memory->base_addr) + memory->offset;
  std::vector<uint8_t> bytes(call.handle);
  bytes.insert(bytes.end(), begin, begin + memory->size);
  if (bytes.size() <= kMaxInlineBytes) {
    call.bytes = std::move(bytes);
    return kLiteRtStatusOk;
  }
  call.digest = Digest(bytes);
  return SendFile(call.digest, bytes);
}

LiteRtDispatchGraph RemoteState::GraphOf(uint64_t number) {
  DeskGraph& graph = graphs_[number];
  graph.number = number;
  return reinterpret_cast<LiteRtDispatchGraph>(&graph);
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
