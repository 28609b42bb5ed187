// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CUMSUM in log2(n) rounds: each adds to every element what stands 1, 2, 4 ... elements before it.

#include <memory>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/movement/segments.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"

namespace acme::compiler {
namespace {

// The operand as [outer, along, inner] around the axis.
struct Scan {
  int32_t outer = 1;
  int32_t along = 1;
  int32_t inner = 1;
  bool exclusive = false;
  bool reverse = false;
  Dtype dtype = Dtype::kF32;

  Steps::Shape shape() const { return {outer, along, inner}; }
  // Some elements along the axis, from a place on to another.
  std::vector<std::vector<Segment>> Part(int64_t extent, int64_t from, int64_t to) const {
    return {{{.extent = outer}},
            {{.extent = extent, .from_begin = from, .to_begin = to}},
            {{.extent = inner}}};
  }
};

Expected<Scan> ReadScan(const litert::Op& op, const OneOperand& operands) {
  Scan scan;
  if (LiteRtGetCumsumExclusiveOption(op.Get(), &scan.exclusive) != kLiteRtStatusOk ||
      LiteRtGetCumsumReverseOption(op.Get(), &scan.reverse) != kLiteRtStatusOk)
    return Unsupported("the op has no CumsumOptions");
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ReadIntegers(op.Inputs()[1], "the axis"));
  if (axes.size() != 1) return Unsupported("the axis must be one number");
  const std::vector<int32_t>& shape = operands.x.value.shape;
  if (operands.y.value.shape != shape) return Unsupported("operand and result must have one shape");
  ACME_ASSIGN_OR_RETURN(const size_t axis, ResolveAxis(axes[0], shape.size()));
  for (size_t d = 0; d < shape.size(); ++d)
    (d < axis ? scan.outer : d == axis ? scan.along : scan.inner) *= shape[d];
  scan.dtype = operands.x.value.dtype;
  return scan;
}

// What stands one element before, 0 for the first.
std::vector<MovePiece> ShiftByOne(const Scan& scan, ValueId x) {
  const Steps::Shape shape = scan.shape();
  std::vector<MovePiece> pieces = PiecesOf(
      x, shape, shape, scan.Part(scan.along - 1, scan.reverse ? 1 : 0, scan.reverse ? 0 : 1));
  std::vector<MovePiece> zero =
      PiecesOf(x, shape, shape, scan.Part(1, 0, scan.reverse ? scan.along - 1 : 0));
  zero[0].from = kNoValue;
  for (MoveDimension& dim : zero[0].dims) dim.from_stride_elems = 0;
  pieces.push_back(zero[0]);
  return pieces;
}

// Sums of the elements that are `distance` apart: [outer, along - distance, inner].
std::shared_ptr<Binary> Sums(const Scan& scan, ValueId x, int32_t distance) {
  auto binary = std::make_shared<Binary>();
  binary->op = BinaryOp::kAdd;
  binary->extent = {scan.inner, scan.along - distance, scan.outer, 1};
  binary->a.value = x;
  binary->a.stride_elems = {1, scan.inner, scan.along * scan.inner, 0};
  binary->b = binary->a;
  (scan.reverse ? binary->b : binary->a).base_elems = int64_t{distance} * scan.inner;
  binary->clamp =
      scan.dtype == Dtype::kF32 ? FloatActivationRange(Activation::kNone) : TypeRange(scan.dtype);
  return binary;
}

// The sums, and the elements that have nothing so far before them.
std::vector<MovePiece> Joined(const Scan& scan, ValueId x, ValueId sums, int32_t distance) {
  const Steps::Shape shape = scan.shape();
  const Steps::Shape rest = {scan.outer, scan.along - distance, scan.inner};
  const int64_t kept = scan.reverse ? scan.along - distance : 0;
  std::vector<MovePiece> pieces = PiecesOf(x, shape, shape, scan.Part(distance, kept, kept));
  for (MovePiece& piece : PiecesOf(
           sums, rest, shape, scan.Part(scan.along - distance, 0, scan.reverse ? 0 : distance)))
    pieces.push_back(std::move(piece));
  return pieces;
}

}  // namespace

Expected<void> LegalizeCumsum(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const Scan scan, ReadScan(op, operands));
  ACME_ASSIGN_OR_RETURN(ValueId x, builder.AddTensor(op.Inputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId y, builder.AddTensor(op.Outputs()[0]));
  Steps steps(operands.y.value.name, builder);
  const auto into = [&](bool last) { return last ? y : kNoValue; };
  const bool one = scan.along == 1;
  const Steps::Shape shape = scan.shape();
  if (scan.exclusive) {
    x = steps.Rearrange(ShiftByOne(scan, x), scan.dtype, shape, into(one));
  } else if (one) {
    steps.Rearrange(PiecesOf(x, shape, shape, scan.Part(1, 0, 0)), scan.dtype, shape, y);
  }
  for (int32_t distance = 1; distance < scan.along;) {
    const int32_t next = distance * 2;
    const ValueId sums = builder.AddValue(operands.y.value.name, scan.dtype,
                                          {scan.outer, scan.along - distance, scan.inner});
    builder.AddLayer(sums, Sums(scan, x, distance));
    x = steps.Rearrange(Joined(scan, x, sums, distance), scan.dtype, shape,
                        into(next >= scan.along));
    distance = next;
  }
  return {};
}

}  // namespace acme::compiler
