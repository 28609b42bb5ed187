// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/tools/tensors/npy.h"
#include "sdk/tools/tensors/text_numbers.h"
#include "sdk/tools/tensors/wav.h"

namespace npukit::tools {
namespace {

std::string PortText(const InputPort& port) {
  return fmt::format("input '{}' {}[{}]", port.name, ElementTypeName(port.type),
                     fmt::join(port.shape, ","));
}

litert::Unexpected Wrong(const InputPort& port, const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("{}: {}", PortText(port), what));
}

template <typename Dim>
std::vector<int64_t> WithoutOnes(const std::vector<Dim>& shape) {
  std::vector<int64_t> kept(shape.begin(), shape.end());
  std::erase(kept, 1);
  return kept;
}

int64_t ElemsOf(const std::vector<int32_t>& shape) {
  int64_t elems = 1;
  for (int32_t dim : shape) elems *= std::max(dim, 0);
  return elems;
}

litert::Expected<InputBytes> Numbers(std::span<const long double> numbers, bool are_floats,
                                     const InputPort& port, std::string_view what) {
  const int64_t wanted = ElemsOf(port.shape);
  if (static_cast<int64_t>(numbers.size()) != wanted)
    return Wrong(port, fmt::format("expected {} {}, found {}", wanted, what, numbers.size()));
  auto data = FromNumbers(numbers, are_floats, {port.shape.begin(), port.shape.end()}, port.type,
                          port.quantization);
  if (!data) return Wrong(port, data.Error().Message());
  return InputBytes{.bytes = std::move(data->bytes), .note = {}};
}

litert::Expected<InputBytes> TextInput(std::span<const uint8_t> content, const InputPort& port) {
  const auto parsed =
      ParseTextNumbers({reinterpret_cast<const char*>(content.data()), content.size()});
  if (!parsed) return Wrong(port, parsed.Error().Message());
  return Numbers(parsed->numbers, parsed->are_floats, port, "numbers");
}

litert::Expected<InputBytes> ImageInput(std::span<const uint8_t> content, const InputPort& port,
                                        Interpolation interpolation) {
  const auto image = DecodeImage(content);
  if (!image) return Wrong(port, image.Error().Message());
  auto data = ImageTensor(
      *image, {.type = port.type, .shape = port.shape, .quantization = port.quantization},
      port.normalization ? &*port.normalization : nullptr, interpolation);
  if (!data) return Wrong(port, data.Error().Message());
  return InputBytes{.bytes = std::move(data->bytes), .note = {}};
}

// As many samples as the input has: what is too long is cut off, what is too short ends in silence.
litert::Expected<InputBytes> WavInput(std::span<const uint8_t> content, const InputPort& port) {
  const auto audio = ParseWav(content);
  if (!audio) return Wrong(port, audio.Error().Message());
  const bool keeps_channels =
      audio->channels > 1 && !port.shape.empty() && port.shape.back() == audio->channels;
  const std::vector<float> samples = keeps_channels ? audio->samples : audio->Mixed();
  const auto wanted = static_cast<size_t>(ElemsOf(port.shape));
  // Integers that are no quantised floats are what 16-bit audio is stored as.
  const bool is_pcm = port.type == kLiteRtElementTypeInt16 && port.quantization.scale.empty();
  std::vector<long double> numbers(wanted, 0);
  for (size_t i = 0; i < std::min(wanted, samples.size()); ++i) {
    numbers[i] = is_pcm ? std::clamp<long double>(std::round(samples[i] * 32768.0L), -32768, 32767)
                        : samples[i];
  }
  LITERT_ASSIGN_OR_RETURN(InputBytes input, Numbers(numbers, !is_pcm, port, "samples"));
  if (samples.size() != wanted) {
    input.note = fmt::format("{}: takes {} samples, the file has {} ({} Hz): {}", PortText(port),
                             wanted, samples.size(), audio->rate_hz,
                             samples.size() > wanted ? "the rest is cut off" : "zeros follow");
  }
  return input;
}

litert::Expected<InputBytes> RawInput(std::span<const uint8_t> content, const InputPort& port) {
  const auto wanted = DenseBytes(port.type, port.shape);
  if (wanted && *wanted != content.size())
    return Wrong(port, fmt::format("expected {} bytes, found {}", *wanted, content.size()));
  return InputBytes{.bytes = {content.begin(), content.end()}, .note = {}};
}

}  // namespace

// By content where it tells. Raw bytes may begin as anything, so names that say raw come first.
FileKind KindOf(const std::string& path, std::span<const uint8_t> bytes) {
  const std::string_view name = path;
  if (name.ends_with(".bin") || name.ends_with(".raw")) return FileKind::kBytes;
  if (LooksLikeNpy(bytes)) return FileKind::kNpy;
  if (LooksLikeNpz(bytes) && name.ends_with(".npz")) return FileKind::kNpz;
  if (LooksLikeImage(bytes)) return FileKind::kImage;
  if (LooksLikeWav(bytes)) return FileKind::kWav;
  const bool is_text = name.ends_with(".txt") || name.ends_with(".csv") || name.ends_with(".json");
  return is_text ? FileKind::kText : FileKind::kBytes;
}

litert::Expected<InputBytes> BytesForInput(const TensorData& data, const InputPort& port) {
  if (WithoutOnes(data.shape) != WithoutOnes(port.shape)) {
    return Wrong(port, fmt::format("found {}{}", data.TypeText(),
                                   data.shape.size() == port.shape.size()
                                       ? " (--resize NAME=DIMS gives an input another shape)"
                                       : ""));
  }
  auto converted = ConvertTo(data, port.type, port.quantization);
  if (!converted) {
    return Wrong(port, fmt::format("found {}: {}", data.TypeText(), converted.Error().Message()));
  }
  return InputBytes{.bytes = std::move(converted->bytes), .note = {}};
}

litert::Expected<InputBytes> BytesForInput(FileKind kind, std::span<const uint8_t> content,
                                           const InputPort& port, Interpolation interpolation) {
  switch (kind) {
    case FileKind::kNpy: {
      const auto data = ParseNpy(content);
      if (!data) return Wrong(port, data.Error().Message());
      return BytesForInput(*data, port);
    }
    case FileKind::kNpz:
      return Wrong(port, "an archive of arrays goes to the inputs of their names");
    case FileKind::kImage:
      return ImageInput(content, port, interpolation);
    case FileKind::kWav:
      return WavInput(content, port);
    case FileKind::kText:
      return TextInput(content, port);
    case FileKind::kBytes:
      break;
  }
  return RawInput(content, port);
}

}  // namespace npukit::tools
