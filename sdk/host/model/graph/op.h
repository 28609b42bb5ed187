// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An operation of the graph.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_OP_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_OP_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_op_code.h"
#include "sdk/host/model/graph/buffer_store.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/model/options/empty_fields.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit {

// What a DISPATCH_OP carries beside its tensors: the entry point's name and the
// module it lies in. The bytecode is appended behind the FlatBuffer when the
// model is saved (model_writer.h) and found again when it is loaded.
struct DispatchInfo {
  std::string entry_point;
  BufferStore::Id bytecode = BufferStore::kEmpty;  // the same id for all entry points of one module
  bool operator==(const DispatchInfo&) const = default;
};

// Of the schema, and without a name in abi 2.1.
inline constexpr auto kStablehloCase = static_cast<LiteRtOpCode>(209);

inline constexpr char kDispatchOpCustomCode[] = "DISPATCH_OP";

}  // namespace npukit

// Owned by its subgraph, at a stable address. Inputs and outputs change only
// through the subgraph's editing functions.
struct LiteRtOpT {
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  int32_t version = 1;
  std::string custom_code;    // only for kLiteRtOpCodeTflCustom
  npukit::OpOptions options;  // of either union; may be none (OpOptions)
  std::vector<uint8_t> custom_options;
  bool has_custom_options = false;  // the file may hold an empty vector
  int8_t custom_options_format = 0;
  bool custom_options_outside = false;           // behind the FlatBuffer in the file, as
                                                 // models beyond 2 GiB need it
  std::optional<npukit::DispatchInfo> dispatch;  // of a DISPATCH_OP that has a module
  std::vector<bool> mutating_variable_inputs;    // empty, or one per input
  std::vector<LiteRtTensorT*> intermediates;
  int32_t debug_metadata_index = -1;
  npukit::EmptyFields empty_fields = 0;  // of the schema's Operator
  // Where this op's code stood among the model's operator_codes. Only a hint,
  // for files that list one code twice.
  uint32_t operator_code_hint = 0;

  std::vector<LiteRtTensorT*> inputs;   // null: an omitted optional input (index -1 in the file)
  std::vector<LiteRtTensorT*> outputs;  // never null
  uint32_t index = 0;                   // position in the subgraph's ops

  LiteRtSubgraphT* subgraph = nullptr;

  // The options if they are of type T, else null.
  template <typename T>
  const T* OptionsAs() const {
    return options.As<T>();
  }
  bool is_dispatch() const { return dispatch.has_value(); }
};

namespace npukit {
using Op = ::LiteRtOpT;

// "CONV_2D", "STABLEHLO_COMPOSITE", ...; custom ops give their custom code.
std::string OpName(const Op& op);
// Upper-case schema name of a builtin code; "BUILTIN 999" for unknown ones.
std::string OpCodeName(LiteRtOpCode code);
// The other way; nullopt for unknown names.
std::optional<LiteRtOpCode> OpCodeFromName(std::string_view name);
// The options table that belongs to a builtin code, with the schema's defaults;
// none for ops without options and unknown codes.
OpOptions DefaultOptions(LiteRtOpCode code);
// Every builtin code of the schema, ascending.
std::span<const LiteRtOpCode> AllOpCodes();
}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_OP_H_
