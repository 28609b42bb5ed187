// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/python/binding/arrays.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "sdk/host/kernels/packed_integers.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/runtime/state/string_tensor.h"
#include "sdk/python/binding/errors.h"
#include "sdk/tools/tensors/input_file.h"
#include "sdk/tools/tensors/tensor_data.h"

namespace npukit::python {
namespace {

namespace py = pybind11;

struct TypeName {
  LiteRtElementType type;
  const char* numpy;
};
constexpr TypeName kTypes[] = {
    {kLiteRtElementTypeFloat32, "float32"},    {kLiteRtElementTypeFloat64, "float64"},
    {kLiteRtElementTypeFloat16, "float16"},    {kLiteRtElementTypeInt8, "int8"},
    {kLiteRtElementTypeUInt8, "uint8"},        {kLiteRtElementTypeBool, "bool"},
    {kLiteRtElementTypeInt16, "int16"},        {kLiteRtElementTypeUInt16, "uint16"},
    {kLiteRtElementTypeInt32, "int32"},        {kLiteRtElementTypeUInt32, "uint32"},
    {kLiteRtElementTypeInt64, "int64"},        {kLiteRtElementTypeUInt64, "uint64"},
    {kLiteRtElementTypeComplex64, "complex64"}};

const char* NumpyName(LiteRtElementType type) {
  if (type == kLiteRtElementTypeBFloat16) return "float32";
  if (kernels::IsPacked(type)) return "int8";
  if (type == kLiteRtElementTypeTfString) return "object";
  const auto* found = std::ranges::find(kTypes, type, &TypeName::type);
  return found == std::end(kTypes) ? nullptr : found->numpy;
}

std::string ShapeText(std::span<const int32_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

std::string PortText(const PortInfo& port) {
  return fmt::format("'{}' {}{}", port.name, ElementTypeName(port.element_type),
                     ShapeText(port.shape));
}

[[noreturn]] void Wrong(const PortInfo& port, const std::string& found) {
  Raise(Fault::kUsage, fmt::format("input {}: found {}", PortText(port), found));
}

std::string ArrayText(const py::array& array) {
  std::vector<py::ssize_t> shape(array.shape(), array.shape() + array.ndim());
  return fmt::format("{}[{}]", std::string(py::str(array.dtype())), fmt::join(shape, ","));
}

std::vector<int64_t> ShapeOf(const py::array& array, const PortInfo& port) {
  std::vector<int64_t> shape;
  for (py::ssize_t i = 0; i < array.ndim(); ++i) {
    if (array.shape(i) > std::numeric_limits<int32_t>::max()) Wrong(port, ArrayText(array));
    shape.push_back(array.shape(i));
  }
  return shape;
}

std::vector<uint8_t> StringBytes(const py::array& array, const PortInfo& port) {
  const py::list values = array.attr("ravel")().attr("tolist")();
  const uint64_t expected = DenseBytes(kLiteRtElementTypeInt8, port.shape).value_or(0);
  if (values.size() != expected)
    Wrong(port, fmt::format("{} strings, expected {}", values.size(), expected));
  std::vector<std::string> texts;
  for (size_t i = 0; i < values.size(); ++i) {
    const py::handle value = values[i];
    if (!py::isinstance<py::str>(value) && !py::isinstance<py::bytes>(value)) {
      Wrong(port, fmt::format("element {} of type {}, expected bytes or str", i,
                              std::string(py::str(py::type::of(value).attr("__name__")))));
    }
    texts.push_back(value.cast<std::string>());
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return ValueOr(Fault::kUsage, WriteStrings(views));
}

// int8 elements, of which each must be one of the packed type's.
std::vector<uint8_t> Packed(const tools::TensorData& data, const PortInfo& port) {
  const int bits = port.element_type == kLiteRtElementTypeInt4 ? 4 : 2;
  const int high = (1 << (bits - 1)) - 1;
  const size_t per_byte = static_cast<size_t>(8 / bits);
  std::vector<uint8_t> packed((data.bytes.size() + per_byte - 1) / per_byte);
  for (size_t i = 0; i < data.bytes.size(); ++i) {
    const auto value = static_cast<int8_t>(data.bytes[i]);
    if (value > high || value < -high - 1) {
      Wrong(port, fmt::format("{} at element {}, expected {} to {}", static_cast<int>(value), i,
                              -high - 1, high));
    }
    // The first element in the lowest bits, as kernels::PackedAt() reads it.
    const auto field = static_cast<unsigned>(value) & ((1U << bits) - 1);
    packed[i / per_byte] |=
        static_cast<uint8_t>(field << (i % per_byte * static_cast<size_t>(bits)));
  }
  return packed;
}

// The array as a tensor of its own type, in C order and little-endian.
tools::TensorData DataOf(const py::array& given, const PortInfo& port) {
  const std::string name = py::str(given.dtype().attr("name"));
  const auto* found = std::ranges::find(
      kTypes, std::string_view(name), [](const TypeName& t) { return std::string_view(t.numpy); });
  if (found == std::end(kTypes)) Wrong(port, ArrayText(given) + ", of which no tensor is made");
  const py::module_ numpy = py::module_::import("numpy");
  // A slice, a transposed array or a big-endian one has its bytes in another order.
  const py::array dense =
      numpy.attr("ascontiguousarray")(given, given.dtype().attr("newbyteorder")("<"));
  tools::TensorData data{
      .name = {}, .type = found->type, .shape = ShapeOf(given, port), .bytes = {}};
  const auto* begin = static_cast<const uint8_t*>(dense.data());
  data.bytes.assign(begin, begin + dense.nbytes());
  return data;
}

}  // namespace

py::dtype ArrayType(LiteRtElementType type) {
  const char* name = NumpyName(type);
  if (name == nullptr)
    Raise(Fault::kUsage, fmt::format("{} has no arrays in NumPy", ElementTypeName(type)));
  return py::dtype(name);
}

std::vector<uint8_t> InputBytes(const py::object& value, const PortInfo& port) {
  const py::array array = py::module_::import("numpy").attr("asarray")(value);
  if (port.element_type == kLiteRtElementTypeTfString) return StringBytes(array, port);
  tools::TensorData data = DataOf(array, port);
  const bool is_packed = kernels::IsPacked(port.element_type);
  const tools::InputPort wanted{
      .name = port.name,
      .type = is_packed ? kLiteRtElementTypeInt8 : port.element_type,
      .shape = port.shape,
      .quantization = port.tensor == nullptr ? Quantization() : port.tensor->quantization,
      .normalization = {}};
  // Complex numbers are not converted, but have the shape checked by what converts.
  if (data.type == wanted.type && std::ranges::equal(data.shape, wanted.shape))
    return is_packed ? Packed(data, port) : std::move(data.bytes);
  auto converted = tools::BytesForInput(data, wanted);
  if (!converted) Raise(Fault::kUsage, converted.Error());
  if (!is_packed) return std::move(converted->bytes);
  data.bytes = std::move(converted->bytes);
  return Packed(data, port);
}

py::object OutputArray(const PortInfo& port, std::span<const uint8_t> bytes) {
  const py::dtype type = ArrayType(port.element_type);
  const std::vector<py::ssize_t> shape(port.shape.begin(), port.shape.end());
  const auto elems = DenseBytes(kLiteRtElementTypeInt8, port.shape).value_or(0);
  if (port.element_type == kLiteRtElementTypeTfString) {
    const auto texts = ValueOr(Fault::kFailed, ReadStrings(bytes, static_cast<int64_t>(elems)));
    const py::array array = py::module_::import("numpy").attr("empty")(elems, type);
    for (size_t i = 0; i < texts.size(); ++i)
      array.attr("__setitem__")(i, py::bytes(texts[i].data(), texts[i].size()));
    return array.attr("reshape")(shape);
  }
  tools::TensorData data{.name = {},
                         .type = port.element_type,
                         .shape = {port.shape.begin(), port.shape.end()},
                         .bytes = {bytes.begin(), bytes.end()}};
  if (port.element_type == kLiteRtElementTypeBFloat16)
    data = ValueOr(Fault::kFailed, tools::ConvertTo(data, kLiteRtElementTypeFloat32, {}));
  if (kernels::IsPacked(port.element_type)) {
    const auto unpacked =
        kernels::UnpackIntegers(port.element_type, bytes, static_cast<int64_t>(elems));
    data.bytes.assign(unpacked.begin(), unpacked.end());
  }
  py::array array(type, shape);
  if (static_cast<size_t>(array.nbytes()) != data.bytes.size()) {
    Raise(Fault::kFailed, fmt::format("output {}: {} bytes, expected {}", PortText(port),
                                      data.bytes.size(), array.nbytes()));
  }
  if (!data.bytes.empty()) std::memcpy(array.mutable_data(), data.bytes.data(), data.bytes.size());
  return array;
}

}  // namespace npukit::python
