// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/compiler/plugin_state.h"

#include "sdk/remote/wire/digest.h"

namespace npukit::remote {
namespace {

// A graph that goes with the call; what is longer is kept on the device, so that asking once more is cheap.
constexpr size_t kMaxInlineBytes = size_t{16} << 10;

constexpr char kLoading[] = "loading the compiler plugin";

}  // namespace

PluginState& PluginState::Get() {
  static auto* const state = new PluginState;  // threads may outlive static objects
  return *state;
}

void PluginState::Install(Link* link, const LibraryFile* file, RemoteHooks hooks) {
  const std::lock_guard lock(mutex_);
  link_.Install(link, std::move(hooks));
  file_ = file;
  is_open_ = false;
  facts_ = {};
}

LiteRtStatus PluginState::Open() {
  const std::lock_guard opening(open_mutex_);
  if (is_open_) return kLiteRtStatusOk;
  Link* const link = link_.get();
  LinkTrouble trouble{
      .kind = LinkTrouble::Kind::kLost, .what = "there is no connection", .end = {}};
  if (link == nullptr || !link->SendFile(file_->digest, file_->bytes, trouble) ||
      !link->OpenPlugin(file_->digest, file_->name, facts_, trouble)) {
    return link_.Tell(trouble, kLoading);
  }
  is_open_ = true;
  return kLiteRtStatusOk;
}

LiteRtStatus PluginState::Call(PluginCall call, PluginAnswer& answer) {
  answer = {};
  if (const LiteRtStatus status = Open(); status != kLiteRtStatusOk) return status;
  InstalledLink::trouble().clear();
  call.thread = NumberOfThisThread();
  LinkTrouble failed;
  if (!link_.get()->Call(call, answer, failed)) return link_.Tell(failed, NameOf(call.function));
  return static_cast<LiteRtStatus>(answer.status);
}

LiteRtStatus PluginState::PutModel(litert::Expected<std::vector<uint8_t>> bytes, PluginCall& call) {
  if (!bytes) {
    link_.Refuse("a graph that can't be sent: " + bytes.Error().Message(), NameOf(call.function));
    return bytes.Error().Status();
  }
  if (bytes->size() <= kMaxInlineBytes) {
    call.model = std::move(*bytes);
    return kLiteRtStatusOk;
  }
  call.digest = Digest(*bytes);
  LinkTrouble trouble;
  Link* const link = link_.get();
  return link != nullptr && link->SendFile(call.digest, *bytes, trouble)
             ? kLiteRtStatusOk
             : link_.Tell(trouble, "sending a graph");
}

LiteRtCompilerPlugin PluginState::AddPlugin(uint64_t number) {
  auto made = std::make_unique<DeskPlugin>();
  made->number = number;
  DeskPlugin* const plugin = made.get();
  const std::lock_guard lock(mutex_);
  plugins_.emplace(plugin, std::move(made));
  return reinterpret_cast<LiteRtCompilerPlugin>(plugin);
}

LiteRtCompiledResult PluginState::AddResult(uint64_t number) {
  auto made = std::make_unique<DeskResult>();
  made->number = number;
  DeskResult* const result = made.get();
  const std::lock_guard lock(mutex_);
  results_.emplace(result, std::move(made));
  return reinterpret_cast<LiteRtCompiledResult>(result);
}

void PluginState::Remove(LiteRtCompilerPlugin plugin) {
  const std::lock_guard lock(mutex_);
  plugins_.erase(plugin);
}

void PluginState::Remove(LiteRtCompiledResult result) {
  const std::lock_guard lock(mutex_);
  results_.erase(result);
}

}  // namespace npukit::remote
