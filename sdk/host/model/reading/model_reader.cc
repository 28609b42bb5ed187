// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/reading/model_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/file/stored_fields.h"
#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/graph/model_verifier.h"
#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/graph/tensor_text.h"
#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/model/reading/flatbuffer_walk.h"
#include "sdk/host/model/reading/op_reader.h"
#include "sdk/host/model/reading/read_context.h"
#include "sdk/host/model/reading/tensor_reader.h"

namespace npukit {
namespace {

using litert::Expected;

constexpr uint32_t kSchemaVersion = 3;
constexpr size_t kMaxFlatBufferBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
constexpr size_t kFileAlignmentBytes = 16;  // force_align of Buffer.data
// Old files align buffers to words only. That will do for most element types, and copies would double
// the model in memory. Small buffers of wider elements, the operands of ops, are copied; whoever reads
// wide elements of large ones copies them.
constexpr size_t kWordAlignmentBytes = 4;
constexpr size_t kWideAlignmentBytes = 8;
constexpr size_t kSmallBufferBytes = 4096;

bool IsAligned(const uint8_t* address, size_t alignment) {
  return reinterpret_cast<uintptr_t>(address) % alignment == 0;
}

// Adds the place to an error of a part.
litert::Unexpected At(const litert::Error& error, std::string_view place) {
  return litert::Unexpected(error.Status(), fmt::format("{}: {}", place, error.Message()));
}

// How many elements a vector that may be absent has.
template <typename T>
size_t SizeOf(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

Expected<const schema::Model*> VerifyFlatBuffer(std::span<const uint8_t> file) {
  constexpr size_t kHeaderBytes = 8;
  if (file.size() < kHeaderBytes) {
    return BadFile(fmt::format("expected a FlatBuffer of at least {} bytes, found {}", kHeaderBytes,
                               file.size()));
  }
  if (!schema::ModelBufferHasIdentifier(file.data())) {
    const auto* found = reinterpret_cast<const char*>(file.data() + 4);
    std::string printable(found, 4);
    std::replace_if(
        printable.begin(), printable.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return BadFile(fmt::format("expected the identifier '{}', found '{}'",
                               schema::ModelIdentifier(), printable));
  }
  const size_t size_bytes = std::min(file.size(), kMaxFlatBufferBytes);
  flatbuffers::Verifier::Options limits;
  limits.max_depth = 16;  // the schema's tables nest 6 deep
  // A table takes 4 bytes at least; shared ones count again, so that visiting
  // all of them stays linear in the file.
  limits.max_tables = static_cast<flatbuffers::uoffset_t>(size_bytes / 4 + 1);
  flatbuffers::Verifier verifier(file.data(), size_bytes, limits);
  if (!schema::VerifyModelBuffer(verifier)) {
    return BadFile(
        fmt::format("expected a sound FlatBuffer, found offsets or sizes that leave its {} bytes "
                    "(truncated or damaged file)",
                    file.size()));
  }
  return schema::GetModel(file.data());
}

class ModelReader {
 public:
  ModelReader(SharedBytes file, const schema::Model& in, const ReadOptions& options)
      : in_(in),
        model_(std::make_unique<Model>()),
        context_(std::move(file), model_->buffers(), options) {}

  Expected<std::unique_ptr<Model>> Read() {
    model_->schema_version = in_.version();
    if (in_.version() != kSchemaVersion) {
      return BadFile(
          fmt::format("expected schema version {}, found {}", kSchemaVersion, in_.version()));
    }
    model_->has_description = in_.description() != nullptr;
    context_.Fetch(in_.description(), model_->description);
    context_.Fetch(in_.metadata_buffer(), model_->metadata_buffer);
    model_->empty_fields = EmptyFieldsOf(&in_, schema::ModelTypeTable());
    // has_description tells that one.
    model_->empty_fields &= ~(EmptyFields{1} << FieldNumber(schema::Model::VT_DESCRIPTION));
    for (auto read : {&ModelReader::ReadBuffers, &ModelReader::ReadOperatorCodes,
                      &ModelReader::ReadExternalBuffers, &ModelReader::ReadSubgraphs,
                      &ModelReader::ReadSignatures, &ModelReader::ReadMetadata}) {
      if (auto ok = (this->*read)(); !ok) return ok.Error();
      if (context_.over_budget()) {
        return BadFile(
            "expected tables of their own, found vectors that so many tables share that the model "
            "would be far larger than its file");
      }
    }
    FindSpareBuffers();
    KeepTrailingBytes();
    if (auto ok = VerifyModel(*model_); !ok) return ok.Error();
    return std::move(model_);
  }

 private:
  Expected<void> ReadBuffers() {
    if (in_.buffers() == nullptr) return BadFile("expected a list of buffers, found none");
    for (uint32_t i = 0; i < in_.buffers()->size(); ++i) {
      const schema::Buffer& buffer = *in_.buffers()->Get(i);
      // Offsets of 0 and 1 mean none (tflite_schema.fbs).
      const bool is_outside = buffer.data() == nullptr && buffer.offset() > 1;
      SharedBytes bytes;
      if (is_outside) {
        auto outside = context_.TakeOutside("its bytes", {buffer.offset(), buffer.size()});
        if (!outside) return At(outside.Error(), fmt::format("buffer {}", i));
        bytes = *outside;
      } else if (buffer.data() != nullptr) {
        bytes = {.bytes = {buffer.data()->data(), buffer.data()->size()},
                 .owner = context_.file().owner};
      }
      if (i == BufferStore::kEmpty) {
        if (!bytes.bytes.empty() || is_outside) {
          return BadFile(fmt::format("buffer 0: expected no bytes, found {}", bytes.bytes.size()));
        }
        continue;
      }
      if (!bytes.bytes.empty() && !IsAligned(bytes.bytes.data(), kWordAlignmentBytes)) {
        context_.Charge(bytes.bytes.size());
        if (context_.over_budget()) return {};
        SharedBytes copy = SharedBytes::Copy(bytes.bytes);
        ReleasePages(bytes);
        bytes = std::move(copy);
      }
      const BufferStore::Id id = model_->buffers().Add(std::move(bytes));
      model_->buffers().SetOutside(id, is_outside);
    }
    return {};
  }

  Expected<void> ReadOperatorCodes() {
    for (size_t i = 0; i < SizeOf(in_.operator_codes()); ++i) {
      const schema::OperatorCode& code = *in_.operator_codes()->Get(static_cast<uint32_t>(i));
      const auto long_code = static_cast<int32_t>(code.builtin_code());
      // As TFLite reads them: files from before codes beyond 127 have the short one alone, newer
      // ones have both, and 127 in the short one where the code does not fit.
      const int32_t number = std::max<int32_t>(long_code, code.deprecated_builtin_code());
      if (number < 0 || static_cast<size_t>(number) >= AllOpCodes().size()) {
        return BadFile(
            fmt::format("operator code {}: expected a builtin operator below {}, found {}", i,
                        AllOpCodes().size(), number));
      }
      Model::OperatorCode& added = model_->operator_codes.emplace_back();
      added.code = static_cast<LiteRtOpCode>(number);
      context_.Charge(sizeof(added));
      context_.Fetch(code.custom_code(), added.custom_code);
      added.version = code.version();
      added.short_code_in_file = code.deprecated_builtin_code();
      added.long_code_in_file = long_code;
      added.empty_fields = EmptyFieldsOf(&code, schema::OperatorCodeTypeTable());
    }
    return {};
  }

  Expected<void> ReadExternalBuffers() {
    for (size_t i = 0; i < SizeOf(in_.external_buffer_groups()); ++i) {
      context_.Fetch(in_.external_buffer_groups()->Get(static_cast<uint32_t>(i))->name(),
                     model_->external_buffer_groups.emplace_back());
    }
    for (size_t i = 0; i < SizeOf(in_.external_buffers()); ++i) {
      const schema::ExternalBuffer& buffer = *in_.external_buffers()->Get(static_cast<uint32_t>(i));
      if (buffer.group() >= model_->external_buffer_groups.size()) {
        return BadFile(fmt::format("external buffer {}: expected one of {} groups, found index {}",
                                   i, model_->external_buffer_groups.size(), buffer.group()));
      }
      Model::ExternalBuffer& added = model_->external_buffers.emplace_back();
      context_.Charge(sizeof(added));
      added = {.id = buffer.id(),
               .group = buffer.group(),
               .offset = buffer.offset(),
               .length = buffer.length()};
      context_.Fetch(buffer.packing(), added.packing);
      external_ids_.insert(added.id);
    }
    return {};
  }

  Expected<void> ReadSubgraphs() {
    for (size_t i = 0; i < SizeOf(in_.subgraphs()) && !context_.over_budget(); ++i) {
      context_.Charge(sizeof(Subgraph));
      const schema::SubGraph& subgraph = *in_.subgraphs()->Get(static_cast<uint32_t>(i));
      if (auto ok = ReadSubgraph(subgraph, model_->AddSubgraph()); !ok)
        return At(ok.Error(), fmt::format("subgraph {}", i));
    }
    return {};
  }

  Expected<void> ReadSubgraph(const schema::SubGraph& in, Subgraph& out) {
    context_.Fetch(in.name(), out.name);
    out.debug_metadata_index = in.debug_metadata_index();
    out.empty_fields = EmptyFieldsOf(&in, schema::SubGraphTypeTable());
    for (size_t i = 0; i < SizeOf(in.tensors()) && !context_.over_budget(); ++i) {
      context_.Charge(sizeof(Tensor));
      Tensor& tensor = out.AddTensor();
      auto ok = ReadTensor(*in.tensors()->Get(static_cast<uint32_t>(i)), context_, tensor);
      if (!ok) return At(ok.Error(), TensorText(tensor));
      // Here since only a tensor tells how wide the elements of its buffer are.
      AlignWideElements(tensor);
      if (tensor.external_buffer != 0 && !external_ids_.contains(tensor.external_buffer)) {
        return BadFile(fmt::format("{}: expected the id of an external buffer, found {}",
                                   TensorText(tensor), tensor.external_buffer));
      }
    }
    for (size_t i = 0; i < SizeOf(in.operators()) && !context_.over_budget(); ++i) {
      context_.Charge(sizeof(Op));
      Op& op = out.AddOp();
      auto ok = ReadOp(*in.operators()->Get(static_cast<uint32_t>(i)), model_->operator_codes,
                       context_, out, op);
      if (!ok) return At(ok.Error(), OpText(op));
    }
    if (auto ok = ReadTensorList("input", in.inputs(), out, out.inputs); !ok) return ok;
    return ReadTensorList("output", in.outputs(), out, out.outputs);
  }

  void AlignWideElements(const Tensor& tensor) {
    if (ElementBits(tensor.element_type) < 64) return;
    const SharedBytes& bytes = context_.buffers().Get(tensor.weights.buffer_id);
    const size_t size_bytes = bytes.bytes.size();
    if (size_bytes == 0 || size_bytes > kSmallBufferBytes) return;
    if (IsAligned(bytes.bytes.data(), kWideAlignmentBytes)) return;
    context_.Charge(size_bytes);
    if (context_.over_budget()) return;
    context_.buffers().Replace(tensor.weights.buffer_id, SharedBytes::Copy(bytes.bytes));
  }

  Expected<void> ReadTensorList(const char* what, const flatbuffers::Vector<int32_t>* indices,
                                const Subgraph& subgraph, std::vector<Tensor*>& out) {
    context_.Charge(SizeOf(indices) * sizeof(Tensor*));
    for (size_t i = 0; i < SizeOf(indices) && !context_.over_budget(); ++i) {
      const int32_t index = indices->Get(static_cast<uint32_t>(i));
      if (index < 0 || static_cast<size_t>(index) >= subgraph.tensors().size()) {
        return BadFile(fmt::format("{} {}: expected one of {} tensors, found index {}", what, i,
                                   subgraph.tensors().size(), index));
      }
      out.push_back(&subgraph.tensor(static_cast<size_t>(index)));
    }
    return {};
  }

  Expected<void> ReadSignatures() {
    for (size_t i = 0; i < SizeOf(in_.signature_defs()); ++i) {
      const schema::SignatureDef& in = *in_.signature_defs()->Get(static_cast<uint32_t>(i));
      if (in.subgraph_index() >= model_->subgraphs().size()) {
        return BadFile(fmt::format("signature {}: expected one of {} subgraphs, found index {}", i,
                                   model_->subgraphs().size(), in.subgraph_index()));
      }
      auto& out = *model_->signatures.emplace_back(std::make_unique<Signature>());
      context_.Charge(sizeof(out));
      context_.Fetch(in.signature_key(), out.key);
      context_.Fetch(in.deprecated_tag(), out.deprecated_tag);
      out.subgraph = &model_->subgraph(in.subgraph_index());
      out.empty_fields = EmptyFieldsOf(&in, schema::SignatureDefTypeTable());
      if (auto ok = ReadNamedTensors(in.inputs(), *out.subgraph, out.inputs); !ok) {
        return At(ok.Error(), fmt::format("signature '{}', input", out.key));
      }
      if (auto ok = ReadNamedTensors(in.outputs(), *out.subgraph, out.outputs); !ok) {
        return At(ok.Error(), fmt::format("signature '{}', output", out.key));
      }
    }
    return {};
  }

  Expected<void> ReadNamedTensors(
      const flatbuffers::Vector<flatbuffers::Offset<schema::TensorMap>>* in,
      const Subgraph& subgraph, std::vector<Signature::NamedTensor>& out) {
    context_.Charge(SizeOf(in) * sizeof(Signature::NamedTensor));
    for (size_t i = 0; i < SizeOf(in) && !context_.over_budget(); ++i) {
      const schema::TensorMap& entry = *in->Get(static_cast<uint32_t>(i));
      if (entry.tensor_index() >= subgraph.tensors().size()) {
        return BadFile(fmt::format("{}: expected one of {} tensors, found index {}", i,
                                   subgraph.tensors().size(), entry.tensor_index()));
      }
      auto& added = out.emplace_back();
      context_.Fetch(entry.name(), added.name);
      added.tensor = &subgraph.tensor(entry.tensor_index());
    }
    return {};
  }

  Expected<void> ReadMetadata() {
    for (size_t i = 0; i < SizeOf(in_.metadata()); ++i) {
      const schema::Metadata& in = *in_.metadata()->Get(static_cast<uint32_t>(i));
      if (in.buffer() >= in_.buffers()->size()) {
        return BadFile(fmt::format("metadata {}: expected one of {} buffers, found index {}", i,
                                   in_.buffers()->size(), in.buffer()));
      }
      Model::Metadata& added = model_->metadata.emplace_back();
      context_.Charge(sizeof(added));
      context_.Fetch(in.name(), added.name);
      added.buffer = in.buffer();
    }
    return {};
  }

  void FindSpareBuffers() {
    std::vector<bool> used(std::max<size_t>(1, in_.buffers()->size()));
    used[BufferStore::kEmpty] = true;
    for (const auto& subgraph : model_->subgraphs()) {
      for (const auto& tensor : subgraph->tensors()) used[tensor->weights.buffer_id] = true;
    }
    for (const Model::Metadata& entry : model_->metadata) used[entry.buffer] = true;
    for (uint32_t id = 0; id < used.size(); ++id) {
      if (!used[id]) model_->spare_buffers.push_back(id);
    }
  }

  // What lies between and behind the known parts. Gaps of zeros are padding.
  void KeepTrailingBytes() {
    const SharedBytes& file = context_.file();
    std::vector<FileRegion> known = context_.outside();
    std::sort(known.begin(), known.end());
    known.push_back({.offset_bytes = file.bytes.size()});
    uint64_t end = FlatBufferEndBytes(file.bytes.data(), schema::ModelTypeTable());
    for (const FileRegion& region : known) {
      if (region.offset_bytes > end) {
        const auto gap = file.bytes.subspan(end, region.offset_bytes - end);
        if (std::any_of(gap.begin(), gap.end(), [](uint8_t byte) { return byte != 0; })) {
          model_->trailing_bytes.push_back({.bytes = gap, .owner = file.owner});
        }
      }
      end = std::max(end, region.offset_bytes + region.size_bytes);
    }
  }

  const schema::Model& in_;
  std::unique_ptr<Model> model_;
  ReadContext context_;
  std::unordered_set<uint32_t> external_ids_;
};

Expected<std::unique_ptr<Model>> Parse(SharedBytes file, const ReadOptions& options) {
  // FlatBuffers reads numbers where they stand.
  if (!IsAligned(file.bytes.data(), kFileAlignmentBytes)) file = SharedBytes::Copy(file.bytes);
  auto flatbuffer = VerifyFlatBuffer(file.bytes);
  if (!flatbuffer) return flatbuffer.Error();
  return ModelReader(std::move(file), **flatbuffer, options).Read();
}

}  // namespace

Expected<std::unique_ptr<Model>> ParseModel(SharedBytes file, std::string_view origin,
                                            const ReadOptions& options) {
  auto model = Parse(std::move(file), options);
  if (!model) return At(model.Error(), origin);
  return model;
}

Expected<std::unique_ptr<Model>> LoadModel(const std::string& path, const ReadOptions& options) {
  auto file = MapModel(path);
  if (!file) return file.Error();
  const SharedBytes whole = *file;
  auto model = ParseModel(std::move(*file), path, options);
  ReleaseFile(whole);  // what was read of it stands in the model now; weights are read when used
  return model;
}

}  // namespace npukit
