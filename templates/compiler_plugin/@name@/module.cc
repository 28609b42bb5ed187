#include "@name@/module.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/blob.h"

namespace @name@ {
namespace {

constexpr uint32_t kMagic = 0x@MAGIC@;
constexpr uint32_t kVersion = 1;
// No tensor, list or name is longer: bounds what broken bytes can allocate.
constexpr uint32_t kMaxCount = 1u << 28;

litert::Unexpected Malformed(const std::string& what) {
  return litert::Unexpected(litert::Status::kErrorInvalidArgument, "malformed module: " + what);
}

Function ReadFunction(npukit::BlobReader& in) {
  Function f;
  f.name = in.GetText();
  f.tensors.resize(in.GetCount(sizeof(uint32_t) + 1));
  for (TensorInfo& tensor : f.tensors) {
    tensor.num_elems = in.Get<uint32_t>();
    tensor.is_constant = in.Get<bool>();
    if (tensor.is_constant) tensor.values = in.GetList<float>();
  }
  f.inputs = in.GetList<uint32_t>();
  f.outputs = in.GetList<uint32_t>();
  f.code.resize(in.GetCount(1 + 3 * sizeof(uint32_t) + 2 * sizeof(float)));
  for (Instruction& i : f.code) {
    i.opcode = in.Get<Opcode>();
    i.a = in.Get<uint32_t>();
    i.b = in.Get<uint32_t>();
    i.out = in.Get<uint32_t>();
    i.min = in.Get<float>();
    i.max = in.Get<float>();
  }
  return f;
}

bool IsKnown(Opcode opcode) {
  switch (opcode) {
#define @NAME@_CASE(name, value) case Opcode::name:
    @NAME@_OPCODES(@NAME@_CASE)
#undef @NAME@_CASE
    return true;
  }
  return false;
}

// What Decode() promises of a function.
litert::Expected<void> Verify(const Function& f) {
  // Whether a tensor has values, and whether an instruction may write it.
  std::vector<bool> has_values(f.tensors.size());
  std::vector<bool> writable(f.tensors.size(), true);
  for (size_t i = 0; i < f.tensors.size(); ++i) {
    const TensorInfo& tensor = f.tensors[i];
    if (tensor.num_elems > kMaxCount) return Malformed("a tensor is too large");
    if (!tensor.is_constant) continue;
    if (tensor.values.size() != tensor.num_elems) return Malformed("a constant has another size");
    has_values[i] = true;
    writable[i] = false;
  }
  for (const uint32_t input : f.inputs) {
    if (input >= f.tensors.size() || !writable[input]) return Malformed("a bad input");
    has_values[input] = true;
    writable[input] = false;
  }
  for (const Instruction& i : f.code) {
    for (const uint32_t tensor : {i.a, i.b, i.out}) {
      if (tensor >= f.tensors.size()) return Malformed("an operand is out of range");
      if (f.tensors[tensor].num_elems != f.tensors[i.out].num_elems) {
        return Malformed("operands differ in size");
      }
    }
    if (!IsKnown(i.opcode)) return Malformed("an unknown instruction");
    if (!has_values[i.a] || !has_values[i.b]) return Malformed("a tensor is read before written");
    if (!writable[i.out]) return Malformed("an input or constant is written");
    has_values[i.out] = true;
  }
  for (const uint32_t output : f.outputs) {
    if (output >= f.tensors.size() || !has_values[output]) return Malformed("a bad output");
  }
  return {};
}

}  // namespace

const Function* Module::Find(const std::string& name) const {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::string Encode(const Module& module) {
  npukit::BlobWriter body;
  body.Put(static_cast<uint32_t>(module.functions.size()));
  for (const Function& f : module.functions) {
    body.PutText(f.name);
    body.Put(static_cast<uint32_t>(f.tensors.size()));
    for (const TensorInfo& tensor : f.tensors) {
      body.Put(tensor.num_elems);
      body.Put(tensor.is_constant);
      if (tensor.is_constant) body.PutList(tensor.values);
    }
    body.PutList(f.inputs);
    body.PutList(f.outputs);
    body.Put(static_cast<uint32_t>(f.code.size()));
    for (const Instruction& i : f.code) {
      body.Put(i.opcode);
      body.Put(i.a);
      body.Put(i.b);
      body.Put(i.out);
      body.Put(i.min);
      body.Put(i.max);
    }
  }
  return body.Seal(kMagic, kVersion);
}

litert::Expected<Module> Decode(litert::internal::Span<const uint8_t> bytes) {
  LITERT_ASSIGN_OR_RETURN(npukit::BlobReader in, npukit::BlobReader::Open(bytes, kMagic, kVersion));
  Module module;
  module.functions.resize(in.GetCount(1));
  for (Function& function : module.functions) {
    function = ReadFunction(in);
    if (!in.ok()) break;
    LITERT_RETURN_IF_ERROR(Verify(function));
  }
  LITERT_RETURN_IF_ERROR(in.Finish());
  return module;
}

}  // namespace @name@
