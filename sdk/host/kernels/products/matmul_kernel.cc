// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "sdk/host/kernels/convolution/packed_weights.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/products/matmul.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {
namespace {

constexpr int64_t kRowBlock = 64;

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// A product runs on the loops of convolutions: a row of A is a pixel, a column of B an output
// channel, and the depth a single run. So A is read as it lies if it is float and not transposed;
// int8 is copied, since the loops take it plus 128 or widened.
// Matrices lie side by side in a worker's scratch: B's panels, then A's rows where they must be
// converted or transposed. With several batches each worker takes whole batches; a single one is
// split by rows after its B has been packed.
class MatMulKernel : public Kernel {
 public:
  MatMulKernel(MatMul matmul, const Microkernels& microkernels, int64_t group, int64_t b_elem_bytes,
               int64_t a_elem_bytes, bool copies_a, int num_threads)
      : m_(std::move(matmul)),
        microkernels_(microkernels),
        depth_(RoundUp(m_.depth, group)),
        cols_(RoundUp(m_.cols, microkernels.lanes)),
        b_bytes_(RoundUp(cols_ * depth_ * b_elem_bytes, 64)),
        bias_bytes_(RoundUp(cols_ * static_cast<int64_t>(sizeof(int32_t)), 64)),
        a_bytes_(copies_a ? RoundUp(kRowBlock * depth_ * a_elem_bytes, 64) : 0),
        // With fewer batches than threads, batches by themselves would leave threads idle.
        by_batch_(static_cast<int64_t>(m_.batches.size()) >= num_threads),
        num_threads_(num_threads) {}

 protected:
  // Packs one B (and its column constants), and computes a block of rows with it.
  virtual void PackB(const RunContext& context, const MatMul::Pair& batch, uint8_t* panels,
                     int32_t* bias) const = 0;
  virtual void RunRows(const RunContext& context, size_t batch, const uint8_t* panels,
                       const int32_t* bias, int64_t row, int64_t rows,
                       uint8_t* a_scratch) const = 0;

  void SizeScratch(bool b_is_packed) {
    const int64_t per_batch = b_is_packed ? 0 : b_bytes_ + bias_bytes_;
    const int64_t copies_of_b = by_batch_ ? num_threads_ : 1;
    scratch_bytes_ = static_cast<size_t>(copies_of_b * per_batch + num_threads_ * a_bytes_);
    b_scratch_bytes_ = copies_of_b * per_batch;
    b_is_packed_ = b_is_packed;
  }

  litert::Expected<void> RunBatches(const RunContext& context,
                                    const std::vector<uint8_t>& packed) const {
    if (m_.rows == 0 || m_.cols == 0) return {};
    auto* scratch = context.scratch.data();
    auto a_of = [&](int worker) { return scratch + b_scratch_bytes_ + worker * a_bytes_; };
    auto packed_of = [&](size_t batch) {
      return packed.data() + m_.batches[batch].b / BMatrix() * (b_bytes_ + bias_bytes_);
    };
    auto run_batch = [&](size_t batch, const uint8_t* b, int worker) {
      for (int64_t row = 0; row < m_.rows; row += kRowBlock) {
        RunRows(context, batch, b, BiasOf(b), row, std::min(kRowBlock, m_.rows - row),
                a_of(worker));
      }
    };
    if (by_batch_) {
      ParallelFor(context.pool, m_.batches.size(), /*grain=*/1,
                  [&](size_t begin, size_t end, int worker) {
                    for (size_t batch = begin; batch < end; ++batch) {
                      if (b_is_packed_) {
                        run_batch(batch, packed_of(batch), worker);
                        continue;
                      }
                      uint8_t* b = scratch + worker * (b_bytes_ + bias_bytes_);
                      // Where B is broadcast, batches in a row have the same one.
                      if (batch == begin || m_.batches[batch].b != m_.batches[batch - 1].b) {
                        PackB(context, m_.batches[batch], b, MutableBiasOf(b));
                      }
                      run_batch(batch, b, worker);
                    }
                  });
      return {};
    }
    for (size_t batch = 0; batch < m_.batches.size(); ++batch) {
      if (!b_is_packed_) PackB(context, m_.batches[batch], scratch, MutableBiasOf(scratch));
      const uint8_t* b = b_is_packed_ ? packed_of(batch) : scratch;
      ParallelFor(context.pool, static_cast<size_t>((m_.rows + kRowBlock - 1) / kRowBlock),
                  /*grain=*/1, [&](size_t begin, size_t end, int worker) {
                    for (size_t block = begin; block < end; ++block) {
                      const int64_t row = static_cast<int64_t>(block) * kRowBlock;
                      RunRows(context, batch, b, BiasOf(b), row, std::min(kRowBlock, m_.rows - row),
                              a_of(worker));
                    }
                  });
    }
    return {};
  }

  // All matrices of a constant B.
  std::vector<uint8_t> PackAll(const RunContext& context, int64_t b_elems) const {
    const int64_t matrices = BMatrix() == 0 ? 0 : b_elems / BMatrix();
    std::vector<uint8_t> packed(matrices * (b_bytes_ + bias_bytes_));
    for (int64_t i = 0; i < matrices; ++i) {
      uint8_t* b = packed.data() + i * (b_bytes_ + bias_bytes_);
      PackB(context, {.a = 0, .b = i * BMatrix()}, b, MutableBiasOf(b));
    }
    return packed;
  }

  // One row block as a tile of single pixels.
  ConvTileArgs TileOf(size_t batch, int64_t row, int64_t rows, const void* image, int64_t image_row,
                      uint8_t* out, int64_t out_elem_bytes) const {
    static constexpr int64_t kOneRun[1] = {0};
    return {.rows = 1,
            .cols = rows,
            .image = image,
            .image_pixel_stride = image_row,
            .run_offsets = kOneRun,
            .runs = 1,
            .run_elems = depth_,
            .out = out + (static_cast<int64_t>(batch) * m_.rows + row) * m_.cols * out_elem_bytes,
            .out_pixel_stride = m_.cols,
            .first_channel = 0,
            .end_channel = m_.cols};
  }

  int64_t BMatrix() const { return m_.depth * m_.cols; }
  const int32_t* BiasOf(const uint8_t* b) const {
    return reinterpret_cast<const int32_t*>(b + b_bytes_);
  }
  int32_t* MutableBiasOf(uint8_t* b) const { return reinterpret_cast<int32_t*>(b + b_bytes_); }

  MatMul m_;
  const Microkernels& microkernels_;
  int64_t depth_;  // whole groups
  int64_t cols_;   // whole panels
  int64_t b_bytes_;
  int64_t bias_bytes_;
  int64_t a_bytes_;  // per worker
  bool by_batch_;
  int num_threads_;
  int64_t b_scratch_bytes_ = 0;
  bool b_is_packed_ = false;
};

class FloatMatMulKernel final : public MatMulKernel {
 public:
  FloatMatMulKernel(const Node& node, const MatMul& matmul, std::vector<float> b_scales,
                    const PrepareOptions& options)
      : MatMulKernel(matmul, MicrokernelsFor(options.isa), /*group=*/1, sizeof(float),
                     sizeof(float),
                     /*copies_a=*/matmul.a_transposed, options.num_threads),
        b_scales_(std::move(b_scales)) {
    const Operand& b = *node.inputs[1];
    if (b.has_constant()) {
      // PackB reads input 1 alone.
      const std::span<const uint8_t> inputs[2] = {{}, b.constant};
      RunContext context;
      context.inputs = inputs;
      packed_ = PackAll(context, b.elems());
      packed_bytes_ = packed_.size();
    }
    // Panels for one row, too: a row's sums are to be the same however many there are, so that a prompt
    // read at once gives what it gives token by token.
    SizeScratch(b.has_constant());
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    return RunBatches(context, packed_);
  }

 protected:
  // Without bias: its place stays 0.
  void PackB(const RunContext& context, const MatMul::Pair& batch, uint8_t* panels,
             int32_t* bias) const override {
    auto* to = reinterpret_cast<float*>(panels);
    std::memset(bias, 0, bias_bytes_);
    const float* reals = DataOf<float>(context.inputs[1]);
    const int8_t* stored = DataOf<int8_t>(context.inputs[1]);
    const int64_t lanes = microkernels_.lanes;
    for (int64_t col = 0; col < cols_; col += lanes, to += depth_ * lanes) {
      const int64_t real = std::min(lanes, m_.cols - col);
      if (real < lanes) std::fill_n(to, depth_ * lanes, 0.0f);
      if (b_scales_.empty()) {
        PackPanel(reals + m_.BIndex(batch, 0, col), real, to);
        continue;
      }
      for (int64_t lane = 0; lane < real; ++lane) {
        const float scale = b_scales_[b_scales_.size() == 1 ? 0 : col + lane];
        for (int64_t k = 0; k < depth_; ++k)
          to[k * lanes + lane] =
              static_cast<float>(stored[m_.BIndex(batch, k, col + lane)]) * scale;
      }
    }
  }

  // `real` columns of B from `from` on.
  void PackPanel(const float* from, int64_t real, float* to) const {
    const int64_t lanes = microkernels_.lanes;
    if (!m_.b_transposed) {
      for (int64_t k = 0; k < depth_; ++k, from += m_.cols, to += lanes)
        std::memcpy(to, from, static_cast<size_t>(real) * sizeof(float));
      return;
    }
    for (int64_t lane = 0; lane < real; ++lane, from += m_.depth) {
      for (int64_t k = 0; k < depth_; ++k) to[k * lanes + lane] = from[k];
    }
  }

  void RunRows(const RunContext& context, size_t batch, const uint8_t* panels, const int32_t* bias,
               int64_t row, int64_t rows, uint8_t* a_scratch) const override {
    const float* a = DataOf<float>(context.inputs[0]);
    const float* image = a + m_.AIndex(m_.batches[batch], row, 0);
    if (m_.a_transposed) {
      auto* copy = reinterpret_cast<float*>(a_scratch);
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t k = 0; k < depth_; ++k)
          copy[i * depth_ + k] = a[m_.AIndex(m_.batches[batch], row + i, k)];
      }
      image = copy;
    }
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    microkernels_.float_conv(
        {.tile = TileOf(batch, row, rows, image, depth_, context.outputs[0].data(), sizeof(float)),
         .weights = reinterpret_cast<const float*>(panels),
         .panel_elems = depth_ * microkernels_.lanes,
         .bias = reinterpret_cast<const float*>(bias),
         .min = -kInfinity,
         .max = kInfinity});
  }

 private:
  std::vector<float> b_scales_;
  std::vector<uint8_t> packed_;
};

// Images as IntegerConvArgs takes them: uint8 (int8 plus 128) in groups of 4, or int16 less the
// zero point in groups of 2.
class Int8MatMulKernel final : public MatMulKernel {
 public:
  Int8MatMulKernel(const Node& node, const MatMul& matmul, const MatMulQuantization& quantization,
                   const PrepareOptions& options)
      : MatMulKernel(matmul, MicrokernelsFor(options.isa),
                     MicrokernelsFor(options.isa).byte_images ? 4 : 2, sizeof(int8_t),
                     MicrokernelsFor(options.isa).byte_images ? 1 : 2, /*copies_a=*/true,
                     options.num_threads),
        a_zero_point_(quantization.a_zero_point),
        b_zero_point_(quantization.b_zero_point) {
    const PanelLayout layout{
        .lanes = microkernels_.lanes, .groups = 1, .channels_per_group = m_.cols};
    requantization_ =
        PackedRequantization(quantization.requantizer, layout, /*bias=*/{}, StoredType::kInt8);
    if (microkernels_.byte_images) {
      for (int64_t k = 0; k < depth_; k += 4) {
        const int64_t real = std::clamp<int64_t>(m_.depth - k, 0, 4);
        // One for each element that exists; memory order is little-endian.
        row_ones_.push_back(real == 4 ? 0x01010101u : 0x01010101u & ((1u << (8 * real)) - 1));
      }
    }
    const Operand& b = *node.inputs[1];
    if (b.has_constant()) {
      const std::span<const uint8_t> inputs[2] = {{}, b.constant};
      RunContext context;
      context.inputs = inputs;
      packed_ = PackAll(context, b.elems());
    }
    packed_bytes_ = packed_.size() + requantization_.bytes();
    SizeScratch(b.has_constant());
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    return RunBatches(context, packed_);
  }

 protected:
  void PackB(const RunContext& context, const MatMul::Pair& batch, uint8_t* panels,
             int32_t* bias) const override {
    const int8_t* b = DataOf<int8_t>(context.inputs[1]);
    auto* to = reinterpret_cast<int8_t*>(panels);
    const int64_t group = microkernels_.byte_images ? 4 : 2;
    // Where there is no weight: 0 for the byte path; for the other what its offset turns into 0.
    const auto filler = static_cast<int8_t>(microkernels_.byte_images ? 0 : b_zero_point_);
    const int32_t image_zero_point = a_zero_point_ + 128;
    for (int64_t col = 0; col < cols_; col += microkernels_.lanes) {
      for (int64_t k = 0; k < depth_; k += group) {
        for (int64_t lane = 0; lane < microkernels_.lanes; ++lane) {
          for (int64_t e = 0; e < group; ++e, ++to) {
            const bool real = col + lane < m_.cols && k + e < m_.depth;
            *to = real ? b[m_.BIndex(batch, k + e, col + lane)] : filler;
          }
        }
      }
    }
    std::memset(bias, 0, bias_bytes_);
    if (!microkernels_.byte_images) return;
    for (int64_t col = 0; col < m_.cols; ++col) {
      int32_t sum = 0;
      for (int64_t k = 0; k < m_.depth; ++k) sum += b[m_.BIndex(batch, k, col)];
      // As FoldZeroPoints in fast_convolution_integer.cc, but that B's sums may only be known now.
      // The part with the sums of A's rows is weight_offset times row_ones.
      const int64_t constant = m_.depth * image_zero_point * b_zero_point_ -
                               static_cast<int64_t>(image_zero_point) * sum;
      // The accumulator wraps, and so does TFLite's: what is cut here comes out right in the sum.
      bias[col] = static_cast<int32_t>(constant);
    }
  }

  void RunRows(const RunContext& context, size_t batch, const uint8_t* panels, const int32_t* bias,
               int64_t row, int64_t rows, uint8_t* a_scratch) const override {
    const int8_t* a = DataOf<int8_t>(context.inputs[0]);
    for (int64_t i = 0; i < rows; ++i) MakeRow(a, m_.batches[batch], row + i, i, a_scratch);
    IntegerConvArgs conv{
        .tile =
            TileOf(batch, row, rows, a_scratch, depth_, context.outputs[0].data(), sizeof(int8_t)),
        .weights = reinterpret_cast<const int8_t*>(panels),
        .panel_bytes = depth_ * microkernels_.lanes,
        .weight_offset = microkernels_.byte_images ? b_zero_point_ : -b_zero_point_,
        .row_ones = row_ones_.data(),
        .requantization = requantization_.View(0)};
    conv.requantization.bias = bias;
    microkernels_.integer_conv(conv);
  }

 private:
  // Elements beyond the depth meet weights of 0.
  void MakeRow(const int8_t* a, const MatMul::Pair& batch, int64_t row, int64_t slot,
               uint8_t* scratch) const {
    if (microkernels_.byte_images) {
      uint8_t* to = scratch + slot * depth_;
      if (!m_.a_transposed) {
        microkernels_.bias_int8(a + m_.AIndex(batch, row, 0), m_.depth, to);
        return;
      }
      for (int64_t k = 0; k < m_.depth; ++k)
        to[k] = static_cast<uint8_t>(a[m_.AIndex(batch, row, k)] + 128);
      return;
    }
    auto* to = reinterpret_cast<int16_t*>(scratch) + slot * depth_;
    if (!m_.a_transposed) {
      microkernels_.widen_int8(a + m_.AIndex(batch, row, 0), m_.depth, a_zero_point_, to);
      return;
    }
    for (int64_t k = 0; k < m_.depth; ++k)
      to[k] = static_cast<int16_t>(a[m_.AIndex(batch, row, k)] - a_zero_point_);
  }

  int32_t a_zero_point_;
  int32_t b_zero_point_;
  PackedRequantization requantization_;
  std::vector<uint32_t> row_ones_;
  std::vector<uint8_t> packed_;
};

}  // namespace

std::unique_ptr<Kernel> MakeFloatMatMul(const Node& node, const MatMul& matmul,
                                        std::vector<float> b_scales,
                                        const PrepareOptions& options) {
  return std::make_unique<FloatMatMulKernel>(node, matmul, std::move(b_scales), options);
}

std::unique_ptr<Kernel> MakeInt8MatMul(const Node& node, const MatMul& matmul,
                                       const MatMulQuantization& quantization,
                                       const PrepareOptions& options) {
  return std::make_unique<Int8MatMulKernel>(node, matmul, quantization, options);
}

}  // namespace npukit::kernels
