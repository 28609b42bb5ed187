#include "@name@/module.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "litert/cc/litert_macros.h"

namespace @name@ {
namespace {

constexpr uint32_t kMagic = 0x@MAGIC@;
constexpr uint32_t kVersion = 1;
// No tensor, list or name is longer: bounds what broken bytes can allocate.
constexpr uint32_t kMaxCount = 1u << 28;

uint32_t Checksum(const uint8_t* data, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ data[i]) * 16777619u;
  return hash;
}

litert::Unexpected Malformed(const std::string& what) {
  return litert::Unexpected(litert::Status::kErrorInvalidArgument, "malformed module: " + what);
}

class Writer {
 public:
  template <class T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out_.append(bytes, sizeof(T));
  }
  void PutList(const std::vector<uint32_t>& list) {
    Put(static_cast<uint32_t>(list.size()));
    for (const uint32_t value : list) Put(value);
  }
  void PutText(const std::string& text) {
    Put(static_cast<uint32_t>(text.size()));
    out_ += text;
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

// Reads until something is missing; then everything reads as 0 and ok() is
// false.
class Reader {
 public:
  Reader(const uint8_t* data, size_t size) : at_(data), left_(size) {}

  template <class T>
  T Get() {
    T value{};
    if (left_ < sizeof(T)) {
      Fail();
      return value;
    }
    std::memcpy(&value, at_, sizeof(T));
    Skip(sizeof(T));
    return value;
  }
  // The number of items that follow, of which each takes `item_bytes` at least.
  uint32_t GetCount(size_t item_bytes) {
    const auto count = Get<uint32_t>();
    if (count > kMaxCount || static_cast<size_t>(count) * item_bytes > left_) {
      Fail();
      return 0;
    }
    return count;
  }
  std::vector<uint32_t> GetList() {
    std::vector<uint32_t> list(GetCount(sizeof(uint32_t)));
    for (uint32_t& value : list) value = Get<uint32_t>();
    return list;
  }
  std::string GetText() {
    const uint32_t size = GetCount(1);
    std::string text(reinterpret_cast<const char*>(at_), size);
    Skip(size);
    return text;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return left_ == 0; }

 private:
  void Skip(size_t n) {
    at_ += n;
    left_ -= n;
  }
  void Fail() {
    ok_ = false;
    left_ = 0;
  }

  const uint8_t* at_;
  size_t left_;
  bool ok_ = true;
};

Function ReadFunction(Reader& in) {
  Function f;
  f.name = in.GetText();
  f.tensors.resize(in.GetCount(sizeof(uint32_t) + 1));
  for (TensorInfo& tensor : f.tensors) {
    tensor.num_elems = in.Get<uint32_t>();
    tensor.is_constant = in.Get<uint8_t>() != 0;
    if (!tensor.is_constant) continue;
    tensor.values.resize(in.GetCount(sizeof(float)));
    for (float& value : tensor.values) value = in.Get<float>();
  }
  f.inputs = in.GetList();
  f.outputs = in.GetList();
  f.code.resize(in.GetCount(1 + 3 * sizeof(uint32_t) + 2 * sizeof(float)));
  for (Instruction& i : f.code) {
    i.opcode = static_cast<Opcode>(in.Get<uint8_t>());
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
  Writer body;
  body.Put(static_cast<uint32_t>(module.functions.size()));
  for (const Function& f : module.functions) {
    body.PutText(f.name);
    body.Put(static_cast<uint32_t>(f.tensors.size()));
    for (const TensorInfo& tensor : f.tensors) {
      body.Put(tensor.num_elems);
      body.Put(static_cast<uint8_t>(tensor.is_constant));
      if (!tensor.is_constant) continue;
      body.Put(static_cast<uint32_t>(tensor.values.size()));
      for (const float value : tensor.values) body.Put(value);
    }
    body.PutList(f.inputs);
    body.PutList(f.outputs);
    body.Put(static_cast<uint32_t>(f.code.size()));
    for (const Instruction& i : f.code) {
      body.Put(static_cast<uint8_t>(i.opcode));
      body.Put(i.a);
      body.Put(i.b);
      body.Put(i.out);
      body.Put(i.min);
      body.Put(i.max);
    }
  }
  const std::string bytes = body.Take();
  Writer header;
  header.Put(kMagic);
  header.Put(kVersion);
  header.Put(Checksum(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  return header.Take() + bytes;
}

litert::Expected<Module> Decode(litert::internal::Span<const uint8_t> bytes) {
  Reader header(bytes.data(), bytes.size());
  const auto magic = header.Get<uint32_t>();
  const auto version = header.Get<uint32_t>();
  const auto checksum = header.Get<uint32_t>();
  if (!header.ok() || magic != kMagic) return Malformed("it is not for @Name@");
  if (version != kVersion) return Malformed("version " + std::to_string(version));
  const auto body = bytes.subspan(3 * sizeof(uint32_t));
  if (checksum != Checksum(body.data(), body.size())) return Malformed("the checksum is wrong");

  Reader in(body.data(), body.size());
  Module module;
  module.functions.resize(in.GetCount(1));
  for (Function& function : module.functions) {
    function = ReadFunction(in);
    if (!in.ok()) return Malformed("it ends too soon");
    LITERT_RETURN_IF_ERROR(Verify(function));
  }
  if (!in.ok() || !in.at_end()) return Malformed("it has another length");
  return module;
}

}  // namespace @name@
