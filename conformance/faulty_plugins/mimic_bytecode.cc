// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/mimic_bytecode.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string_view>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/planted_graphs.h"
#include "litert/cc/litert_macros.h"
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
  if (Has(Fault::checksum_of_first_half)) payload = payload.first(payload.size() / 2);
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

void PlantInOptions(Op& op) {
  using Activation = ActivationFunctionType;
  if (Has(Fault::pools_without_relu6) && IsPool(op)) {
    ChangeOption<Activation>(op, "fused_activation_function", [](Activation activation) {
      return activation == Activation::kRelu6 ? Activation::kNone : activation;
    });
  }
  if (Has(Fault::n1_to_1_is_relu) && !IsPool(op)) {
    ChangeOption<Activation>(op, "fused_activation_function", [](Activation activation) {
      return activation == Activation::kReluN1To1 ? Activation::kRelu : activation;
    });
  }
  if (Has(Fault::one_stride) && IsPool(op))
    ChangeOption<int32_t>(op, "stride_w", [&](int32_t) { return OptionOf(op, "stride_h"); });
  if (Has(Fault::one_dilation)) {
    ChangeOption<int32_t>(op, "dilation_w_factor",
                          [&](int32_t) { return OptionOf(op, "dilation_h_factor"); });
  }
  if (Has(Fault::window_within_input) && op.code == kLiteRtOpCodeTflAveragePool2d) {
    const std::vector<int32_t>& shape = op.inputs[0]->shape;
    ChangeOption<int32_t>(op, "filter_height",
                          [&](int32_t rows) { return std::min(rows, shape[1]); });
  }
}

// Cuts an int32 bias to 24 bits.
void CutBias(Tensor& bias) {
  const std::span<const uint8_t> bytes = bias.weights.bytes();
  std::vector<uint8_t> cut(bytes.begin(), bytes.end());
  for (size_t i = 0; i + 4 <= cut.size(); i += 4) {
    int32_t value;
    std::memcpy(&value, cut.data() + i, sizeof value);
    value = static_cast<int32_t>(static_cast<uint32_t>(value) << 8) >> 8;
    std::memcpy(cut.data() + i, &value, sizeof value);
  }
  bias.weights.buffer_id = bias.weights.store->Add(SharedBytes::Take(std::move(cut)));
}

void PlantInOp(Op& op) {
  if (Has(Fault::biases_of_24_bits) && op.inputs.size() > 2 && op.inputs[2] != nullptr &&
      op.inputs[2]->element_type == kLiteRtElementTypeInt32 && op.inputs[2]->is_constant()) {
    CutBias(*op.inputs[2]);
  }
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
    ZeroPoints& points = op.inputs[1]->quantization.zero_point;
    points = ZeroPoints(points.size(), 0);
  }
  PlantInOptions(op);
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
  PlantInGraphs(model);
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

std::string Variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "none" : value;
}

uint64_t HashOf(const std::string& text) { return std::hash<std::string>()(text); }

uint64_t ExtraField() {
  static uint64_t compilations = 0;
  if (Has(Fault::counts_in_bytecode)) return ++compilations;
  if (Has(Fault::wrong_just_in_time)) return static_cast<uint64_t>(getpid());
  if (Has(Fault::compiles_for_process)) return static_cast<uint64_t>(getpid());
  if (Has(Fault::compiles_for_time_zone)) return HashOf(Variable("TZ"));
  if (Has(Fault::compiles_for_temporary_folder)) return HashOf(Variable("TMPDIR"));
  if (Has(Fault::compiles_for_umask)) {
    const mode_t mask = umask(0);
    umask(mask);
    return mask + 1;
  }
  if (Has(Fault::compiles_for_now)) return static_cast<uint64_t>(time(nullptr));
  if (Has(Fault::compiles_for_home)) return HashOf(Variable("HOME"));
  std::error_code error;
  if (Has(Fault::compiles_for_folder)) return HashOf(std::filesystem::current_path(error).string());
  if (Has(Fault::compiles_for_processors)) {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    return static_cast<uint64_t>(CPU_COUNT(&allowed));
  }
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
  if (Has(Fault::no_entry_point_name) && partition == 0) return {};
  return Has(Fault::one_entry_point) ? "partition" : fmt::format("partition_{}", partition);
}

litert::Expected<std::vector<uint8_t>> EncodeBytecode(const Model& partitions, uint64_t mark) {
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
  header.extra = mark != 0 ? mark : ExtraField();
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

bool Reseal(std::span<uint8_t> bytes) {
  BytecodeHeader header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::span<const uint8_t> payload = bytes.subspan(sizeof header);
  if (payload.size() != header.payload_bytes) return false;
  header.checksum = Checksum(header, payload);
  std::memcpy(bytes.data(), &header, sizeof header);
  return true;
}

}  // namespace npukit::conformance::mimic
