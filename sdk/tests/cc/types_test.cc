// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// The wrappers that need no model: spans, strings, types, buffers, values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_detail.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_any.h"
#include "litert/cc/litert_buffer_ref.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_layout.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/cc/litert_tensor_buffer_requirements.h"
#include "sdk/tests/expect_ok.h"

namespace litert {
namespace {

using ::npukit::Ok;

using internal::Span;
using internal::StringView;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SpanTest, ConvertsFromAndToOtherViews) {
  std::vector<int> v = {1, 2, 3};
  Span<int> writable = v;
  writable[0] = 7;
  Span<const int> readable = writable;
  EXPECT_TRUE(readable == v);
  std::span<const int> standard = readable;
  EXPECT_EQ(standard.size(), 3u);
  Span<const int> back = standard;
  EXPECT_THAT(back, ElementsAre(7, 2, 3));
  std::array<int, 2> a = {4, 5};
  EXPECT_THAT(Span<const int>(a), ElementsAre(4, 5));
  int c[] = {6};
  EXPECT_THAT(Span<int>(c), ElementsAre(6));
  static_assert(!std::is_convertible_v<const std::vector<int>&, Span<int>>);
  static_assert(!std::is_convertible_v<std::vector<long>&, Span<int>>);
}

TEST(SpanTest, CutsWithinItsBounds) {
  const std::vector<int> v = {1, 2, 3};
  const Span<const int> s = v;
  EXPECT_THAT(s.subspan(1), ElementsAre(2, 3));
  EXPECT_THAT(s.subspan(1, 1), ElementsAre(2));
  EXPECT_THAT(s.subspan(1, 99), ElementsAre(2, 3));
  EXPECT_TRUE(s.subspan(4).empty());
  EXPECT_THAT(s.first(2), ElementsAre(1, 2));
  EXPECT_THAT(s.last(2), ElementsAre(2, 3));
  EXPECT_THAT(s.last(9), ElementsAre(1, 2, 3));
}

// Stands for absl::string_view where it is a class of its own.
struct OtherView {
  OtherView(const char* d, size_t n) : data_(d), size_(n) {}
  const char* data() const { return data_; }
  size_t size() const { return size_; }
  void remove_prefix(size_t n) { data_ += n, size_ -= n; }
  const char* data_;
  size_t size_;
};

TEST(StringViewTest, ConvertsFromAndToOtherViews) {
  const StringView ours = "text";
  const OtherView other = ours;
  EXPECT_EQ(other.size(), 4u);
  const StringView back = other;
  EXPECT_EQ(back, "text");
  const std::string_view standard = ours;
  EXPECT_EQ(standard, "text");
  EXPECT_EQ(std::string(ours), "text");
}

TEST(ElementTypeTest, KnowsSizes) {
  EXPECT_EQ(*GetByteWidth(ElementType::Float32) * 3, 12u);
  EXPECT_EQ(*GetByteWidth(ElementType::Int4) * 3, 2u);
  EXPECT_EQ(*GetByteWidth(ElementType::Int2) * 5, 2u);
  EXPECT_EQ(*GetByteWidth(ElementType::Complex128) * 1, 16u);
  EXPECT_FALSE(GetByteWidth(ElementType::TfString));
  EXPECT_FALSE(GetByteWidth(ElementType::None));
}

TEST(ElementTypeTest, MapsToAndFromCppTypes) {
  static_assert(GetElementType<float>() == ElementType::Float32);
  static_assert(GetElementType<bool>() == ElementType::Bool);
  static_assert(std::is_same_v<GetCCType<ElementType::Int8>, int8_t>);
  static_assert(std::is_same_v<GetCCType<ElementType::Float16>, std::monostate>);
  static_assert(static_cast<int>(ElementType::Int8) == kLiteRtElementTypeInt8);
  EXPECT_STREQ(ElementTypeName(ElementType::BFloat16), "BFloat16");
  EXPECT_STREQ(ElementTypeName(static_cast<ElementType>(99)), "?");
}

TEST(LayoutTest, HoldsDimensionsAndStrides) {
  const Layout layout(Dimensions{2, 3}, Strides{3, 1});
  EXPECT_EQ(layout.Rank(), 2u);
  EXPECT_THAT(layout.Dimensions(), ElementsAre(2, 3));
  EXPECT_TRUE(layout.HasStrides());
  EXPECT_THAT(layout.Strides(), ElementsAre(3u, 1u));
  const Layout dense(Dimensions{2, 3});
  EXPECT_TRUE(dense.Strides().empty());
  EXPECT_FALSE(layout == dense);
  EXPECT_TRUE(dense == Layout(BuildLayout({2, 3})));
}

TEST(LayoutTest, CountsElements) {
  struct Case {
    Dimensions dims;
    int64_t want;  // -1: error
  };
  for (const Case& c : {Case{{}, 1}, Case{{2, 3}, 6}, Case{{2, 0, 3}, 0}, Case{{2, -1}, -1},
                        Case{{1 << 30, 1 << 30, 1 << 30}, -1}}) {
    const auto n = Layout(c.dims).NumElements();
    EXPECT_EQ(n ? static_cast<int64_t>(*n) : -1, c.want);
  }
}

TEST(LayoutTest, NeverWritesBeyondTheGreatestRank) {
  const Layout layout(Dimensions(20, 1));
  EXPECT_EQ(layout.Rank(), static_cast<uint32_t>(LITERT_TENSOR_MAX_RANK));
}

TEST(RankedTensorTypeTest, ConvertsAndCompares) {
  const auto type = MakeRankedTensorType<float>({2, 3});
  const auto c_type = static_cast<LiteRtRankedTensorType>(type);
  EXPECT_EQ(c_type.element_type, kLiteRtElementTypeFloat32);
  EXPECT_EQ(c_type.layout.rank, 2u);
  EXPECT_TRUE(type == RankedTensorType(c_type));
  EXPECT_TRUE(type != MakeRankedTensorType<int32_t>(std::vector<int>{2, 3}));
  EXPECT_EQ(Ok(type.Bytes()), 24u);
  EXPECT_FALSE(MakeRankedTensorType<float>({-1}).Bytes());
}

TEST(BufferRefTest, ViewsWritesAndOwns) {
  OwningBufferRef<uint8_t> owner("hello");
  EXPECT_EQ(owner.StrView(), "hello");
  MutableBufferRef<uint8_t>& writable = owner;
  EXPECT_TRUE(writable.WriteInto("J"));
  EXPECT_FALSE(writable.WriteInto("toolong"));
  EXPECT_FALSE(writable.WriteInto("", 6));
  const BufferRef<uint8_t> view = owner;
  EXPECT_EQ(view.StrView(), "Jello");
  OwningBufferRef<uint8_t> copy = owner;
  copy.Data()[0] = 'C';
  EXPECT_EQ(owner.StrView(), "Jello");
  OwningBufferRef<uint8_t> moved = std::move(copy);
  EXPECT_EQ(moved.StrView(), "Cello");
  EXPECT_EQ(copy.Size(), 0u);  // NOLINT(bugprone-use-after-move)
  std::ostringstream dump;
  view.Dump(dump);
  EXPECT_EQ(dump.str(), "BufferRef[0:5]\n");
}

TEST(BufferRefTest, StartsAtItsOffset) {
  const uint8_t bytes[] = {0, 0, 7, 8};
  const BufferRef<uint8_t> view(bytes, 4, 2);
  EXPECT_THAT(view.Span(), ElementsAre(7, 8));
  EXPECT_THAT(view.ToVec(), ElementsAre(7, 8));
  OwningBufferRef<uint8_t> owner;
  owner.Assign(bytes, 4, 2);
  const OwningBufferRef<uint8_t> copy = owner;
  EXPECT_EQ(copy.Size(), 2u);
}

TEST(BufferRefTest, FillsThroughWeakReferences) {
  OwningBufferRef<uint8_t> owner;
  auto [data, size, offset] = owner.GetWeak();
  data = new uint8_t[3]{1, 2, 3};
  size = 3;
  offset = 1;
  EXPECT_THAT(owner.ToVec(), ElementsAre(2, 3));
}

TEST(BufferRefTest, CopiesRangesOfElements) {
  const auto buffer = MakeBufferRef<int16_t>({1, 2});
  EXPECT_EQ(buffer.Size(), 4u);
}

TEST(AnyTest, ConvertsEveryKind) {
  EXPECT_EQ(Ok(Get<bool>(Ok(ToLiteRtAny(true)))), true);
  EXPECT_EQ(Ok(Get<int64_t>(Ok(ToLiteRtAny(int8_t{-3})))), -3);
  EXPECT_EQ(Ok(Get<double>(Ok(ToLiteRtAny(0.5f)))), 0.5);
  EXPECT_EQ(Ok(Get<std::string>(Ok(ToLiteRtAny("text")))), "text");
  int x = 0;
  EXPECT_EQ(Ok(Get<const void*>(Ok(ToLiteRtAny(static_cast<const void*>(&x))))), &x);
  EXPECT_TRUE(std::holds_alternative<int64_t>(ToStdAny(Ok(ToLiteRtAny(5)))));
}

TEST(AnyTest, RefusesOtherKindsAndRanges) {
  LiteRtAny any{};
  any.type = kLiteRtAnyTypeInt;
  any.int_value = 300;
  const auto narrow = Get<int8_t>(any);
  ASSERT_FALSE(narrow);
  EXPECT_THAT(narrow.Error().Message(), HasSubstr("300 is not in [-128, 127]"));
  const auto text = Get<std::string>(any);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.Error().Message(), "expected a string, found an integer");
}

int destroyed = 0;
void Destroy(int*) { ++destroyed; }

TEST(HandleTest, DestroysOnceIfOwned) {
  int x = 0;
  destroyed = 0;
  {
    internal::BaseHandle<int*> owned(&x, Destroy, OwnHandle::kYes);
    internal::BaseHandle<int*> moved = std::move(owned);
    EXPECT_FALSE(owned);  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(moved.IsOwned());
    internal::BaseHandle<int*> not_owned(&x, Destroy, OwnHandle::kNo);
    EXPECT_EQ(not_owned, moved);
  }
  EXPECT_EQ(destroyed, 1);
  internal::BaseHandle<int*> released(&x, Destroy, OwnHandle::kYes);
  EXPECT_EQ(released.Release(), &x);
  EXPECT_EQ(released.Get(), nullptr);
}

TEST(DetailTest, Helpers) {
  const std::vector<int> v = {1, 2, 3};
  EXPECT_TRUE(Contains(v.begin(), v.end(), 2));
  EXPECT_EQ(FindInd(v.begin(), v.end(), 3), 2u);
  EXPECT_EQ(FindInd(v.begin(), v.end(), 4), std::nullopt);
  EXPECT_TRUE(AllZip(v, v, [](int a, int b) { return a == b; }));
  EXPECT_FALSE(AnyZip(v, v, [](int a, int b) { return a != b; }));
  EXPECT_TRUE(StartsWith("libLiteRt.so", "lib"));
  EXPECT_FALSE(EndsWith("so", "libLiteRt.so"));
  static_assert(std::is_same_v<SelectT<std::false_type, int, std::true_type, char>, char>);
}

TEST(TensorBufferRequirementsTest, JoinsWhatSatisfiesBoth) {
  const std::vector<TensorBufferType> both = {TensorBufferType::kDmaBuf,
                                              TensorBufferType::kHostMemory};
  const std::vector<TensorBufferType> host = {TensorBufferType::kHostMemory};
  const auto a = TensorBufferRequirements::Create(both, 64);
  const auto b = TensorBufferRequirements::CreateWithAlignment(host, 100, 256);
  const auto joined = Join(*a, *b);
  ASSERT_TRUE(joined);
  EXPECT_THAT(Ok(joined->SupportedTypes()), ElementsAre(TensorBufferType::kHostMemory));
  EXPECT_EQ(Ok(joined->BufferSize()), 100u);
  EXPECT_EQ(Ok(joined->Alignment()), 256u);
  EXPECT_FALSE(TensorBufferRequirements::CreateWithAlignment(host, 100, 3));
  EXPECT_FALSE(TensorBufferRequirements::Create({}, 100));
  const std::vector<TensorBufferType> dma = {TensorBufferType::kDmaBuf};
  const auto dma_only = TensorBufferRequirements::Create(dma, 1);
  EXPECT_FALSE(Join(*dma_only, *b));
  EXPECT_EQ(BufferTypeToStringCC(TensorBufferType::kHostMemory), "HostMemory");
}

}  // namespace
}  // namespace litert
