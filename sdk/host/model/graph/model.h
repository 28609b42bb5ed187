// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The graph IR. These types are also what the C API's handles point at
// (LiteRtModel is LiteRtModelT*), so that no call across the plugin ABI needs a
// lookup. Reading is thread-safe; editing is not.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/subgraph.h"

// Named inputs and outputs of a subgraph; the C API's LiteRtSignature.
struct LiteRtSignatureT {
  struct NamedTensor {
    std::string name;
    LiteRtTensorT* tensor = nullptr;
    bool operator==(const NamedTensor&) const = default;
  };
  std::string key;
  LiteRtSubgraphT* subgraph = nullptr;
  std::vector<NamedTensor> inputs;
  std::vector<NamedTensor> outputs;
  std::string deprecated_tag;            // of old files, kept
  npukit::EmptyFields empty_fields = 0;  // of the schema's SignatureDef
};

struct LiteRtModelT {
 public:
  // Entry of the file's operator_codes; kept in file order so that saving
  // changes nothing that was not edited.
  struct OperatorCode {
    LiteRtOpCode code = kLiteRtOpCodeTflCustom;
    std::string custom_code;
    int32_t version = 1;
    // The code stands twice in a file: in 8 bits (at most 127) and in 32;
    // readers take the larger. These hold what a loaded file had; nullopt: as
    // the code demands.
    std::optional<int8_t> short_code_in_file;
    std::optional<int32_t> long_code_in_file;
    npukit::EmptyFields empty_fields = 0;
    bool operator==(const OperatorCode&) const = default;
  };
  struct Metadata {
    std::string name;
    npukit::BufferStore::Id buffer = npukit::BufferStore::kEmpty;
  };
  struct ExternalBuffer {
    uint32_t id = 0;
    uint32_t group = 0;
    uint64_t offset = 0;
    uint64_t length = 0;
    std::string packing;
    bool operator==(const ExternalBuffer&) const = default;
  };

  uint32_t schema_version = 3;
  std::string description;
  bool has_description = false;
  std::vector<OperatorCode> operator_codes;
  std::vector<Metadata> metadata;
  std::vector<int32_t> metadata_buffer;  // the schema's older list of buffer
                                         // ids, kept in step by SetMetadata
  std::vector<std::unique_ptr<LiteRtSignatureT>> signatures;
  std::vector<std::string> external_buffer_groups;
  std::vector<ExternalBuffer> external_buffers;
  // Buffers of the file that nothing referred to; written though still unused.
  // Any other buffer is written only if something refers to it.
  std::vector<npukit::BufferStore::Id> spare_buffers;
  // Bytes behind the FlatBuffer that nothing known refers to; written last.
  std::vector<npukit::SharedBytes> trailing_bytes;
  npukit::EmptyFields empty_fields = 0;  // of the schema's Model

  // With a store of its own, or sharing another model's.
  LiteRtModelT() : store_(std::make_shared<npukit::BufferStore>()) {}
  explicit LiteRtModelT(std::shared_ptr<npukit::BufferStore> store) : store_(std::move(store)) {}
  LiteRtModelT(const LiteRtModelT&) = delete;
  LiteRtModelT& operator=(const LiteRtModelT&) = delete;

  LiteRtSubgraphT& AddSubgraph();
  // One taken out of a model that shares this one's buffers. What its options
  // say about other subgraphs is left as it is.
  LiteRtSubgraphT& AddSubgraph(std::unique_ptr<LiteRtSubgraphT> subgraph);
  std::span<const std::unique_ptr<LiteRtSubgraphT>> subgraphs() const { return subgraphs_; }
  LiteRtSubgraphT& subgraph(size_t index) const { return *subgraphs_[index]; }
  // Subgraph 0; a loaded model always has one.
  LiteRtSubgraphT& main_subgraph() const { return *subgraphs_.front(); }
  // Moves a subgraph out of the model; later ones shift down, and with them the
  // indices in the composites' and control-flow ops' options. The caller must
  // know that nothing refers to it any more.
  std::unique_ptr<LiteRtSubgraphT> TakeSubgraph(size_t index);

  npukit::BufferStore& buffers() const { return *store_; }
  const std::shared_ptr<npukit::BufferStore>& shared_buffers() const { return store_; }

  // Null if there is none of that name.
  const Metadata* FindMetadata(std::string_view name) const;
  // Adds, or replaces what stands under that name.
  void SetMetadata(std::string_view name, npukit::SharedBytes bytes);

 private:
  std::shared_ptr<npukit::BufferStore> store_;
  std::vector<std::unique_ptr<LiteRtSubgraphT>> subgraphs_;
};

namespace npukit {
using Model = ::LiteRtModelT;
using Signature = ::LiteRtSignatureT;
}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_H_
