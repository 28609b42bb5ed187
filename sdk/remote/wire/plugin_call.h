// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A call of one function of a compiler plugin on the device, and its answer: as dispatch_call.h for a dispatch
// library. Plugins and compiled results are numbered by the worker, from 1, and a number is not used again; 0 is a null
// handle. Null pointers are passed on as such.
//
// A graph travels as a .tflite. The bodies of partitions are the model's subgraphs. A single subgraph is the last of a
// model; before it stand empty ones, as many as its ops refer to by number.
//
// A plugin's transformations rewrite a whole model on the device: the desk keeps what they left. Neither bytecode nor constants
// come back that the desk has: of those it is told which they are.

#ifndef NPUKIT_SDK_REMOTE_WIRE_PLUGIN_CALL_H_
#define NPUKIT_SDK_REMOTE_WIRE_PLUGIN_CALL_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::remote {

// plugin_functions.def says which fields each uses.
enum class PluginFunction : uint16_t {
  kNone = 0,
#define F(name, text, fields) k##name,
#include "sdk/remote/wire/plugin_functions.def"
#undef F
  kEnd,  // one after the last
};

// As LiteRT calls it: "LiteRtCompilerPluginCompile".
const char* NameOf(PluginFunction function);

// Arguments that are null where others have a pointer.
enum NullPluginArgument : uint32_t {
  kNullFirstResult = 1,  // where a function writes to: the first such pointer, and so on
  kNullSecondResult = 2,
  kNullThirdResult = 4,
  kNullSoc = 8,  // the plugin's choice
  kNullModel = 16,
};

struct RemoteSpec {
  std::string key;
  std::vector<uint8_t> bytes;
};

struct PluginCall {
  PluginFunction function = PluginFunction::kNone;
  uint16_t thread = 0;  // as a DispatchCall's
  uint32_t nulls = 0;   // of NullPluginArgument
  uint64_t object = 0;
  uint64_t index = 0;
  uint64_t other = 0;
  int32_t numbers[3] = {};
  std::string soc;
  std::string digest;          // of a model that was sent
  std::vector<uint8_t> model;  // or the model itself
  std::vector<RemoteSpec> specs;
};

// What LiteRtPushOp was given.
struct RemoteSelectedOp {
  static constexpr uint32_t kNullOp = ~uint32_t{0};
  static constexpr uint32_t kForeignOp = kNullOp - 1;  // a pointer to no op of the subgraph

  uint32_t op = 0;  // its position
  uint64_t partition_index = 0;
};

// What LiteRtCompilerPluginRegisterAllTransformations gave, but for the function.
struct RemoteTransformation {
  bool has_pattern = false;
  bool has_name = false;
  std::string name;
  uint64_t benefit = 0;
};

// For each op of a rewritten model, by subgraph and position: which ops of the same subgraph it stands for.
using RemoteOrigins = std::vector<std::vector<std::vector<uint32_t>>>;

// A tensor of a rewritten model whose bytes are those of one of the model that was sent.
struct RemoteConstant {
  uint32_t subgraph = 0;
  uint32_t tensor = 0;
  uint32_t sent_subgraph = 0;
  uint32_t sent_tensor = 0;
};

struct PluginAnswer {
  int32_t status = 0;  // LiteRtStatus, the plugin's own
  bool is_null =
      false;  // the status is good and the result, or the first of several, a null pointer
  uint64_t object = 0;
  uint64_t number = 0;
  int32_t numbers[3] = {};
  std::string text;
  std::vector<uint8_t> bytes;
  std::vector<RemoteSelectedOp> selection;
  std::vector<uint32_t> ops;
  std::vector<std::string> texts;
  std::vector<RemoteTransformation> transformations;
  RemoteOrigins origins;
  std::vector<RemoteConstant> constants;
};

// What a plugin is, from outside: the rest is asked for by calls.
struct PluginFacts {
  std::string generation;            // "LiteRT 2.1.3 to 2.1.4"
  std::vector<std::string> exports;  // of npukit's
};

std::vector<uint8_t> Encode(const PluginCall& call);
std::vector<uint8_t> Encode(const PluginAnswer& answer);
std::vector<uint8_t> Encode(const PluginFacts& facts);
// Of untrusted bytes: an error if they are not exactly one such value, or name no function.
litert::Expected<PluginCall> ParsePluginCall(std::span<const uint8_t> bytes);
litert::Expected<PluginAnswer> ParsePluginAnswer(std::span<const uint8_t> bytes);
litert::Expected<PluginFacts> ParsePluginFacts(std::span<const uint8_t> bytes);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_PLUGIN_CALL_H_
