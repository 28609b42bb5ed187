// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The transformations of a compiler plugin, applied here by the host's own loop.

#include <fmt/format.h>

#include <map>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/rewrite/rewrite.h"
#include "sdk/remote/worker/compiler_session.h"

namespace npukit::remote {
namespace {

constexpr size_t kMaxTransformations = 1 << 16;  // a list of more is not read

// Constants of the model that was sent. A rewrite adds buffers, and changes none: a buffer with a
// number of the old ones is what the desk has sent, and comes back as the place of the tensor that
// had it. Of contents the answer carries only what the plugin has added.
class SentConstants {
 public:
  explicit SentConstants(const Model& sent) : num_buffers_(sent.buffers().size()) {
    for (uint32_t s = 0; s < sent.subgraphs().size(); ++s) {
      for (const auto& tensor : sent.subgraph(s).tensors())
        place_of_.try_emplace(tensor->weights.buffer_id, s, tensor->index);
    }
  }

  // Takes them, and bytecode, out of the rewritten model: the desk has them. Tells where they were.
  std::vector<RemoteConstant> TakeFrom(const Model& rewritten) const {
    std::vector<RemoteConstant> taken;
    for (uint32_t s = 0; s < rewritten.subgraphs().size(); ++s) {
      for (const auto& tensor : rewritten.subgraph(s).tensors()) {
        BufferStore::Id& id = tensor->weights.buffer_id;
        if (id == BufferStore::kEmpty || id >= num_buffers_) continue;
        const auto [subgraph, index] = place_of_.at(id);
        taken.push_back({s, tensor->index, subgraph, index});
        id = BufferStore::kEmpty;
      }
      for (const auto& op : rewritten.subgraph(s).ops()) {
        if (!op->is_dispatch()) continue;
        op->dispatch->bytecode = BufferStore::kEmpty;
        op->custom_options.clear();  // they say where it lies in the file that was sent
      }
    }
    return taken;
  }

 private:
  const size_t num_buffers_;
  std::map<BufferStore::Id, std::pair<uint32_t, uint32_t>> place_of_;
};

// What no transformation changes, and the desk has.
void DropModelFields(Model& model) {
  model.metadata.clear();
  model.metadata_buffer.clear();
  model.spare_buffers.clear();
  model.trailing_bytes.clear();
}

PluginAnswer Failed(const litert::Error& error) {
  return {.status = error.Status(), .text = error.Message()};
}

}  // namespace

PluginAnswer CompilerSession::Transformations(const PluginCall& call, LiteRtCompilerPlugin plugin) {
  LiteRtTransformation* list = nullptr;
  LiteRtParamIndex count = 0;
  PluginAnswer answer;
  answer.status = api().register_all_transformations(
      plugin, (call.nulls & kNullFirstResult) != 0 ? nullptr : &list,
      (call.nulls & kNullSecondResult) != 0 ? nullptr : &count);
  answer.number = count;
  if (answer.status != kLiteRtStatusOk || list == nullptr || count > kMaxTransformations)
    return answer;
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    answer.transformations.push_back({.has_pattern = list[i].pattern != nullptr,
                                      .has_name = list[i].name != nullptr,
                                      .name = list[i].name == nullptr ? "" : list[i].name,
                                      .benefit = list[i].benefit});
  }
  const std::lock_guard lock(mutex_);
  transformations_[call.object].assign(list, list + count);
  return answer;
}

litert::Expected<PluginAnswer> CompilerSession::Rewrite(const PluginCall& call) {
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, ModelOf(call));
  std::vector<LiteRtTransformation> transformations;
  {
    const std::lock_guard lock(mutex_);
    const auto found = transformations_.find(call.object);
    if (found != transformations_.end()) transformations = found->second;
  }
  if (model == nullptr || transformations.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "there are no transformations, or no model");
  }
  const SentConstants constants(*model);
  auto count = RewriteModel(*model, transformations,
                            {.has_block_wise_argument = functions_.has_block_wise_argument,
                             .context = functions_.pattern_context});
  // As without a device: status and text are for the desk's caller. Errors here are the desk's
  // mistakes alone.
  if (!count) return Failed(count.Error());
  PluginAnswer answer{.number = count->applied, .numbers = {count->limit_reached ? 1 : 0, 0, 0}};
  if (count->applied == 0) return answer;
  UpdateOperatorCodes(*model);
  answer.constants = constants.TakeFrom(*model);
  answer.origins = std::move(count->origins);
  DropModelFields(*model);
  auto bytes = SerializeModel(*model);
  if (!bytes) return Failed(bytes.Error());
  answer.bytes = std::move(*bytes);
  return answer;
}

}  // namespace npukit::remote
