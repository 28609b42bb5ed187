// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_weights.h"

#include <algorithm>
#include <cstring>

#include "reference_plugin/compiler/arithmetic/packed_int4.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

namespace acme::compiler {
namespace {

constexpr size_t kWordBytes = 32;

class Packer {
 public:
  Packer(const Conv& conv, const Network& network, int32_t pixels, int64_t chunk_bytes)
      : conv_(conv),
        weights_(network.value(conv.w).constant),
        int4_(network.value(conv.w).int4),
        records_(conv.Records() == kNoValue ? nullptr : &network.value(conv.Records())),
        bias_(conv.bias == kNoValue ? nullptr : &network.value(conv.bias)),
        pixels_(pixels),
        chunk_bytes_(static_cast<size_t>(chunk_bytes)) {}

  ConvWeights Pack(const Hardware& hardware) {
    const WindowAxis& axis = conv_.geometry.w;
    const int32_t wide = axis.kernel + (pixels_ - 1) * axis.stride;
    result_.folds = PlanFolds(conv_.geometry.h.kernel, pixels_ == 1 ? axis.kernel : wide,
                              conv_.in_c, FeedOf(conv_, pixels_, hardware));
    const int32_t used_cols = UsedColumns(conv_, hardware);
    const int32_t cols = conv_.out_c * pixels_;
    int32_t first = 0;
    const auto pack = [&](int32_t width) {
      ColumnTile tile{first, width, {}, {}};
      PackTile(tile);
      result_.tiles.push_back(std::move(tile));
      first += width;
    };
    while (cols - first >= used_cols) pack(used_cols);
    for (const int32_t width : LastColumnTiles(conv_, pixels_, hardware)) pack(width);
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
      tile.planes.push_back(Reserve(bytes, int4_));
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
          if (int4_) {
            for (int32_t c = 0; c < fold.channels; ++c, to += step)
              *to = Int4BitsAt(weights_, from + c);
            continue;
          }
          const uint8_t* source = weights_.data() + static_cast<size_t>(from) * elem;
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
  std::span<const uint8_t> weights_;
  bool int4_;
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
  return Packer(conv, network, pixels, chunk_bytes).Pack(hardware);
}

}  // namespace acme::compiler
