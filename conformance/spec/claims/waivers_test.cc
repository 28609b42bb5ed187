// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/waivers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "conformance/spec/testing/bad_file.h"
#include "conformance/spec/text/value_parser.h"

namespace npukit::conformance {
namespace {

constexpr char kToday[] = "2026-11-23";

litert::Expected<Waivers> Read(const std::string& yaml) {
  auto value = ParseValue(yaml, "w.yaml");
  if (!value) return value.Error();
  return ReadWaivers(*value, kToday);
}

// With one waiver, whose fields are given.
std::string File(const std::string& fields) {
  return "waivers: 1\nvendor: Contoso\ngranted:\n  - {" + fields + "}\n";
}

constexpr char kGood[] =
    "device: c1, cases: ['core/ADD_.*/numerics.oracle', "
    "core/MUL_1/numerics.oracle], reason: errata 17, until: 2026-11-23";

Claims ContososClaims() {
  Claims claims;
  claims.manufacturer = "Contoso";
  claims.socs = {"c0", "c1"};
  return claims;
}

TEST(Waivers, Read) {
  const auto waivers = Read(File(kGood));
  ASSERT_TRUE(waivers) << waivers.Error().Message();
  EXPECT_EQ(waivers->vendor, "Contoso");
  ASSERT_EQ(waivers->waivers.size(), 1u);
  const Waiver* found = waivers->Find("core/ADD_int8_4/numerics.oracle");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->reason, "errata 17");
  EXPECT_EQ(found->until, "2026-11-23");
  EXPECT_NE(waivers->Find("core/MUL_1/numerics.oracle"), nullptr);
  EXPECT_EQ(waivers->Find("core/MUL_12/numerics.oracle"), nullptr);
  EXPECT_TRUE(CheckWaivers(*waivers, ContososClaims()));
  EXPECT_TRUE(
      CheckWaiversMatch(*waivers, {"core/MUL_1/numerics.oracle", "core/ADD_2/numerics.oracle"}));
}

TEST(Waivers, WhatIsWrongIsToldWithItsPlace) {
  const BadFile files[] = {
      {"ended yesterday", File("device: c1, cases: a, reason: b, until: 2026-11-22"), "4:46",
       "ended on 2026-11-22, today is 2026-11-23"},
      {"no day", File("device: c1, cases: a, reason: b, until: 2027-02-29"), "4:46",
       "expected a day"},
      {"no date", File("device: c1, cases: a, reason: b, until: soon"), "4:46", "expected a day"},
      {"long text", File("device: c1, cases: a, reason: b, until: 2027-01-011"), "4:46",
       "expected a day"},
      {"no end", File("device: c1, cases: a, reason: b"), "4:5", "until"},
      {"no reason", File("device: c1, cases: a, until: 2027-01-01"), "4:5", "reason"},
      {"an empty reason", File("device: c1, cases: a, reason: '', until: 2027-01-01"), "4:36",
       "needs a reason"},
      {"no cases", File("device: c1, cases: [], reason: b, until: 2027-01-01"), "4:25",
       "at least one case"},
      {"a bad pattern", File("device: c1, cases: 'a(', reason: b, until: 2027-01-01"), "4:25",
       "not a regular expression"},
      {"no device", File("cases: a, reason: b, until: 2027-01-01"), "4:5", "device"},
      {"an unknown key", File("device: c1, cases: a, reason: b, until: 2027-01-01, x: 1"), "4:58",
       "x"},
      {"another format", "waivers: 2\nvendor: a\ngranted: []\n", "1:10", "1"},
  };
  for (const BadFile& file : files) {
    SCOPED_TRACE(file.what);
    const auto waivers = Read(file.yaml);
    ASSERT_FALSE(waivers);
    ExpectRefused(file, "w.yaml", waivers.Error().Message());
  }
}

TEST(Waivers, MustBeOfTheVendorsDevicesAndCases) {
  const auto waivers = Read(File(kGood));
  ASSERT_TRUE(waivers);
  Claims other = ContososClaims();
  other.manufacturer = "Fabrikam";
  const auto vendor = CheckWaivers(*waivers, other);
  ASSERT_FALSE(vendor);
  EXPECT_THAT(vendor.Error().Message(), ::testing::StartsWith("w.yaml:2:9: "));
  other = ContososClaims();
  other.socs = {"c0"};
  const auto device = CheckWaivers(*waivers, other);
  ASSERT_FALSE(device);
  EXPECT_THAT(device.Error().Message(), ::testing::StartsWith("w.yaml:4:14: no device 'c1'"));
  const auto cases = CheckWaiversMatch(*waivers, {"core/ADD_1/numerics.oracle"});
  ASSERT_FALSE(cases);
  EXPECT_THAT(cases.Error().Message(),
              ::testing::StartsWith("w.yaml:4:57: the waiver matches no case"));
}

TEST(Waivers, TodayIsADay) {
  EXPECT_TRUE(Read(File("device: c1, cases: a, reason: b, until: " + Today())));
  EXPECT_EQ(Today().size(), 10u);
}

}  // namespace
}  // namespace npukit::conformance
