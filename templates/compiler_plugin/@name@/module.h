// The bytecode of @Name@'s software device.
//
// A module holds functions, one per partition. A function is a list of tensors,
// all float32, and a list of instructions over them, in order.
//
// Bytes: a blob (npukit/blob.h) with the functions; Encode() is the description.

#ifndef @NAME@_MODULE_H_
#define @NAME@_MODULE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_expected.h"

namespace @name@ {

// Everything the device can do: X(name in the bytecode, value).
#define @NAME@_OPCODES(X) \
  X(kAdd, 0) \
  X(kSub, 1) \
  X(kMul, 2)

enum class Opcode : uint8_t {
#define @NAME@_ENUMERATOR(name, value) name = value,
  @NAME@_OPCODES(@NAME@_ENUMERATOR)
#undef @NAME@_ENUMERATOR
};

// out[i] = clamp(a[i] OP b[i], min, max). All three tensors are of one size.
struct Instruction {
  Opcode opcode = Opcode::kAdd;
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t out = 0;
  float min = 0;
  float max = 0;
};

struct TensorInfo {
  uint32_t num_elems = 0;
  bool is_constant = false;
  std::vector<float> values;  // [num_elems] if constant, else empty
};

struct Function {
  std::string name;
  std::vector<TensorInfo> tensors;
  std::vector<uint32_t> inputs;   // into tensors
  std::vector<uint32_t> outputs;  // into tensors
  std::vector<Instruction> code;
};

struct Module {
  std::vector<Function> functions;

  // Null if there is none.
  const Function* Find(const std::string& name) const;
};

std::string Encode(const Module& module);

// Takes any bytes. What it returns can be run without further checks: indices
// are in range, sizes fit, nothing is read before it is written, and inputs and
// constants are never written.
litert::Expected<Module> Decode(litert::internal::Span<const uint8_t> bytes);

}  // namespace @name@

#endif  // @NAME@_MODULE_H_
