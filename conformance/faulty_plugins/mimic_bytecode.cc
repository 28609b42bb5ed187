// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/mimic_bytecode.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "conformance/faulty_plugins/fault.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/options/option_fields.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/copy.h"

namespace npukit::conformance::mimic {
namespace {

litert::Unexpected Refused(const char* why) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, std::string("bytecode: ") + why);
}

uint64_t Checksum(const BytecodeHeader& header, std::span<const uint8_t> payload) {
  uint64_t hash = 0xcbf29ce484222325u ^ header.extra ^ header.payload_bytes;
  for (uint8_t byte : payload) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

std::unique_ptr<LiteRtSignatureT> SignatureFor(Subgraph& subgraph, const std::string& key) {
  auto signature = std::make_unique<LiteRtSignatureT>();
  signature->key = key;
  signature->subgraph = &subgraph;
  for (Tensor* input : subgraph.inputs) {
    signature->inputs.push_back({fmt::format("in{}", signature->inputs.size()), input});
  }
  for (Tensor* output : subgraph.outputs) {
    signature->outputs.push_back({fmt::format("out{}", signature->outputs.size()), output});
  }
  return signature;
}

void PlantInOp(Op& op) {
  if (Has(Fault::ignores_activation)) {
    VisitFields(op.options, []<typename T>(const char*, T& field) {
      if constexpr (std::is_same_v<T, ActivationFunctionType>)
        field = ActivationFunctionType::kNone;
    });
  }
  if (Has(Fault::swaps_operands) && op.code == kLiteRtOpCodeTflSub) {
    Tensor* first = op.inputs[0];
    Tensor* second = op.inputs[1];
    Subgraph::ReplaceInput(op, 0, second);
    Subgraph::ReplaceInput(op, 1, first);
  }
  if (Has(Fault::ignores_zero_point) && op.inputs.size() > 1 && op.inputs[1] != nullptr &&
      op.inputs[1] != op.inputs[0]) {
    std::fill(op.inputs[1]->quantization.zero_point.begin(),
              op.inputs[1]->quantization.zero_point.end(), 0);
  }
  if (Has(Fault::first_channels_scale)) {
    for (Tensor* input : op.inputs) {
      if (input == nullptr || !input->quantization.is_per_channel()) continue;
      std::vector<float>& scales = input->quantization.scale;
      std::fill(scales.begin(), scales.end(), scales.front());
    }
  }
}

void PlantInModel(Model& model) {
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) PlantInOp(*op);
  }
}

// The payload lies in this process's memory and stays there; the bytecode only says where.
std::vector<uint8_t> PointerToPayload(std::vector<uint8_t> payload) {
  auto* kept = new std::vector<uint8_t>(std::move(payload));
  const uint64_t fields[2] = {reinterpret_cast<uint64_t>(kept->data()), kept->size()};
  std::vector<uint8_t> pointer(sizeof fields);
  std::memcpy(pointer.data(), fields, sizeof fields);
  return pointer;
}

// A file must have a decomposition for each composite, and partitions have none: this one hands its
// first input back. It is never run, since the host knows the composites that Mimic takes.
void AddDecompositions(Model& model, Subgraph& subgraph) {
  for (const auto& op : subgraph.ops()) {
    if (op->OptionsAs<StableHLOCompositeOptions>() == nullptr) continue;
    op->options.As<StableHLOCompositeOptions>()->decomposition_subgraph_index =
        static_cast<int32_t>(model.subgraphs().size());
    Subgraph& body = model.AddSubgraph();
    for (const Tensor* input : op->inputs) {
      Tensor& tensor = body.AddTensor();
      tensor.name = fmt::format("in{}", body.inputs.size());
      tensor.element_type = input->element_type;
      tensor.shape = input->shape;
      body.inputs.push_back(&tensor);
    }
    body.outputs.assign(op->outputs.size(), body.inputs.front());
  }
}

uint64_t ExtraField() {
  static uint64_t compilations = 0;
  if (Has(Fault::counts_in_bytecode)) return ++compilations;
  if (Has(Fault::wrong_just_in_time)) return static_cast<uint64_t>(getpid());
  return 0;
}

litert::Expected<std::span<const uint8_t>> CheckHeader(std::span<const uint8_t> bytes,
                                                       BytecodeHeader& header) {
  if (bytes.size() < sizeof header) return Refused("shorter than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, BytecodeHeader().magic, sizeof header.magic) != 0)
    return Refused("not Mimic's");
  if (header.version != BytecodeHeader().version) return Refused("of another version");
  if (Has(Fault::reads_past_end)) {
    const std::span<const uint8_t> believed(bytes.data() + sizeof header, header.payload_bytes);
    if (Checksum(header, believed) != header.checksum) return Refused("damaged");
    return believed;
  }
  const std::span<const uint8_t> payload = bytes.subspan(sizeof header);
  if (payload.size() != header.payload_bytes) return Refused("not as long as its header says");
  if (!Has(Fault::no_checksum) && Checksum(header, payload) != header.checksum)
    return Refused("damaged");
  return payload;
}

}  // namespace

std::string EntryPointName(size_t partition) {
  return Has(Fault::one_entry_point) ? "partition" : fmt::format("partition_{}", partition);
}

litert::Expected<std::vector<uint8_t>> EncodeBytecode(const Model& partitions) {
  const std::unique_ptr<Model> model = CopyModel(partitions);
  const size_t count = model->subgraphs().size();
  model->signatures.clear();
  for (size_t i = 0; i < count; ++i) {
    model->signatures.push_back(SignatureFor(model->subgraph(i), fmt::format("partition_{}", i)));
    AddDecompositions(*model, model->subgraph(i));
  }
  PlantInModel(*model);
  LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> payload, SerializeModel(*model));
  if (Has(Fault::pointer_in_bytecode)) payload = PointerToPayload(std::move(payload));
  BytecodeHeader header;
  header.payload_bytes = payload.size();
  header.extra = ExtraField();
  header.checksum = Checksum(header, payload);
  std::vector<uint8_t> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

litert::Expected<DecodedBytecode> DecodeBytecode(std::span<const uint8_t> bytes) {
  DecodedBytecode decoded;
  if (Has(Fault::aligned_bytecode_only) && reinterpret_cast<uintptr_t>(bytes.data()) % 8 != 0) {
    return Refused("not aligned to 8 bytes");
  }
  auto payload = CheckHeader(bytes, decoded.header);
  if (!payload && Has(Fault::anything_is_bytecode)) return decoded;
  if (!payload) return payload.Error();
  std::span<const uint8_t> file = *payload;
  if (Has(Fault::pointer_in_bytecode)) {
    uint64_t fields[2];
    std::memcpy(fields, file.data(), sizeof fields);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the planted fault
    file = {reinterpret_cast<const uint8_t*>(fields[0]), fields[1]};
  }
  LITERT_ASSIGN_OR_RETURN(decoded.model, ParseModel(SharedBytes::Copy(file), "bytecode"));
  return decoded;
}

}  // namespace npukit::conformance::mimic
