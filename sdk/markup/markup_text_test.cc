// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/markup/markup_text.h"

#include <gtest/gtest.h>

namespace npukit {
namespace {

TEST(MarkupText, MarkupIsEscaped) {
  EXPECT_EQ(MarkupText("a<b>&\"'\n\tc"), "a&lt;b&gt;&amp;&quot;&#39;&#10;\tc");
}

TEST(MarkupText, CharactersBeyondAsciiStay) {
  EXPECT_EQ(MarkupText("Größe \u2264 \U0001F600"), "Größe \u2264 \U0001F600");
}

TEST(MarkupText, WhatXmlCantHoldIsAQuestionMarkForEachByte) {
  EXPECT_EQ(MarkupText("\x01|\x7f|\r"), "?|?|?");
  EXPECT_EQ(MarkupText("\xc3"), "?") << "cut off";
  EXPECT_EQ(MarkupText("\xc3z"), "?z");
  EXPECT_EQ(MarkupText("\x80\xff"), "??") << "no first byte";
  EXPECT_EQ(MarkupText("\xc0\xaf"), "??") << "longer than it need be";
  EXPECT_EQ(MarkupText("\xed\xa0\x80"), "???") << "half of a pair";
  EXPECT_EQ(MarkupText("\xef\xbf\xbf"), "???") << "U+FFFF";
  EXPECT_EQ(MarkupText("\xf4\x90\x80\x80"), "????") << "beyond U+10FFFF";
}

}  // namespace
}  // namespace npukit
