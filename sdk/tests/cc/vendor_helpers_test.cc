// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// The wrappers that a vendor's library includes beside those of the graph: shared libraries, the
// choice of its options, tables of host functions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_context_wrapper.h"
#include "litert/cc/internal/litert_options_wrapper.h"
#include "litert/cc/internal/litert_shared_library.h"
#include "litert/cc/litert_api_types.h"
#include "litert/cc/litert_opaque_options.h"
#include "litert/cc/litert_options.h"
#include "litert/vendors/cc/options_helper.h"
#include "sdk/tests/expect_ok.h"

namespace litert {
namespace {

using ::npukit::Ok;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// -- Shared libraries -----------------------------------------------------------------------------

using Cosine = double (*)(double);

TEST(SharedLibraryTest, FindsSymbolsOfAFile) {
  auto library = Ok(SharedLibrary::Load("libm.so.6", RtldFlags::Now().Local()));
  EXPECT_TRUE(library.Loaded());
  EXPECT_EQ(library.Path(), "libm.so.6");
  EXPECT_EQ(Ok(library.LookupSymbol<Cosine>("cos"))(0.0), 1.0);
  const auto missing = library.LookupSymbol<Cosine>("no_such_function");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.Error().StatusCC(), Status::kErrorDynamicLoading);
  EXPECT_THAT(missing.Error().Message(), HasSubstr("no_such_function in libm.so.6"));
  std::ostringstream text;
  text << library;
  EXPECT_EQ(text.str(), "library libm.so.6");

  SharedLibrary other = std::move(library);
  EXPECT_FALSE(library.Loaded());  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(other.Loaded());
  other.Close();
  EXPECT_FALSE(other.Loaded());
  EXPECT_FALSE(other.LookupSymbol<Cosine>("cos"));
}

TEST(SharedLibraryTest, SaysWhatCantBeLoaded) {
  const auto missing = SharedLibrary::Load("/no/such/library.so", RtldFlags::Default());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.Error().StatusCC(), Status::kErrorDynamicLoading);
  EXPECT_THAT(missing.Error().Message(), HasSubstr("/no/such/library.so"));
  EXPECT_FALSE(SharedLibrary::Load("", RtldFlags::Default()));
}

TEST(SharedLibraryTest, FindsSymbolsOfTheProcess) {
  const auto process = Ok(SharedLibrary::Load(RtldFlags::kDefault));
  EXPECT_TRUE(process.LookupSymbol<void*>("malloc"));
  EXPECT_FALSE(process.LookupSymbol<void*>("no_such_function"));
  EXPECT_TRUE(Ok(SharedLibrary::Load(RtldFlags::kNext)).Loaded());
}

TEST(RtldFlagsTest, AddUp) {
  EXPECT_EQ(RtldFlags::Lazy().Global().NoDelete().flags, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
  EXPECT_EQ(RtldFlags::Now().NoLoad().flags, RTLD_NOW | RTLD_NOLOAD);
}

// -- Options --------------------------------------------------------------------------------------

// A vendor's options, as its headers declare them.
template <char kName>
class VendorOptions : public OpaqueOptions {
 public:
  static std::string Discriminator() { return std::string("vendor_") + kName; }
  static Expected<VendorOptions> Create(OpaqueOptions& list) {
    return VendorOptions(list.Get(), OwnHandle::kNo);
  }
  static Expected<OpaqueOptions> WithValue(int value) {
    return OpaqueOptions::Create(Discriminator(), new int(value),
                                 [](void* data) { delete static_cast<int*>(data); });
  }
  int value() const { return *Ok(this->template GetData<int>()); }

 private:
  using OpaqueOptions::OpaqueOptions;
};

Options OptionsOfAAndB() {
  Options options = Ok(Options::Create());
  Ok(options.AddOpaqueOptions(Ok(VendorOptions<'a'>::WithValue(1))));
  Ok(options.AddOpaqueOptions(Ok(VendorOptions<'b'>::WithValue(2))));
  return options;
}

TEST(ParseOptionsTest, PicksTheKindsThatAreThere) {
  const Options options = OptionsOfAAndB();
  const auto [all, opaque, b, c, a] =
      ParseOptions<VendorOptions<'b'>, VendorOptions<'c'>, VendorOptions<'a'>>(options.Get());
  ASSERT_TRUE(all);
  EXPECT_EQ(all->Get(), options.Get());
  EXPECT_TRUE(opaque);
  ASSERT_TRUE(b);
  EXPECT_EQ(b->value(), 2);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->value(), 1);
  EXPECT_FALSE(c);
}

TEST(ParseOptionsTest, GivesErrorsWithoutOptions) {
  const auto [all, opaque, a] = ParseOptions<VendorOptions<'a'>>(nullptr);
  EXPECT_FALSE(all);
  EXPECT_FALSE(opaque);
  EXPECT_FALSE(a);
}

// -- Tables of host functions ---------------------------------------------------------------------

int destroyed_options = 0;

LiteRtRuntimeContext RuntimeTable() {
  LiteRtRuntimeContext table = {};
  table.get_opaque_options = LiteRtGetOpaqueOptions;
  table.find_opaque_options_data = LiteRtFindOpaqueOptionsData;
  table.destroy_options = [](LiteRtOptions options) {
    ++destroyed_options;
    LiteRtDestroyOptions(options);
  };
  return table;
}

TEST(OptionsWrapperTest, ReadsThroughEitherTable) {
  const LiteRtRuntimeContext runtime = RuntimeTable();
  LiteRtCompilerContext compiler = {};
  compiler.get_opaque_options = runtime.get_opaque_options;
  compiler.find_opaque_options_data = runtime.find_opaque_options_data;
  const Options options = OptionsOfAAndB();
  for (const auto& context :
       {internal::ContextWrapper(&runtime), internal::ContextWrapper(&compiler)}) {
    const internal::OptionsWrapper wrapper(context, options.Get());
    EXPECT_FALSE(wrapper.IsOwned());
    EXPECT_EQ(*static_cast<int*>(Ok(wrapper.FindOpaqueOptionsData("vendor_b"))), 2);
    EXPECT_FALSE(wrapper.FindOpaqueOptionsData("vendor_c"));
    const auto opaque = Ok(wrapper.GetOpaqueOptions());
    EXPECT_EQ(*static_cast<int*>(Ok(opaque.FindOpaqueOptions("vendor_a"))), 1);
  }
  EXPECT_EQ(destroyed_options, 0);
}

TEST(OptionsWrapperTest, DestroysWhatItOwns) {
  const LiteRtRuntimeContext table = RuntimeTable();
  destroyed_options = 0;
  {
    internal::OptionsWrapper owner(internal::ContextWrapper(&table), OptionsOfAAndB().Release(),
                                   OwnHandle::kYes);
    const internal::OptionsWrapper moved = std::move(owner);
    EXPECT_TRUE(moved.IsOwned());
  }
  EXPECT_EQ(destroyed_options, 1);
}

TEST(OptionsWrapperTest, SaysWhatATableLacks) {
  const LiteRtRuntimeContext table = {};
  const internal::OptionsWrapper wrapper(internal::ContextWrapper(&table), nullptr);
  const auto opaque = wrapper.GetOpaqueOptions();
  ASSERT_FALSE(opaque);
  EXPECT_EQ(opaque.Error().StatusCC(), Status::kErrorNotFound);
}

// -- Vocabulary -----------------------------------------------------------------------------------

TEST(ApiTypesTest, ViewsAndCleanup) {
  std::vector<int> values = {1, 2};
  for (int& value : internal::MakeLiteRtSpan(values)) ++value;
  const std::vector<int>& unchanging = values;
  EXPECT_THAT(internal::MakeLiteRtConstSpan(unchanging), ElementsAre(2, 3));
  EXPECT_EQ(internal::NullSafeStringView(nullptr), "");
  int calls = 0;
  {
    auto first = internal::MakeCleanup([&] { ++calls; });
    const auto second = std::move(first);
  }
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace litert
