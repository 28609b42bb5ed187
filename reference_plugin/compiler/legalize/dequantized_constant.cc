// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/dequantized_constant.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "litert/c/litert_op_code.h"
#include "reference_plugin/compiler/arithmetic/half.h"

namespace acme::compiler {
namespace {

using Bytes = std::vector<uint8_t>;

template <class Stored>
Stored StoredAt(std::span<const uint8_t> bytes, size_t index) {
  Stored stored;
  std::memcpy(&stored, bytes.data() + index * sizeof(stored), sizeof(stored));
  return stored;
}

void Put(float number, size_t index, Bytes& bytes) {
  std::memcpy(bytes.data() + index * sizeof(number), &number, sizeof(number));
}

Expected<Bytes> WidenHalves(const litert::Tensor& stored, size_t elems) {
  const auto halves = stored.Weights().Bytes();
  if (halves.size() != elems * sizeof(uint16_t))
    return Unsupported("the constant has another size than its result");
  Bytes bytes(elems * sizeof(float));
  for (size_t i = 0; i < elems; ++i)
    Put(HalfToFloat(StoredAt<uint16_t>({halves.data(), halves.size()}, i)), i, bytes);
  return bytes;
}

// Elements of one channel that stand together, and how many channels there are.
struct Channels {
  size_t inner = 1;
  size_t count = 1;
};

Expected<Channels> ChannelsOf(const TensorInfo& info) {
  Channels channels{.inner = static_cast<size_t>(info.value.Elems())};
  if (info.scales.empty()) return Unsupported("the constant is not quantised");
  if (info.scales.size() == 1) return channels;
  const auto dimension = static_cast<size_t>(info.quantized_dimension);
  if (dimension >= info.value.shape.size() ||
      info.scales.size() != static_cast<size_t>(info.value.shape[dimension]))
    return Unsupported("the constant must have one scale, or one a channel");
  channels.count = info.scales.size();
  channels.inner = 1;
  for (size_t d = dimension + 1; d < info.value.shape.size(); ++d)
    channels.inner *= static_cast<size_t>(info.value.shape[d]);
  return channels;
}

// As the CPU: the product in float64, rounded once.
template <class Stored>
Bytes Scale(const TensorInfo& info, const Channels& channels) {
  Bytes bytes(static_cast<size_t>(info.value.Elems()) * sizeof(float));
  for (size_t i = 0; i < static_cast<size_t>(info.value.Elems()); ++i) {
    const size_t channel = i / channels.inner % channels.count;
    const auto stored = int64_t{StoredAt<Stored>(info.value.constant, i)};
    Put(static_cast<float>(static_cast<double>(info.scales[channel]) *
                           static_cast<double>(stored - info.zero_points[channel])),
        i, bytes);
  }
  return bytes;
}

Expected<Bytes> ScaleIntegers(const litert::Tensor& stored, size_t elems) {
  ACME_ASSIGN_OR_RETURN(const TensorInfo info, ReadTensor(stored));
  if (static_cast<size_t>(info.value.Elems()) != elems)
    return Unsupported("the constant has another size than its result");
  ACME_ASSIGN_OR_RETURN(const Channels channels, ChannelsOf(info));
  switch (info.value.dtype) {
    case Dtype::kI8:
      return Scale<int8_t>(info, channels);
    case Dtype::kU8:
      return Scale<uint8_t>(info, channels);
    case Dtype::kI16:
      return Scale<int16_t>(info, channels);
    default:
      return Unsupported(
          fmt::format("a constant of {} is not dequantised", DtypeName(info.value.dtype)));
  }
}

}  // namespace

Expected<std::shared_ptr<const Bytes>> DequantizeConstant(const litert::Tensor& tensor,
                                                          int64_t elems) {
  const auto op = tensor.GetDefiningOp();
  if (!op || op->Code() != kLiteRtOpCodeTflDequantize || op->Inputs().size() != 1)
    return std::shared_ptr<const Bytes>();
  const litert::Tensor stored = op->Inputs()[0];
  if (!stored.IsConstant()) return std::shared_ptr<const Bytes>();
  const auto type = stored.RankedTensorType();
  const bool halves = type && type->ElementType() == litert::ElementType::Float16;
  const auto count = static_cast<size_t>(elems);
  ACME_ASSIGN_OR_RETURN(Bytes bytes,
                        halves ? WidenHalves(stored, count) : ScaleIntegers(stored, count));
  return std::make_shared<const Bytes>(std::move(bytes));
}

}  // namespace acme::compiler
