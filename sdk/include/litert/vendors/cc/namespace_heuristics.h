// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_VENDORS_CC_NAMESPACE_HEURISTICS_H_
#define ODML_LITERT_LITERT_VENDORS_CC_NAMESPACE_HEURISTICS_H_

// Names for a vendor's graph: which of an op's tensors is named like the op, for names of tensors
// carry the path of the layer that they come from. Pure, thread-safe.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_abseil.h"

namespace litert {
namespace internal {

// How many letters must be put in, left out or changed to make one text of the other.
inline size_t EditDistance(StringView a, StringView b) {
  // distances[j]: of what of `a` was looked at, to the first j letters of `b`.
  std::vector<size_t> distances(b.size() + 1);
  std::iota(distances.begin(), distances.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(distances[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = distances[j + 1];
      distances[j + 1] = std::min({changed, diagonal + 1, distances[j] + 1});
    }
  }
  return distances.back();
}

// The letters of what stands after the last slash, in lower case.
inline std::string LettersOfLastPart(StringView name) {
  const size_t slash = name.rfind('/');
  std::string letters;
  for (const char c : name.substr(slash == StringView::npos ? 0 : slash + 1)) {
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return letters;
}

}  // namespace internal

// Of `candidate_names`, names of an op's tensors, the one whose last part is closest to `op_name`
// ("conv_2d"; underscores do not count) by edit distance, of equals the last. The first one where
// none is within three times the length of `op_name`, and "" where there are none.
inline std::string TfliteNodeNamespaceHeuristic(internal::StringView op_name,
                                                internal::Span<const std::string> candidate_names) {
  if (candidate_names.empty()) return "";
  std::string wanted(op_name);
  wanted.erase(std::remove(wanted.begin(), wanted.end(), '_'), wanted.end());
  const std::string* best = &candidate_names.front();
  size_t best_distance = 3 * wanted.size() + 1;
  for (size_t i = candidate_names.size(); i-- > 0 && candidate_names.size() > 1;) {
    const std::string letters = internal::LettersOfLastPart(candidate_names[i]);
    if (letters.empty()) continue;
    const size_t distance = internal::EditDistance(wanted, letters);
    if (distance >= best_distance) continue;
    best = &candidate_names[i];
    best_distance = distance;
  }
  return *best;
}

// clang-format off
#define LITERT_INTERNAL_TFL_OPS(X)                                                               \
  X(Add) X(AveragePool2d) X(Concatenation) X(Conv2d) X(DepthwiseConv2d) X(DepthToSpace)          \
  X(Dequantize) X(EmbeddingLookup) X(Floor) X(FullyConnected) X(HashtableLookup)                 \
  X(L2Normalization) X(L2Pool2d) X(LocalResponseNormalization) X(Logistic) X(LshProjection)      \
  X(Lstm) X(MaxPool2d) X(Mul) X(Relu) X(ReluN1To1) X(Relu6) X(Reshape) X(ResizeBilinear) X(Rnn)  \
  X(Softmax) X(SpaceToDepth) X(Svdf) X(Tanh) X(ConcatEmbeddings) X(SkipGram) X(Call) X(Custom)   \
  X(EmbeddingLookupSparse) X(Pad) X(UnidirectionalSequenceRnn) X(Gather) X(BatchToSpaceNd)       \
  X(SpaceToBatchNd) X(Transpose) X(Mean) X(Sub) X(Div) X(Squeeze) X(UnidirectionalSequenceLstm)  \
  X(StridedSlice) X(BidirectionalSequenceRnn) X(Exp) X(TopkV2) X(Split) X(LogSoftmax)            \
  X(Delegate) X(BidirectionalSequenceLstm) X(Cast) X(Prelu) X(Maximum) X(ArgMax) X(Minimum)      \
  X(Less) X(Neg) X(Padv2) X(Greater) X(GreaterEqual) X(LessEqual) X(Select) X(Slice) X(Sin)      \
  X(TransposeConv) X(SparseToDense) X(Tile) X(ExpandDims) X(Equal) X(NotEqual) X(Log) X(Sum)     \
  X(Sqrt) X(Rsqrt) X(Shape) X(Pow) X(ArgMin) X(FakeQuant) X(ReduceProd) X(ReduceMax) X(Pack)     \
  X(LogicalOr) X(OneHot) X(LogicalAnd) X(LogicalNot) X(Unpack) X(ReduceMin) X(FloorDiv)          \
  X(ReduceAny) X(Square) X(ZerosLike) X(Fill) X(FloorMod) X(Range) X(ResizeNearestNeighbor)      \
  X(LeakyRelu) X(SquaredDifference) X(MirrorPad) X(Abs) X(SplitV) X(Unique) X(Ceil)              \
  X(ReverseV2) X(AddN) X(GatherNd) X(Cos) X(Where) X(Rank) X(Elu) X(ReverseSequence)             \
  X(MatrixDiag) X(Quantize) X(MatrixSetDiag) X(Round) X(HardSwish) X(If) X(While)                \
  X(NonMaxSuppressionV4) X(NonMaxSuppressionV5) X(ScatterNd) X(SelectV2) X(Densify)              \
  X(SegmentSum) X(BatchMatmul) X(Cumsum) X(CallOnce) X(BroadcastTo) X(Rfft2d) X(Conv3d) X(Imag)  \
  X(Real) X(ComplexAbs) X(Hashtable) X(HashtableFind) X(HashtableImport) X(HashtableSize)        \
  X(ReduceAll) X(Conv3dTranspose) X(VarHandle) X(ReadVariable) X(AssignVariable)                 \
  X(BroadcastArgs) X(RandomStandardNormal) X(Bucketize) X(RandomUniform) X(Multinomial) X(Gelu)  \
  X(DynamicUpdateSlice) X(Relu0To1) X(UnsortedSegmentProd) X(UnsortedSegmentMax)                 \
  X(UnsortedSegmentSum) X(Atan2) X(UnsortedSegmentMin) X(Sign) X(Bitcast) X(BitwiseXor)          \
  X(RightShift) X(Dilate) X(ReduceWindow)

#define LITERT_INTERNAL_SHLO_OPS(X)                                                          \
  X(Logistic) X(Add) X(Divide) X(Multiply) X(Maximum) X(Reshape) X(Clamp) X(Concatenate)     \
  X(BroadcastInDim) X(Convolution) X(Slice) X(CustomCall) X(Reduce) X(Abs) X(And) X(Cosine)  \
  X(Exponential) X(Floor) X(Log) X(Minimum) X(Negate) X(Or) X(Power) X(Remainder) X(Rsqrt)   \
  X(Select) X(Subtract) X(Tanh) X(Scatter) X(Compare) X(Convert) X(DynamicSlice)             \
  X(DynamicUpdateSlice) X(Pad) X(Iota) X(Sort) X(While) X(Gather) X(Transpose)               \
  X(RngBitGenerator) X(Composite)
// clang-format on

// "AveragePool2d" of kLiteRtOpCodeTflAveragePool2d, "StablehloAdd" of kLiteRtOpCodeShloAdd; static
// storage. "Unknown" for a value that is no op code.
inline internal::StringView GetTfliteOpName(LiteRtOpCode op_code) {
  switch (op_code) {
#define LITERT_INTERNAL_CASE(name) \
  case kLiteRtOpCodeTfl##name:     \
    return #name;
    LITERT_INTERNAL_TFL_OPS(LITERT_INTERNAL_CASE)
#undef LITERT_INTERNAL_CASE
#define LITERT_INTERNAL_CASE(name) \
  case kLiteRtOpCodeShlo##name:    \
    return "Stablehlo" #name;
    LITERT_INTERNAL_SHLO_OPS(LITERT_INTERNAL_CASE)
#undef LITERT_INTERNAL_CASE
    case kLiteRtOpCodeTflPlaceholderForGreaterOpCodeTfls:
      return "PlaceholderForGreaterOpCodes";
    case kLiteRtOpCodeShloGeneral:
      return "StablehloDotGeneral";
    case kLiteRtOpCodeShloWindow:
      return "StablehloReduceWindow";
    default:
      return "Unknown";
  }
}

#undef LITERT_INTERNAL_SHLO_OPS
#undef LITERT_INTERNAL_TFL_OPS

}  // namespace litert

#endif  // ODML_LITERT_LITERT_VENDORS_CC_NAMESPACE_HEURISTICS_H_
