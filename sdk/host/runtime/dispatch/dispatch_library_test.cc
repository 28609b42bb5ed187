// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/dispatch_devices.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string PathOf(const std::string& variant) {
  return std::string(NPUKIT_TEST_DISPATCH_DIR) + "/" + variant + "/libLiteRtDispatch_TestDevice.so";
}

TEST(DispatchLibrary, LoadsOncePerFile) {
  const auto first = DispatchLibrary::Load(PathOf("healthy"));
  ASSERT_TRUE(first) << first.Error();
  EXPECT_EQ((*first)->vendor_id(), "TestDevice");
  EXPECT_EQ((*first)->build_id(), "test-1");
  EXPECT_EQ((*first)->capabilities(), kLiteRtDispatchCapabilitiesBasic);
  EXPECT_TRUE((*first)->client().has_metrics());
  // By another spelling of the path, too. The device refuses to be initialised twice.
  const auto second = DispatchLibrary::Load(std::string(NPUKIT_TEST_DISPATCH_DIR) +
                                            "/healthy/../healthy/libLiteRtDispatch_TestDevice.so");
  ASSERT_TRUE(second) << second.Error();
  EXPECT_EQ(first->get(), second->get());
}

TEST(DispatchLibrary, MetricsAreOptional) {
  const auto library = DispatchLibrary::Load(PathOf("no_metrics"));
  ASSERT_TRUE(library) << library.Error();
  EXPECT_FALSE((*library)->client().has_metrics());
}

// Loads a library of each layout and calls what differs between them.
TEST(DispatchLibrary, TellsTheReleasesApart) {
  struct Case {
    const char* variant;
    const char* abi;
    const char* generation;
  };
  const Case cases[] = {
      {"210", "2.1", "LiteRT 2.1.0 to 2.1.1"},
      {"212", "2.1", "LiteRT 2.1.2"},
      {"213", "2.1", "LiteRT 2.1.3 to 2.1.4"},
      {"214", "2.1", "LiteRT 2.1.3 to 2.1.4"},
      {"215", "2.2", "LiteRT 2.1.5 to 2.1.6"},
      {"216", "2.2", "LiteRT 2.1.5 to 2.1.6"},
      {"220", "2.2", "LiteRT 2.2.0"},
      {"220_fabric", "2.2", "LiteRT 2.2.0"},
      {"220_hooks", "2.2", "LiteRT 2.2.0"},
      {"queried_plain", "2.3", "LiteRT main of September 2026"},
      {"queried_older", "2.3", "LiteRT main of September 2026"},
      {"queried_half_a_member", "2.3", "LiteRT main of September 2026"},
      {"queried_newer", "2.3", "LiteRT main of September 2026"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.variant);
    const auto library = DispatchLibrary::Load(PathOf(c.variant));
    ASSERT_TRUE(library) << library.Error();
    EXPECT_EQ(AbiName((*library)->generation()), c.abi);
    EXPECT_EQ(GenerationName((*library)->generation()), c.generation);
    EXPECT_EQ((*library)->vendor_id(), "as expected");
    auto device = DispatchDevice::Create((*library)->client(), (*library)->options());
    ASSERT_TRUE(device) << device.Error();
    const uint8_t bytecode[3] = {};
    const auto invocation = DispatchInvocation::Create(
        **device, DispatchExecutable::OfBytecode(bytecode), "main", 1, 2);
    ASSERT_TRUE(invocation) << invocation.Error();
    EXPECT_TRUE((*invocation)->Close());
    EXPECT_TRUE((*device)->Close());
  }
}

// Members behind the table's end are not there, whatever lies in memory.
TEST(DispatchLibrary, TheHeaderSaysHowMuchOfAQueriedTableIsThere) {
  const struct {
    const char* variant;
    bool has_set_options;
  } cases[] = {{"queried_plain", true},
               {"queried_newer", true},
               {"queried_older", false},
               {"queried_half_a_member", false}};
  for (const auto& c : cases) {
    const auto library = DispatchLibrary::Load(PathOf(c.variant));
    ASSERT_TRUE(library) << library.Error();
    EXPECT_EQ((*library)->functions().invocation_context_set_options != nullptr, c.has_set_options)
        << c.variant;
    EXPECT_EQ((*library)->tables().extras.get_hooks, nullptr) << c.variant;
    EXPECT_EQ((*library)->tables().async, nullptr) << c.variant;
    EXPECT_EQ((*library)->tables().graph, nullptr) << c.variant;
  }
}

// The 26th function is read only where there is one: 2.2.0 has other things there.
TEST(DispatchLibrary, HooksHearOfTheLifeOfAModel) {
  const struct {
    const char* variant;
    const char* heard;
  } cases[] = {{"220", ""},
               {"220_fabric", ""},
               {"220_hooks", "2301014"},
               {"queried_plain", ""},
               {"queried_hooks", "2301014"}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.variant);
    const auto library = DispatchLibrary::Load(PathOf(c.variant));
    ASSERT_TRUE(library) << library.Error();
    const auto heard = (*library)->Find<const char* (*)()>("TestHooks");
    const size_t before = std::string_view(heard()).size();
    DispatchDevices devices({PathOf(c.variant)});
    const uint8_t bytecode[3] = {};
    auto loaded = devices.Load(
        {.bytecode = bytecode, .entry_point = "main", .num_inputs = 1, .num_outputs = 2});
    ASSERT_TRUE(loaded) << loaded.Error();
    devices.EndLoading();
    devices.EndLoading();  // said already
    for (int run = 0; run < 2; ++run) {
      devices.CallHooks(kLiteRtHookTypeRuntimeStart);
      devices.CallHooks(kLiteRtHookTypeRuntimeStop);
    }
    EXPECT_TRUE(loaded->invocation->Close());
    EXPECT_TRUE(devices.Close());
    EXPECT_EQ(std::string_view(heard()).substr(before), c.heard);
  }
}

// As a device that is of no use for the module.
TEST(DispatchLibrary, HooksHearThatAModelGoesWhichWasNotLoaded) {
  const auto library = DispatchLibrary::Load(PathOf("220_hooks"));
  ASSERT_TRUE(library) << library.Error();
  const auto heard = (*library)->Find<const char* (*)()>("TestHooks");
  const size_t before = std::string_view(heard()).size();
  DispatchDevices devices({PathOf("220_hooks")});
  EXPECT_FALSE(devices.Load({.entry_point = "main", .num_inputs = 1, .num_outputs = 2}));
  EXPECT_EQ(std::string_view(heard()).substr(before), "234");
}

TEST(DispatchLibrary, RefusesWhatIsWrongAndNamesIt) {
  struct Case {
    const char* variant;
    LiteRtStatus status;
    const char* message;
  };
  const Case cases[] = {
      {"no_get_api", kLiteRtStatusErrorDynamicLoading, "does not export LiteRtDispatchGetApi"},
      {"get_api_fails", kLiteRtStatusErrorRuntimeFailure,
       "LiteRtDispatchGetApi: gave kLiteRtStatusErrorRuntimeFailure"},
      {"queried_unsupported", kLiteRtStatusErrorWrongVersion,
       "LiteRtDispatchQueryInterface(0, version 1.0.0) gave kLiteRtStatusErrorUnsupported"},
      {"queried_null", kLiteRtStatusErrorWrongVersion, "gave null"},
      {"queried_wrong_major", kLiteRtStatusErrorWrongVersion, "gave a table of version 99.0"},
      {"queried_small_header", kLiteRtStatusErrorWrongVersion,
       "gave a table of 4 bytes: expected at least 8, its header"},
      {"queried_header_only", kLiteRtStatusErrorRuntimeFailure, "null: initialize, get_vendor_id"},
      {"queried_no_initialize", kLiteRtStatusErrorRuntimeFailure,
       "LiteRtDispatchQueryInterface: left these functions null: initialize"},
      {"wrong_version", kLiteRtStatusErrorWrongVersion, "says version 0.1.1, expected 0.1.0"},
      {"null_interface", kLiteRtStatusErrorRuntimeFailure, "left the basic interface null"},
      {"missing_functions", kLiteRtStatusErrorRuntimeFailure,
       "null: invoke, check_runtime_compatibility"},
      {"init_fails", kLiteRtStatusErrorRuntimeFailure, "initialize: gave"},
      {"incompatible", kLiteRtStatusErrorWrongVersion, "check_runtime_compatibility(0.1.0): gave"},
      {"null_vendor", kLiteRtStatusErrorRuntimeFailure, "get_vendor_id: gave null"},
      {"no_basic", kLiteRtStatusErrorRuntimeFailure,
       "get_capabilities: gave 4, without the basic interface"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.variant);
    for (int attempt = 0; attempt < 2; ++attempt) {  // a refusal leaves nothing behind
      const auto library = DispatchLibrary::Load(PathOf(c.variant));
      ASSERT_FALSE(library);
      EXPECT_EQ(library.Error().Status(), c.status);
      EXPECT_THAT(library.Error().Message(),
                  AllOf(HasSubstr(PathOf(c.variant)), HasSubstr(c.message)));
    }
  }
}

TEST(DispatchLibrary, FilesThatAreNoLibrary) {
  const auto absent = DispatchLibrary::Load("/nonexistent/libLiteRtDispatch_X.so");
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.Error().Message(), HasSubstr("/nonexistent/libLiteRtDispatch_X.so"));
  const auto text = DispatchLibrary::Load(NPUKIT_SOURCE_DIR "/LICENSE");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.Error().Status(), kLiteRtStatusErrorDynamicLoading);
}

TEST(DispatchSearch, VendorLikeness) {
  EXPECT_EQ(VendorLikeness("AcmeCorp", "acmecorp"), 2);
  EXPECT_EQ(VendorLikeness("Example", "ExampleSocManufacturer"), 1);
  EXPECT_EQ(VendorLikeness("ExampleSocManufacturer", "Example"), 1);
  EXPECT_EQ(VendorLikeness("AcmeCorp", "Contoso"), 0);
  EXPECT_EQ(VendorLikeness("", "Contoso"), 0);
}

TEST(DispatchSearch, VendorOfDispatchFile) {
  EXPECT_EQ(VendorOfDispatchFile("/x/libLiteRtDispatch_AcmeCorp.so"), "AcmeCorp");
  EXPECT_EQ(VendorOfDispatchFile("libLiteRtDispatchX.so"), "X");
  EXPECT_EQ(VendorOfDispatchFile("libLiteRtDispatch.so"), "");
  EXPECT_EQ(VendorOfDispatchFile("libfoo.so"), "");
}

TEST(DispatchSearch, RanksByManufacturerThenPath) {
  const std::string dir = std::string(NPUKIT_TEST_DISPATCH_DIR) + "/healthy";
  for (const char* manufacturer : {"", "TestDevice", "Nobody"}) {
    const auto paths = RankDispatchLibraries(dir, manufacturer);
    ASSERT_TRUE(paths) << paths.Error();
    EXPECT_THAT(*paths, ElementsAre(dir + "/libLiteRtDispatch_TestDevice.so")) << manufacturer;
  }
  EXPECT_FALSE(RankDispatchLibraries("/nonexistent", ""));
  EXPECT_FALSE(RankDispatchLibraries(NPUKIT_SOURCE_DIR "/sdk/include", ""));
}

}  // namespace
}  // namespace npukit
