// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/writing/model_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sdk/host/model/file/file_layout.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/file/stored_fields.h"
#include "sdk/host/model/file/tflite_schema_generated.h"

#include "sdk/host/model/options/dispatch_options.h"
#include "sdk/host/model/writing/buffer_plan.h"
#include "sdk/host/model/writing/graph_writer.h"

namespace npukit {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using litert::Expected;

constexpr size_t kOutsideAlignmentBytes = 16;

// -- The FlatBuffer, with placeholders for offsets in the file --

class FlatBufferWriter {
 public:
  FlatBufferWriter(const Model& model, const BufferPlan& plan)
      : model_(model),
        plan_(plan),
        builder_(InitialBytes(model, plan)),
        codes_(model.operator_codes) {}

  Expected<flatbuffers::DetachedBuffer> Write() {
    using Fields = schema::Model;
    const EmptyFields empty = model_.empty_fields;
    // The constants come first, which puts them last in the file: the graph is
    // close together at its start.
    const auto buffers = builder_.CreateVector(WriteBuffers());
    auto subgraphs = WriteSubgraphs();
    if (!subgraphs) return subgraphs.Error();
    auto signatures = WriteSignatures();
    if (!signatures) return signatures.Error();
    const auto subgraph_vector = builder_.CreateVector(*subgraphs);
    const auto code_vector = Store(WriteOperatorCodes(), Fields::VT_OPERATOR_CODES);
    const auto signature_vector = Store(*signatures, Fields::VT_SIGNATURE_DEFS);
    const auto metadata = Store(WriteMetadata(), Fields::VT_METADATA);
    const auto metadata_buffer = StoreVector<int32_t>(builder_, RenumberedMetadataBuffers(), empty,
                                                      FieldNumber(Fields::VT_METADATA_BUFFER));
    const auto groups = Store(WriteExternalGroups(), Fields::VT_EXTERNAL_BUFFER_GROUPS);
    const auto externals = Store(WriteExternalBuffers(), Fields::VT_EXTERNAL_BUFFERS);
    const auto description = model_.has_description || !model_.description.empty()
                                 ? builder_.CreateString(model_.description)
                                 : Offset<flatbuffers::String>(0);
    schema::FinishModelBuffer(
        builder_, schema::CreateModel(builder_, model_.schema_version, code_vector, subgraph_vector,
                                      description, buffers, metadata_buffer, metadata,
                                      signature_vector, groups, externals));
    return builder_.Release();
  }

 private:
  static size_t InitialBytes(const Model& model, const BufferPlan& plan) {
    size_t bytes = size_t{64} << 10;
    for (const BufferPlan::Entry& entry : plan.entries) {
      if (!entry.outside) bytes += model.buffers().Get(entry.id).bytes.size() + 64;
    }
    return bytes;
  }

  template <typename T>
  Offset<flatbuffers::Vector<T>> Store(const std::vector<T>& values,
                                       flatbuffers::voffset_t vtable_place) {
    return StoreVector<T>(builder_, values, model_.empty_fields, FieldNumber(vtable_place));
  }

  std::vector<Offset<schema::Buffer>> WriteBuffers() {
    std::vector<Offset<schema::Buffer>> written;
    for (const BufferPlan::Entry& entry : plan_.entries) {
      const std::span<const uint8_t> bytes = model_.buffers().Get(entry.id).bytes;
      if (entry.outside) {
        written.push_back(schema::CreateBuffer(builder_, 0, kOffsetPlaceholder, bytes.size()));
      } else if (bytes.data() == nullptr) {
        written.push_back(schema::CreateBuffer(builder_));
      } else {
        builder_.ForceVectorAlignment(bytes.size(), sizeof(uint8_t), 16);
        written.push_back(
            schema::CreateBuffer(builder_, builder_.CreateVector(bytes.data(), bytes.size())));
      }
    }
    return written;
  }

  Expected<std::vector<Offset<schema::SubGraph>>> WriteSubgraphs() {
    GraphWriter graph_writer(builder_, plan_, codes_);
    std::vector<Offset<schema::SubGraph>> written;
    for (const auto& subgraph : model_.subgraphs()) {
      auto offset = graph_writer.Write(*subgraph);
      if (!offset)
        return CannotWrite(
            fmt::format("subgraph {}: {}", written.size(), offset.Error().Message()));
      written.push_back(*offset);
    }
    return written;
  }

  std::vector<Offset<schema::OperatorCode>> WriteOperatorCodes() {
    std::vector<Offset<schema::OperatorCode>> written;
    for (const Model::OperatorCode& code : codes_) {
      const auto number = static_cast<int32_t>(code.code);
      const auto custom_code = StoreString(builder_, code.custom_code, code.empty_fields,
                                           FieldNumber(schema::OperatorCode::VT_CUSTOM_CODE));
      const auto short_code = static_cast<int8_t>(std::min(number, 127));
      written.push_back(schema::CreateOperatorCode(
          builder_, code.short_code_in_file.value_or(short_code), custom_code, code.version,
          static_cast<schema::BuiltinOperator>(code.long_code_in_file.value_or(number))));
    }
    return written;
  }

  Expected<std::vector<Offset<schema::SignatureDef>>> WriteSignatures() {
    std::vector<Offset<schema::SignatureDef>> written;
    for (const auto& signature : model_.signatures) {
      using Fields = schema::SignatureDef;
      const auto subgraphs = model_.subgraphs();
      const auto place =
          std::find_if(subgraphs.begin(), subgraphs.end(),
                       [&](const auto& subgraph) { return subgraph.get() == signature->subgraph; });
      if (place == subgraphs.end())
        return CannotWrite(
            fmt::format("signature '{}': expected a subgraph of the model", signature->key));
      const auto inputs = WriteNamedTensors(signature->inputs, signature->empty_fields,
                                            FieldNumber(Fields::VT_INPUTS));
      const auto outputs = WriteNamedTensors(signature->outputs, signature->empty_fields,
                                             FieldNumber(Fields::VT_OUTPUTS));
      const auto key = StoreString(builder_, signature->key, signature->empty_fields,
                                   FieldNumber(Fields::VT_SIGNATURE_KEY));
      const auto tag = StoreString(builder_, signature->deprecated_tag, signature->empty_fields,
                                   FieldNumber(Fields::VT_DEPRECATED_TAG));
      written.push_back(schema::CreateSignatureDef(
          builder_, inputs, outputs, key, tag, static_cast<uint32_t>(place - subgraphs.begin())));
    }
    return written;
  }

  Offset<flatbuffers::Vector<Offset<schema::TensorMap>>> WriteNamedTensors(
      const std::vector<Signature::NamedTensor>& tensors, EmptyFields empty_fields, size_t field) {
    std::vector<Offset<schema::TensorMap>> written;
    for (const auto& named : tensors) {
      const auto name = builder_.CreateString(named.name);
      written.push_back(schema::CreateTensorMap(builder_, name, named.tensor->index));
    }
    return StoreVector<Offset<schema::TensorMap>>(builder_, written, empty_fields, field);
  }

  uint32_t NumberOf(BufferStore::Id id) const {
    const auto place = plan_.numbers.find(id);
    return place == plan_.numbers.end() ? 0 : place->second;
  }

  std::vector<Offset<schema::Metadata>> WriteMetadata() {
    std::vector<Offset<schema::Metadata>> written;
    for (const Model::Metadata& entry : model_.metadata) {
      const auto name = builder_.CreateString(entry.name);
      written.push_back(schema::CreateMetadata(builder_, name, NumberOf(entry.buffer)));
    }
    return written;
  }

  // An id that stands for no buffer in the file says nothing and is kept as it
  // is.
  std::vector<int32_t> RenumberedMetadataBuffers() const {
    std::vector<int32_t> numbers;
    for (int32_t id : model_.metadata_buffer) {
      const auto place = plan_.numbers.find(static_cast<BufferStore::Id>(id));
      numbers.push_back(
          id < 0 || place == plan_.numbers.end() ? id : static_cast<int32_t>(place->second));
    }
    return numbers;
  }

  std::vector<Offset<schema::ExternalBufferGroup>> WriteExternalGroups() {
    std::vector<Offset<schema::ExternalBufferGroup>> written;
    for (const std::string& name : model_.external_buffer_groups) {
      written.push_back(schema::CreateExternalBufferGroup(builder_, builder_.CreateString(name)));
    }
    return written;
  }

  std::vector<Offset<schema::ExternalBuffer>> WriteExternalBuffers() {
    std::vector<Offset<schema::ExternalBuffer>> written;
    for (const Model::ExternalBuffer& buffer : model_.external_buffers) {
      const auto packing = StoreString(builder_, buffer.packing, 0, 0);
      written.push_back(schema::CreateExternalBuffer(builder_, buffer.id, buffer.group,
                                                     buffer.offset, buffer.length, packing));
    }
    return written;
  }

  const Model& model_;
  const BufferPlan& plan_;
  FlatBufferBuilder builder_;
  std::vector<Model::OperatorCode> codes_;
};

// -- What lies behind it --

void SetNumber(const void* table, flatbuffers::voffset_t vtable_place, uint64_t value) {
  auto* mutable_table = static_cast<flatbuffers::Table*>(const_cast<void*>(table));
  mutable_table->SetField<uint64_t>(vtable_place, value, 0);
}

// Lays out the parts of the file and patches their offsets into the FlatBuffer.
class FileWriter {
 public:
  FileWriter(const Model& model, const BufferPlan& plan, const WriteOptions& options,
             flatbuffers::DetachedBuffer flatbuffer)
      : model_(model), plan_(plan), options_(options), flatbuffer_(std::move(flatbuffer)) {
    layout_.Append({flatbuffer_.data(), flatbuffer_.size()});
    const schema::Model& root = *schema::GetModel(flatbuffer_.data());
    // Offsets are known once all before is laid out. They are written over placeholders of the same
    // width, so nothing moves.
    ForEachOp(root, &FileWriter::AppendModule);
    AppendBuffers(root);
    ForEachOp(root, &FileWriter::AppendCustomOptions);
    for (const SharedBytes& bytes : model_.trailing_bytes) layout_.Append(bytes.bytes);
  }

  const FileLayout& layout() const { return layout_; }

 private:
  void ForEachOp(const schema::Model& root,
                 void (FileWriter::*visit)(const Op&, const schema::Operator&)) {
    for (size_t s = 0; s < model_.subgraphs().size(); ++s) {
      const auto* written = root.subgraphs()->Get(static_cast<uint32_t>(s))->operators();
      for (const auto& op : model_.subgraph(s).ops()) (this->*visit)(*op, *written->Get(op->index));
    }
  }

  void AppendModule(const Op& op, const schema::Operator& written) {
    // Ops of one module share its bytes (ModuleOffset).
    if (!op.dispatch || op.dispatch->bytecode == BufferStore::kEmpty) return;
    const std::span<const uint8_t> bytes = model_.buffers().Get(op.dispatch->bytecode).bytes;
    const DispatchOptions options{
        .bytecode_size_bytes = bytes.size(),
        .bytecode_offset_bytes = ModuleOffset(op.dispatch->bytecode, bytes),
        .name = op.dispatch->entry_point};
    auto* custom_options = const_cast<uint8_t*>(written.custom_options()->data());
    UpdateDispatchOptions(options, {custom_options, written.custom_options()->size()});
  }

  // Known by its id or by its bytes, or appended.
  uint64_t ModuleOffset(BufferStore::Id id, std::span<const uint8_t> bytes) {
    if (const auto known = module_offsets_.find(id); known != module_offsets_.end())
      return known->second;
    for (const auto& [other, offset] : module_offsets_) {
      if (std::ranges::equal(model_.buffers().Get(other).bytes, bytes))
        return module_offsets_[id] = offset;
    }
    layout_.AlignTo(options_.bytecode_alignment);
    return module_offsets_[id] = layout_.Append(bytes);
  }

  void AppendBuffers(const schema::Model& root) {
    for (size_t i = 0; i < plan_.entries.size(); ++i) {
      if (!plan_.entries[i].outside) continue;
      layout_.AlignTo(kOutsideAlignmentBytes);
      const uint64_t offset = layout_.Append(model_.buffers().Get(plan_.entries[i].id).bytes);
      SetNumber(root.buffers()->Get(static_cast<uint32_t>(i)), schema::Buffer::VT_OFFSET, offset);
    }
  }

  void AppendCustomOptions(const Op& op, const schema::Operator& written) {
    if (!HasOutsideCustomOptions(op, plan_)) return;
    layout_.AlignTo(kOutsideAlignmentBytes);
    SetNumber(&written, schema::Operator::VT_LARGE_CUSTOM_OPTIONS_OFFSET,
              layout_.Append(op.custom_options));
  }

  const Model& model_;
  const BufferPlan& plan_;
  const WriteOptions& options_;
  flatbuffers::DetachedBuffer flatbuffer_;
  FileLayout layout_;
  std::map<BufferStore::Id, uint64_t> module_offsets_;
};

// Calls `use` with the layout while what it refers to is there.
template <typename Use>
auto WithLayout(const Model& model, const WriteOptions& options, Use&& use)
    -> decltype(use(std::declval<const FileLayout&>())) {
  const size_t alignment = options.bytecode_alignment;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("expected a bytecode alignment that is a power of two, found {}", alignment));
  }
  auto plan = PlanBuffers(model, options.max_inside_bytes);
  if (!plan) return plan.Error();
  auto flatbuffer = FlatBufferWriter(model, *plan).Write();
  if (!flatbuffer) return flatbuffer.Error();
  const FileWriter writer(model, *plan, options, std::move(*flatbuffer));
  return use(writer.layout());
}

}  // namespace

Expected<std::vector<uint8_t>> SerializeModel(const Model& model, const WriteOptions& options) {
  return WithLayout(model, options, [](const FileLayout& layout) -> Expected<std::vector<uint8_t>> {
    return layout.Join();
  });
}

Expected<void> SaveModel(const Model& model, const std::string& path, const WriteOptions& options) {
  return WithLayout(model, options,
                    [&](const FileLayout& layout) { return WriteFile(path, layout.pieces()); });
}

}  // namespace npukit
