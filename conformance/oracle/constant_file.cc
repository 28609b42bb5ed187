// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/constant_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::conformance {
namespace {

// "\x93NUMPY", two bytes of version, the header's length in 2 bytes (version 1) or 4, the header, a
// Python dictionary as text.
constexpr std::string_view kMagic = "\x93NUMPY";

struct Npy {
  std::string_view header;
  std::span<const uint8_t> bytes;
};

std::optional<Npy> SplitNpy(std::span<const uint8_t> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  // 12: what the length of either version needs.
  if (!text.starts_with(kMagic) || file.size() < 12) return std::nullopt;
  const size_t length_bytes = file[6] == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) length |= size_t{file[8 + i]} << (8 * i);
  const size_t begin = 8 + length_bytes;
  if (length > file.size() - begin) return std::nullopt;
  return Npy{.header = text.substr(begin, length), .bytes = file.subspan(begin + length)};
}

// What NumPy calls an element type; "" where it has none.
std::string_view NumpyName(LiteRtElementType type) {
  switch (type) {
    case kLiteRtElementTypeBool:
      return "|b1";
    case kLiteRtElementTypeInt8:
      return "|i1";
    case kLiteRtElementTypeUInt8:
      return "|u1";
    case kLiteRtElementTypeInt16:
      return "<i2";
    case kLiteRtElementTypeUInt16:
      return "<u2";
    case kLiteRtElementTypeInt32:
      return "<i4";
    case kLiteRtElementTypeUInt32:
      return "<u4";
    case kLiteRtElementTypeInt64:
      return "<i8";
    case kLiteRtElementTypeUInt64:
      return "<u8";
    case kLiteRtElementTypeFloat16:
      return "<f2";
    case kLiteRtElementTypeFloat32:
      return "<f4";
    case kLiteRtElementTypeFloat64:
      return "<f8";
    case kLiteRtElementTypeComplex64:
      return "<c8";
    default:
      return "";
  }
}

litert::Unexpected Bad(const std::string& path, std::string_view why) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, fmt::format("{}: {}", path, why));
}

// NumPy writes "(3,)" for one dimension.
std::string ShapeTuple(std::span<const int32_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

litert::Expected<std::vector<uint8_t>> ReadConstantFile(const std::string& path,
                                                        LiteRtElementType type,
                                                        std::span<const int32_t> shape) {
  LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> file, tools::ReadWholeFile(path));
  const std::optional<uint64_t> size_bytes = DenseBytes(type, shape);
  std::span<const uint8_t> bytes = file;
  if (path.ends_with(".npy")) {
    const std::optional<Npy> npy = SplitNpy(file);
    if (!npy) return Bad(path, "is not NumPy's format");
    const std::string_view name = NumpyName(type);
    const auto has = [&](const std::string& text) {
      return npy->header.find(text) != std::string_view::npos;
    };
    const std::string wanted = fmt::format("'descr': '{}'", name);
    if (name.empty() || !has(wanted) || !has("'fortran_order': False") ||
        !has(fmt::format("'shape': {}", ShapeTuple(shape)))) {
      return Bad(path, fmt::format("has {}; expected {} '{}' of shape {} in C order", npy->header,
                                   ElementTypeName(type), name, ShapeTuple(shape)));
    }
    bytes = npy->bytes;
  }
  if (size_bytes && bytes.size() != *size_bytes) {
    return Bad(path, fmt::format("has {} bytes, the tensor {}", bytes.size(), *size_bytes));
  }
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

}  // namespace npukit::conformance
