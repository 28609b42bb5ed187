// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "reference_plugin/compiler/arithmetic/packed_int4.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

namespace acme::compiler {
namespace {

constexpr size_t kWordBytes = 32;

using Owners = std::vector<std::shared_ptr<const std::vector<uint8_t>>>;

struct MadeWeights {
  Owners constants;
  ConvWeights weights;
};

class Packer {
 public:
  Packer(const Conv& conv, const Network& network, int32_t pixels, int64_t chunk_bytes,
         const Hardware& hardware)
      : conv_(conv),
        weights_(network.value(conv.w)),
        records_(conv.Records() == kNoValue ? nullptr : &network.value(conv.Records())),
        bias_(conv.bias == kNoValue ? nullptr : &network.value(conv.bias)),
        pixels_(pixels),
        chunk_bytes_(static_cast<size_t>(chunk_bytes)) {
    const WindowAxis& axis = conv.geometry.w;
    const int32_t wide = axis.kernel + (pixels - 1) * axis.stride;
    result_.folds = PlanFolds(conv.geometry.h.kernel, pixels == 1 ? axis.kernel : wide, conv.in_c,
                              FeedOf(conv, pixels, hardware));
    const int32_t used_cols = UsedColumns(conv, hardware);
    const int32_t cols = conv.out_c * pixels;
    int32_t first = 0;
    const auto add = [&](int32_t width) {
      result_.tiles.push_back({first, width, {}, {}});
      first += width;
    };
    while (cols - first >= used_cols) add(used_cols);
    for (const int32_t width : LastColumnTiles(conv, pixels, hardware)) add(width);
  }

  // All that the result depends on. Constants are known by where they stand, not by what they hold.
  std::string Key() const {
    std::string key = fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", pixels_, chunk_bytes_,
        conv_.geometry.h.kernel, conv_.geometry.w.kernel, conv_.geometry.w.stride, conv_.in_c,
        conv_.out_c, NameOf(conv_.dtype), NameOf(conv_.YDtype()), conv_.holes, conv_.weight_zp,
        conv_.RecordSize(), conv_.scales_and_biases == kNoValue, conv_.row_factors == kNoValue,
        NameOf(conv_.requantize.rounding), result_.folds.size());
    for (const Value* value : {&weights_, records_, bias_}) {
      key += value == nullptr
                 ? " none"
                 : fmt::format(" {} {} {} {}", fmt::ptr(value->constant.data()),
                               value->constant.size(), NameOf(value->dtype), value->int4);
    }
    for (const Fold& fold : result_.folds) {
      key += fmt::format(" {} {} {} {} {} {} {}", fold.ky, fold.kx, fold.taps_h, fold.taps_w,
                         fold.c0, fold.channels, fold.joined);
    }
    for (const ColumnTile& tile : result_.tiles) key += fmt::format(" {}", tile.cols);
    const auto append = [&key](const auto& scales) {
      key += fmt::format(" {} ", scales.size());
      key.append(reinterpret_cast<const char*>(scales.data()), scales.size() * sizeof(scales[0]));
    };
    append(conv_.requantize.scales);
    append(conv_.requantize.reals);
    return key;
  }

  // What must stay where it is as long as the key counts.
  Owners Constants() const {
    Owners owners;
    for (const Value* value : {&weights_, records_, bias_})
      if (value != nullptr) owners.push_back(value->owned);
    return owners;
  }

  ConvWeights Pack() {
    for (ColumnTile& tile : result_.tiles) PackTile(tile);
    for (size_t i = 0; i < result_.chunks.size(); ++i) {
      WeightChunk& chunk = result_.chunks[i];
      if (is_int4_[i]) PackInt4(chunk.bytes);
      chunk.int4 = is_int4_[i];
      result_.total_bytes += (chunk.SizeBytes() + 63) / 64 * 64;
    }
    return std::move(result_);
  }

 private:
  // Room for so many bytes in the open chunk, or in a new one. Of int4, chunks hold a byte a weight
  // until all are packed, and no records.
  ChunkPlace Reserve(size_t bytes, bool int4) {
    int32_t& open = int4 ? open_int4_ : open_;
    if (open < 0 || ChunkAt(open).size() + bytes > chunk_bytes_) {
      open = static_cast<int32_t>(result_.chunks.size());
      result_.chunks.emplace_back();
      is_int4_.push_back(int4);
    }
    std::vector<uint8_t>& chunk = ChunkAt(open);
    chunk.resize((chunk.size() + kWordBytes - 1) / kWordBytes * kWordBytes);
    return {open, static_cast<int64_t>(chunk.size())};
  }

  std::vector<uint8_t>& ChunkAt(int32_t index) {
    return result_.chunks[static_cast<size_t>(index)].bytes;
  }

  void PackTile(ColumnTile& tile) {
    if (conv_.scales_and_biases == kNoValue) PackRecords(tile);
    for (const Fold& fold : result_.folds) {
      const auto bytes = static_cast<size_t>(fold.depth()) * static_cast<size_t>(tile.cols) *
                         static_cast<size_t>(WeightBytes(conv_.dtype));
      tile.planes.push_back(Reserve(bytes, weights_.int4));
      PackPlane(fold, tile, bytes);
    }
  }

  void PackRecords(ColumnTile& tile) {
    const auto record_bytes =
        static_cast<size_t>(conv_.RecordSize()) * static_cast<size_t>(tile.cols);
    tile.records = Reserve(record_bytes, /*int4=*/false);
    for (int32_t i = 0; i < tile.cols; ++i) {
      const int32_t channel = (tile.first_col + i) % conv_.out_c;
      std::vector<uint8_t>& chunk = ChunkAt(tile.records.chunk);
      AppendRecord(conv_.requantize, records_, channel, conv_.YDtype(), chunk);
      if (conv_.row_factors != kNoValue) AppendBias(channel, chunk);
    }
  }

  // Of no bias -0, which changes nothing, not even a zero's sign.
  void AppendBias(int32_t channel, std::vector<uint8_t>& chunk) const {
    if (bias_ != nullptr) return AppendRecord(conv_.requantize, bias_, channel, Dtype::kF32, chunk);
    const std::vector<uint8_t> none = NoWeights(sizeof(float), Dtype::kF32, 0);
    chunk.insert(chunk.end(), none.begin(), none.end());
  }

  void PackPlane(const Fold& fold, const ColumnTile& tile, size_t bytes) {
    std::vector<uint8_t>& chunk = ChunkAt(tile.planes.back().chunk);
    const size_t begin = chunk.size();
    // A kernel position that a column does not have weighs nothing.
    const std::vector<uint8_t> nothing = NoWeights(bytes, conv_.dtype, conv_.weight_zp);
    chunk.insert(chunk.end(), nothing.begin(), nothing.end());
    // Where legalising has marked holes, all is as it should be. Otherwise -0 is a number of the
    // model's, not a hole, and becomes 0 (CopyWeights).
    const bool copies_bits = !HasHoles(conv_, pixels_) || conv_.holes;
    const WindowAxis& w = conv_.geometry.w;
    const auto elem = static_cast<size_t>(WeightBytes(conv_.dtype));
    for (int32_t col = 0; col < tile.cols; ++col) {
      const int32_t pixel = (tile.first_col + col) / conv_.out_c;
      const int32_t channel = (tile.first_col + col) % conv_.out_c;
      for (int32_t ty = 0; ty < fold.taps_h; ++ty) {
        for (int32_t tx = 0; tx < fold.taps_w; ++tx) {
          const int32_t kx = fold.kx + tx - pixel * w.stride;
          if (kx < 0 || kx >= w.kernel) continue;
          const int64_t from =
              ((int64_t{channel} * conv_.geometry.h.kernel + fold.ky + ty) * w.kernel + kx) *
                  conv_.in_c +
              fold.c0;
          const size_t row = (static_cast<size_t>(ty) * static_cast<size_t>(fold.taps_w) +
                              static_cast<size_t>(tx)) *
                             static_cast<size_t>(fold.channels);
          uint8_t* to = chunk.data() + begin +
                        (row * static_cast<size_t>(tile.cols) + static_cast<size_t>(col)) * elem;
          const size_t step = static_cast<size_t>(tile.cols) * elem;
          if (weights_.int4) {
            for (int32_t c = 0; c < fold.channels; ++c, to += step)
              *to = Int4BitsAt(weights_.constant, from + c);
            continue;
          }
          const uint8_t* source = weights_.constant.data() + static_cast<size_t>(from) * elem;
          if (elem == 1) {
            for (int32_t c = 0; c < fold.channels; ++c, to += step) *to = *source++;
          } else {
            for (int32_t c = 0; c < fold.channels; ++c, to += step, source += elem) {
              copies_bits ? void(std::memcpy(to, source, elem))
                          : CopyWeights(source, elem, conv_.dtype, to);
            }
          }
        }
      }
    }
  }

  const Conv& conv_;
  const Value& weights_;
  const Value* records_;
  const Value* bias_;
  int32_t pixels_;
  size_t chunk_bytes_;
  ConvWeights result_;
  std::vector<bool> is_int4_;  // by chunk
  int32_t open_ = -1;          // the last chunk of bytes, of int4
  int32_t open_int4_ = -1;
};

}  // namespace

int64_t LargestTileBytes(const ConvWeights& weights, const Conv& conv, const Hardware& hardware) {
  constexpr int64_t kMostRecordBytes = 16;
  int64_t depth = 0;
  for (const Fold& fold : weights.folds) depth += fold.depth();
  return (depth * WeightBytes(conv.dtype) + kMostRecordBytes) * UsedColumns(conv, hardware);
}

std::vector<ColumnGroup> GroupColumns(const ConvWeights& weights, size_t tiles, size_t first,
                                      size_t end) {
  std::vector<ColumnGroup> groups;
  for (size_t i = first; i < std::min(end, weights.tiles.size()); ++i) {
    if ((i - first) % tiles == 0)
      groups.push_back({.begin = i, .end = i, .first_col = weights.tiles[i].first_col});
    groups.back().end = i + 1;
    groups.back().cols += weights.tiles[i].cols;
  }
  return groups;
}

ConvWeights PackConvWeights(const Conv& conv, const Network& network, int32_t pixels,
                            int64_t chunk_bytes, const Hardware& hardware) {
  return Packer(conv, network, pixels, chunk_bytes, hardware).Pack();
}

PackedConv PlaceConvWeights(const Conv& conv, const Network& network, int32_t pixels,
                            int64_t chunk_bytes, const Hardware& hardware,
                            ConstantPool& constants) {
  Packer packer(conv, network, pixels, chunk_bytes, hardware);
  const std::string key = packer.Key();
  auto made = std::static_pointer_cast<const MadeWeights>(constants.Recall(key));
  if (made == nullptr) {
    made = std::make_shared<const MadeWeights>(MadeWeights{packer.Constants(), packer.Pack()});
    constants.Remember(key, made);
  }
  PackedConv packed = {.weights = {made, &made->weights}, .homes = {}};
  for (const WeightChunk& chunk : made->weights.chunks)
    packed.homes.push_back(constants.Share(chunk.bytes, made));
  return packed;
}

}  // namespace acme::compiler
