// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/packed_integers.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::tools {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxRank = 64;

struct TypeCode {
  std::string_view code;  // without the byte order
  LiteRtElementType type;
};
constexpr TypeCode kTypes[] = {
    {"f4", kLiteRtElementTypeFloat32},  {"f8", kLiteRtElementTypeFloat64},
    {"f2", kLiteRtElementTypeFloat16},  {"i1", kLiteRtElementTypeInt8},
    {"u1", kLiteRtElementTypeUInt8},    {"b1", kLiteRtElementTypeBool},
    {"i2", kLiteRtElementTypeInt16},    {"u2", kLiteRtElementTypeUInt16},
    {"i4", kLiteRtElementTypeInt32},    {"u4", kLiteRtElementTypeUInt32},
    {"i8", kLiteRtElementTypeInt64},    {"u8", kLiteRtElementTypeUInt64},
    {"c8", kLiteRtElementTypeComplex64}};

litert::Unexpected Bad(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "npy: " + what);
}

struct Header {
  LiteRtElementType type = kLiteRtElementTypeNone;
  bool is_big_endian = false;
  bool is_column_major = false;
  std::vector<int32_t> shape;
};

// What stands behind 'key': in the header, a Python dictionary of three entries.
std::optional<std::string_view> ValueOf(std::string_view dict, std::string_view key) {
  // No parser of Python: NumPy writes the keys in single quotes, and no value of a type that is
  // read holds such a text.
  size_t at = dict.find(fmt::format("'{}'", key));
  if (at == std::string_view::npos) return std::nullopt;
  at = dict.find(':', at + key.size() + 2);
  if (at == std::string_view::npos) return std::nullopt;
  at = dict.find_first_not_of(' ', at + 1);
  return at == std::string_view::npos ? std::nullopt : std::optional(dict.substr(at));
}

litert::Expected<std::vector<int32_t>> ParseShape(std::string_view text) {
  const size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos)
    return Bad("expected a shape in its header");
  std::vector<int32_t> shape;
  const char* at = text.data() + 1;
  const char* last = text.data() + end;
  while (true) {
    while (at != last && (*at == ' ' || *at == ',')) ++at;
    if (at == last) return shape;
    int32_t dim = 0;
    const auto [next, error] = std::from_chars(at, last, dim);
    if (error != std::errc() || dim < 0 || shape.size() == kMaxRank) {
      return Bad(fmt::format("expected dimensions below 2^31 in its header, found '{}'",
                             text.substr(0, end + 1)));
    }
    shape.push_back(dim);
    at = next;
  }
}

litert::Expected<Header> ParseHeader(std::string_view dict) {
  Header header;
  const auto descr = ValueOf(dict, "descr");
  const auto order = ValueOf(dict, "fortran_order");
  const auto shape = ValueOf(dict, "shape");
  if (!descr || !order || !shape)
    return Bad("expected 'descr', 'fortran_order' and 'shape' in its header");
  const std::string_view quoted = descr->substr(0, descr->find_first_of("'\"", 1));
  const std::string_view code = quoted.size() > 2 ? quoted.substr(2) : std::string_view();
  const auto* found = std::ranges::find(kTypes, code, &TypeCode::code);
  if (found == std::end(kTypes))
    return Bad(fmt::format("elements of type '{}' are not read",
                           quoted.substr(std::min<size_t>(1, quoted.size()))));
  header.type = found->type;
  header.is_big_endian = quoted[1] == '>';
  header.is_column_major = order->starts_with("True");
  LITERT_ASSIGN_OR_RETURN(header.shape, ParseShape(*shape));
  return header;
}

// Complex numbers are two floats.
void SwapBytes(LiteRtElementType type, std::vector<uint8_t>& bytes) {
  const size_t word = type == kLiteRtElementTypeComplex64
                          ? sizeof(float)
                          : static_cast<size_t>(ElementBits(type)) / 8;
  for (size_t at = 0; at + word <= bytes.size(); at += word)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + word));
}

std::vector<uint8_t> ToRowMajor(const TensorData& data, size_t elem_bytes) {
  std::vector<uint8_t> rows(data.bytes.size());
  const size_t rank = data.shape.size();
  std::vector<size_t> strides(rank, 1);  // of the columns, in elements
  for (size_t i = 1; i < rank; ++i)
    strides[i] = strides[i - 1] * static_cast<size_t>(data.shape[i - 1]);
  std::vector<int32_t> index(rank, 0);
  for (size_t to = 0; to < rows.size(); to += elem_bytes) {
    size_t from = 0;
    for (size_t i = 0; i < rank; ++i) from += static_cast<size_t>(index[i]) * strides[i];
    std::memcpy(rows.data() + to, data.bytes.data() + from * elem_bytes, elem_bytes);
    // Counts up as an odometer, the last dimension fastest.
    for (size_t i = rank; i-- > 0 && ++index[i] == data.shape[i];) index[i] = 0;
  }
  return rows;
}

}  // namespace

bool LooksLikeNpy(std::span<const uint8_t> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

litert::Expected<TensorData> ParseNpy(std::span<const uint8_t> bytes) {
  if (!LooksLikeNpy(bytes) || bytes.size() < kMagic.size() + 4) return Bad("has no header");
  const uint8_t version = bytes[kMagic.size()];
  const size_t width = version == 1 ? 2 : 4;  // of the header's length
  const size_t begin = kMagic.size() + 2 + width;
  if (version < 1 || version > 3 || bytes.size() < begin)
    return Bad(fmt::format("expected version 1, 2 or 3, found {}", version));
  uint32_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data() + kMagic.size() + 2, width);
  if (header_bytes > bytes.size() - begin) return Bad("its header is cut off");
  LITERT_ASSIGN_OR_RETURN(
      const Header header,
      ParseHeader({reinterpret_cast<const char*>(bytes.data()) + begin, header_bytes}));
  TensorData data{.name = {},
                  .type = header.type,
                  .shape = {header.shape.begin(), header.shape.end()},
                  .bytes = {}};
  const std::span<const uint8_t> stored = bytes.subspan(begin + header_bytes);
  const auto size_bytes = DenseBytes(data.type, header.shape);
  if (!size_bytes || *size_bytes != stored.size()) {
    return Bad(fmt::format("expected {} bytes for {}, found {}",
                           size_bytes ? fmt::format("{}", *size_bytes) : "fewer than 2^63",
                           data.TypeText(), stored.size()));
  }
  data.bytes.assign(stored.begin(), stored.end());
  if (header.is_big_endian) SwapBytes(data.type, data.bytes);
  if (header.is_column_major)
    data.bytes = ToRowMajor(data, static_cast<size_t>(ElementBits(data.type)) / 8);
  return data;
}

litert::Expected<std::vector<uint8_t>> FormatNpy(const TensorData& data) {
  TensorData stored = data;
  if (data.type == kLiteRtElementTypeBFloat16) {
    LITERT_ASSIGN_OR_RETURN(stored, ConvertTo(data, kLiteRtElementTypeFloat32, {}));
  } else if (kernels::IsPacked(data.type)) {
    stored.type = kLiteRtElementTypeInt8;
    stored.bytes.clear();
    for (int64_t i = 0; i < data.elems(); ++i) {
      stored.bytes.push_back(static_cast<uint8_t>(kernels::PackedAt(data.type, data.bytes, i)));
    }
  }
  const auto* found = std::ranges::find(kTypes, stored.type, &TypeCode::type);
  if (found == std::end(kTypes))
    return Bad(fmt::format("{} has no form in .npy files", ElementTypeName(data.type)));
  const char order = ElementBits(stored.type) == 8 ? '|' : '<';
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}", order,
                  found->code, fmt::join(stored.shape, ", "), stored.shape.size() == 1 ? "," : "");
  // So that the elements begin at a multiple of 64, after a newline.
  constexpr size_t kAlignment = 64;
  const size_t prefix = kMagic.size() + 4;
  header.append(kAlignment - 1 - (prefix + header.size()) % kAlignment, ' ');
  header.push_back('\n');
  std::vector<uint8_t> bytes(kMagic.begin(), kMagic.end());
  bytes.push_back(1);
  bytes.push_back(0);
  bytes.push_back(static_cast<uint8_t>(header.size() & 0xff));
  bytes.push_back(static_cast<uint8_t>(header.size() >> 8));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), stored.bytes.begin(), stored.bytes.end());
  return bytes;
}

}  // namespace npukit::tools
