// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Models of litert_model.h: reading, writing, metadata, subgraphs.

#include "sdk/host/model/graph/model.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_model.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"

namespace {

LiteRtStatus HandOver(litert::Expected<std::unique_ptr<npukit::Model>> parsed, LiteRtModel* model) {
  if (!parsed) {
    LITERT_LOG(LITERT_ERROR, "%s", parsed.Error().Message().c_str());
    return parsed.Error().Status();
  }
  *model = parsed->release();
  return kLiteRtStatusOk;
}

// `size` bytes at `offset`; false if the file hasn't that many.
bool ReadAt(int fd, size_t offset, size_t size, std::vector<uint8_t>& bytes) {
  struct stat info = {};
  if (fstat(fd, &info) != 0 || info.st_size < 0) return false;
  const auto file_size = static_cast<size_t>(info.st_size);
  if (offset > file_size || size > file_size - offset) return false;
  bytes.resize(size);
  for (size_t done = 0; done < size;) {
    const ssize_t n =
        pread(fd, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

std::vector<npukit::Signature::NamedTensor> Named(const std::vector<npukit::Tensor*>& tensors) {
  std::vector<npukit::Signature::NamedTensor> named;
  for (npukit::Tensor* tensor : tensors) named.push_back({tensor->name, tensor});
  return named;
}

// A signature of all inputs and outputs under their tensors' names.
std::unique_ptr<npukit::Signature> SignatureOf(npukit::Subgraph& subgraph, const char* key) {
  auto signature = std::make_unique<npukit::Signature>();
  signature->key = key;
  signature->subgraph = &subgraph;
  signature->inputs = Named(subgraph.inputs);
  signature->outputs = Named(subgraph.outputs);
  return signature;
}

bool IsSame(const npukit::Signature& a, const npukit::Signature& b) {
  return a.subgraph == b.subgraph && a.inputs == b.inputs && a.outputs == b.outputs;
}

// As LiteRT calls the one signature of a model that has none: its main subgraph, under the names of
// its tensors.
constexpr char kDefaultSignatureKey[] = "<placeholder signature>";

// Of models without signatures, made when first asked for. They are not the model's own, which is
// written without.
class DefaultSignatures {
 public:
  LiteRtSignature Of(LiteRtModel model) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<npukit::Signature>& known = signatures_[model];
    auto now = SignatureOf(model->main_subgraph(), kDefaultSignatureKey);
    if (known == nullptr) {
      known = std::move(now);
    } else if (!IsSame(*known, *now)) {
      // The graph changed; the handle stays. Where it did not, what others read of it stays, too.
      *known = std::move(*now);
    }
    return known.get();
  }
  void Forget(LiteRtModel model) {
    const std::lock_guard lock(mutex_);
    signatures_.erase(model);
  }

 private:
  std::mutex mutex_;
  std::map<LiteRtModel, std::unique_ptr<npukit::Signature>> signatures_;
};

DefaultSignatures& AllDefaultSignatures() {
  static auto* const all = new DefaultSignatures;
  return *all;
}

struct ModelDeleter {
  void operator()(LiteRtModel model) const { LiteRtDestroyModel(model); }
};
using ConsumedModel = std::unique_ptr<npukit::Model, ModelDeleter>;

bool HasDefaultSignature(const npukit::Model& model) {
  return model.signatures.empty() && !model.subgraphs().empty();
}

LiteRtStatus Serialize(const npukit::Model& model, uint8_t** buf, size_t* size, size_t* offset,
                       LiteRtModelSerializationOptions options) {
  npukit::WriteOptions write_options;
  if (options.bytecode_alignment != 0) {
    write_options.bytecode_alignment = options.bytecode_alignment;
  }
  auto bytes = npukit::SerializeModel(model, write_options);
  if (!bytes) {
    LITERT_LOG(LITERT_ERROR, "%s", bytes.Error().Message().c_str());
    return bytes.Error().Status();
  }
  // The caller releases by delete[], so the bytes can't stay in the vector.
  *buf = new uint8_t[bytes->size()];
  std::copy(bytes->begin(), bytes->end(), *buf);
  *size = bytes->size();
  *offset = 0;
  return kLiteRtStatusOk;
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtCreateModelFromFile(const char* filename, LiteRtModel* model) {
  if (!filename || !model) return kLiteRtStatusErrorInvalidArgument;
  return HandOver(npukit::LoadModel(filename), model);
}

LiteRtStatus LiteRtCreateModelFromBuffer(const void* buffer_addr, size_t buffer_size,
                                         LiteRtModel* model) {
  if (!buffer_addr || buffer_size == 0 || !model) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  npukit::SharedBytes bytes;  // without an owner: the caller keeps them alive
  bytes.bytes = {static_cast<const uint8_t*>(buffer_addr), buffer_size};
  return HandOver(npukit::ParseModel(std::move(bytes)), model);
}

LiteRtStatus LiteRtCreateModelFromFd(LiteRtEnvironment, int fd, size_t offset, size_t size,
                                     LiteRtModel* model) {
  if (fd < 0 || size == 0 || !model) return kLiteRtStatusErrorInvalidArgument;
  std::vector<uint8_t> bytes;
  if (!ReadAt(fd, offset, size, bytes)) return kLiteRtStatusErrorFileIO;
  return HandOver(npukit::ParseModel(npukit::SharedBytes::Take(std::move(bytes))), model);
}

void LiteRtDestroyModel(LiteRtModel model) {
  AllDefaultSignatures().Forget(model);
  delete model;
}

LiteRtStatus LiteRtGetModelMetadata(LiteRtModel model, const char* metadata_key,
                                    const void** metadata_buffer, size_t* metadata_buffer_size) {
  if (!model || !metadata_key || !metadata_buffer || !metadata_buffer_size) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const npukit::Model::Metadata* found = model->FindMetadata(metadata_key);
  if (!found) return kLiteRtStatusErrorNotFound;
  const npukit::SharedBytes& bytes = model->buffers().Get(found->buffer);
  *metadata_buffer = bytes.bytes.data();
  *metadata_buffer_size = bytes.bytes.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtAddModelMetadata(LiteRtModel model, const char* metadata_key,
                                    const void* metadata_buffer, size_t metadata_buffer_size) {
  if (!model || !metadata_key || (metadata_buffer_size > 0 && !metadata_buffer)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (model->FindMetadata(metadata_key)) return kLiteRtStatusErrorAlreadyExists;
  model->SetMetadata(metadata_key,
                     npukit::SharedBytes::Copy(
                         {static_cast<const uint8_t*>(metadata_buffer), metadata_buffer_size}));
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetMainModelSubgraphIndex(LiteRtModel model,
                                             LiteRtParamIndex* main_subgraph_index) {
  if (!model || !main_subgraph_index) return kLiteRtStatusErrorInvalidArgument;
  *main_subgraph_index = 0;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumModelSubgraphs(LiteRtModel model, LiteRtParamIndex* num_subgraphs) {
  if (!model || !num_subgraphs) return kLiteRtStatusErrorInvalidArgument;
  *num_subgraphs = model->subgraphs().size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetModelSubgraph(LiteRtModel model, LiteRtParamIndex subgraph_index,
                                    LiteRtSubgraph* subgraph) {
  if (!model || !subgraph) return kLiteRtStatusErrorInvalidArgument;
  if (subgraph_index >= model->subgraphs().size()) {
    return kLiteRtStatusErrorIndexOOB;
  }
  *subgraph = &model->subgraph(subgraph_index);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumModelSignatures(LiteRtModel model, LiteRtParamIndex* num_signatures) {
  if (!model || !num_signatures) return kLiteRtStatusErrorInvalidArgument;
  *num_signatures = HasDefaultSignature(*model) ? 1 : model->signatures.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetModelSignature(LiteRtModel model, LiteRtParamIndex signature_index,
                                     LiteRtSignature* signature) {
  if (!model || !signature) return kLiteRtStatusErrorInvalidArgument;
  if (HasDefaultSignature(*model) && signature_index == 0) {
    *signature = AllDefaultSignatures().Of(model);
    return kLiteRtStatusOk;
  }
  if (signature_index >= model->signatures.size()) {
    return kLiteRtStatusErrorIndexOOB;
  }
  *signature = model->signatures[signature_index].get();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtSerializeModel(LiteRtModel model, uint8_t** buf, size_t* size, size_t* offset,
                                  bool destroy_model, LiteRtModelSerializationOptions options) {
  const ConsumedModel consumed(destroy_model ? model : nullptr);
  if (!model || !buf || !size || !offset) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return Serialize(*model, buf, size, offset, options);
}

LiteRtStatus LiteRtSerializeModelWithSignatures(LiteRtModel model, uint8_t** buf, size_t* size,
                                                size_t* offset, bool destroy_model,
                                                char** signatures, LiteRtParamIndex num_signatures,
                                                LiteRtModelSerializationOptions options) {
  const ConsumedModel consumed(destroy_model ? model : nullptr);
  if (!model || !buf || !size || !offset || num_signatures != model->subgraphs().size() ||
      (num_signatures > 0 && !signatures)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const size_t count_before = model->signatures.size();
  for (size_t i = 0; i < num_signatures; ++i) {
    if (!signatures[i]) continue;  // That subgraph gets none.
    model->signatures.push_back(SignatureOf(model->subgraph(i), signatures[i]));
  }
  const LiteRtStatus status = Serialize(*model, buf, size, offset, options);
  model->signatures.resize(count_before);
  return status;
}

}  // extern "C"
