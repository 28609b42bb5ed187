// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// GATHER_ND: slices that rows of indices choose, one index for each of the first dimensions. A gather
// from the table with these dimensions made one. Where there are several and the indices are computed, so are
// the places, of which those of a row with an index outside its dimension lie outside the table: an error of the
// run, as in TFLite.
//
//   i -> in = i moved into its dimension -> in x stride -+
//     -> i - in -> to -1, 0 or 1 -> square x table ------+-> + -> sum of each row: place

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/movement/fixed_places.h"
#include "reference_plugin/compiler/legalize/movement/gather_support.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/movement/gather.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"

namespace acme::compiler {
namespace {

struct Row {
  std::vector<int32_t> extents;  // of the dimensions that a row of indices names
  std::vector<int32_t> strides;  // in slices
  int32_t slices = 1;

  int32_t depth() const { return static_cast<int32_t>(extents.size()); }
};

Row RowOf(const std::vector<int32_t>& table, size_t depth) {
  Row row;
  row.extents.assign(table.begin(), table.begin() + static_cast<int64_t>(depth));
  row.strides.resize(depth);
  for (size_t d = depth; d-- > 0; row.slices *= table[d]) row.strides[d] = row.slices;
  return row;
}

// Places of constant indices; -1 of a row with one outside.
std::vector<int32_t> PlacesOf(const std::vector<int64_t>& indices, const Row& row) {
  std::vector<int32_t> places;
  const size_t depth = row.extents.size();
  for (size_t begin = 0; begin < indices.size(); begin += depth) {
    int64_t place = 0;
    bool inside = true;
    for (size_t d = 0; d < depth; ++d) {
      const int64_t index = indices[begin + d];
      inside = inside && index >= 0 && index < row.extents[d];
      place += inside ? index * row.strides[d] : 0;
    }
    places.push_back(inside ? static_cast<int32_t>(place) : -1);
  }
  return places;
}

// Layers of int32 over [count, depth].
class PlaceLayers {
 public:
  PlaceLayers(std::string name, int32_t count, const Row& row, NetworkBuilder& builder)
      : name_(std::move(name)), count_(count), row_(row), builder_(builder) {}

  ValueId Add(ValueId indices) {
    std::vector<int32_t> last = row_.extents;
    for (int32_t& extent : last) --extent;
    const int32_t depth = row_.depth();
    const ClampRange open = TypeRange(Dtype::kI32);
    const ValueId inside = AddStep(BinaryOp::kMin, indices, Constant(last), {0, open.hi});
    const ValueId beyond = AddStep(BinaryOp::kSub, indices, {inside, depth}, open);
    const Side one = Constant(std::vector<int32_t>(row_.extents.size(), 1));
    // From here on 0 where the index is inside, and 1 where it is not: so each wrong index adds all
    // slices of the table, and the place lies behind the last one.
    const ValueId sign = AddStep(BinaryOp::kMin, beyond, one, {-1, open.hi});
    const ValueId wrong = AddStep(BinaryOp::kMul, sign, {sign, depth}, open);
    const Side slices = Constant(std::vector<int32_t>(row_.extents.size(), row_.slices));
    const ValueId outside = AddStep(BinaryOp::kMul, wrong, slices, open);
    const ValueId place = AddStep(BinaryOp::kMul, inside, Constant(row_.strides), open);
    const ValueId both = AddStep(BinaryOp::kAdd, place, {outside, depth}, open);
    auto sum = std::make_shared<Reduce>();
    sum->x = both;
    sum->op = ReduceOp::kSum;
    sum->in = Dtype::kI32;
    sum->out = Dtype::kI32;
    sum->dims = MergeReduceDimensions({count_, depth}, {false, true});
    const ValueId places = builder_.AddValue(name_, Dtype::kI32, {count_});
    builder_.AddLayer(places, std::move(sum));
    return places;
  }

 private:
  // With so many elements from row to row.
  struct Side {
    ValueId value = kNoValue;
    int32_t row_stride = 0;
  };

  Side Constant(const std::vector<int32_t>& numbers) {
    return {builder_.AddNumbers(name_, Dtype::kI32, {row_.depth()}, numbers), 0};
  }

  ValueId AddStep(BinaryOp op, ValueId a, const Side& b, const ClampRange& clamp) {
    auto binary = std::make_shared<Binary>();
    binary->op = op;
    binary->extent = {row_.depth(), count_, 1, 1};
    binary->a.value = a;
    binary->a.stride_elems = {1, row_.depth(), 0, 0};
    binary->b.value = b.value;
    binary->b.stride_elems = {1, b.row_stride, 0, 0};
    binary->clamp = clamp;
    const ValueId result = builder_.AddValue(name_, Dtype::kI32, {count_, row_.depth()});
    builder_.AddLayer(result, std::move(binary));
    return result;
  }

  std::string name_;
  int32_t count_;
  const Row& row_;
  NetworkBuilder& builder_;
};

// `fixed`: the places of constant indices.
Expected<ValueId> AddPlaces(const litert::Tensor& indices, const std::vector<int32_t>& fixed,
                            const std::string& name, int32_t count, const Row& row,
                            NetworkBuilder& builder) {
  if (row.depth() == 1) return builder.AddTensor(indices);
  if (!fixed.empty()) return builder.AddNumbers(name, Dtype::kI32, {count}, fixed);
  ACME_ASSIGN_OR_RETURN(const ValueId computed, builder.AddTensor(indices));
  return PlaceLayers(name, count, row, builder).Add(computed);
}

}  // namespace

Expected<void> LegalizeGatherNd(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const litert::Tensor index_tensor = op.Inputs()[1];
  ACME_ASSIGN_OR_RETURN(const TensorInfo indices, ReadTensor(index_tensor));
  ACME_RETURN_IF_ERROR(CheckGatherIndices(indices));
  const std::vector<int32_t>& table = operands.x.value.shape;
  if (indices.value.shape.empty() || static_cast<size_t>(indices.value.shape.back()) > table.size())
    return Unsupported(fmt::format("indices {} do not fit an operand of {}",
                                   ShapeName(indices.value.shape), ShapeName(table)));
  const auto depth = static_cast<size_t>(indices.value.shape.back());
  const Row row = RowOf(table, depth);
  auto gather = std::make_shared<Gather>();
  gather->along = row.slices;
  gather->run = static_cast<int32_t>(operands.x.value.Elems() / row.slices);
  gather->count = static_cast<int32_t>(indices.value.Elems()) / row.depth();
  if (operands.y.value.Elems() != int64_t{gather->count} * gather->run)
    return Unsupported("the result's size does not fit the indices and the operand");
  // Sums of places, of which each index may add the whole table.
  if (int64_t{row.slices} * (row.depth() + 1) > INT32_MAX)
    return Unsupported("the operand has too many slices");
  ACME_RETURN_IF_ERROR(CheckGatherFits(*gather, operands.y.value.dtype));
  ACME_ASSIGN_OR_RETURN(gather->table, builder.AddTensor(op.Inputs()[0]));
  std::vector<int32_t> fixed;
  if (index_tensor.IsConstant()) {
    ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers,
                          ReadIntegers(index_tensor, "indices"));
    fixed = PlacesOf(numbers, row);
    if (std::shared_ptr<Move> slices =
            FixedSlices(std::vector<int64_t>(fixed.begin(), fixed.end()), *gather))
      return builder.AddLayer(op.Outputs()[0], std::move(slices));
  }
  ACME_ASSIGN_OR_RETURN(gather->indices, AddPlaces(index_tensor, fixed, operands.y.value.name,
                                                   gather->count, row, builder));
  return builder.AddLayer(op.Outputs()[0], std::move(gather));
}

}  // namespace acme::compiler
