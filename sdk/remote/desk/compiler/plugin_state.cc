// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/compiler/plugin_state.h"

namespace npukit::remote {
namespace {

constexpr char kLoading[] = "loading the compiler plugin";

}  // namespace

PluginState& PluginState::Get() {
  static auto* const state = new PluginState;  // threads may outlive static objects
  return *state;
}

std::string& PluginState::LastError() {
  static thread_local std::string text;
  return text;
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
  const LiteRtStatus status = link_.Load(file_, kLoading, [&](Link& link, LinkTrouble& trouble) {
    return link.OpenPlugin(file_->digest, file_->name, facts_, trouble);
  });
  is_open_ = status == kLiteRtStatusOk;
  return status;
}

LiteRtStatus PluginState::Call(PluginCall call, PluginAnswer& answer) {
  answer = {};
  LastError().clear();
  if (const LiteRtStatus status = Open(); status != kLiteRtStatusOk) return status;
  InstalledLink::trouble().clear();
  call.thread = NumberOfThisThread();
  LinkTrouble failed;
  if (!link_.get()->Call(call, answer, failed)) return link_.Tell(failed, NameOf(call.function));
  if (answer.status != kLiteRtStatusOk) LastError() = answer.text;
  return static_cast<LiteRtStatus>(answer.status);
}

LiteRtStatus PluginState::PutModel(litert::Expected<std::vector<uint8_t>> bytes, PluginCall& call) {
  if (!bytes) {
    link_.Refuse("a graph that can't be sent: " + bytes.Error().Message(), NameOf(call.function));
    return bytes.Error().Status();
  }
  return link_.Put(std::move(*bytes), "sending a graph", call.model, call.digest);
}

template <typename Object>
Object* PluginState::Add(uint64_t number, Objects<Object>& objects) {
  auto made = std::make_unique<Object>();
  made->number = number;
  Object* const object = made.get();
  const std::lock_guard lock(mutex_);
  objects.emplace(object, std::move(made));
  return object;
}

LiteRtCompilerPlugin PluginState::AddPlugin(uint64_t number) {
  return reinterpret_cast<LiteRtCompilerPlugin>(Add(number, plugins_));
}

LiteRtCompiledResult PluginState::AddResult(uint64_t number) {
  return reinterpret_cast<LiteRtCompiledResult>(Add(number, results_));
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
