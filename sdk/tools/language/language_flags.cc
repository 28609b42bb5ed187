// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/language_flags.h"

#include <fmt/format.h>

#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/language/token_list.h"

namespace npukit::tools {
namespace {

constexpr int32_t kMost = 1 << 20;
constexpr int32_t kHiddenWidths = 4;  // as the samples have it

}  // namespace

void LanguageFlags::AddTo(CommandLine& line) {
  const LanguageModelShape usual;
  const auto add = [&](const char* name, int32_t& value, const char* help, int32_t if_not_given) {
    line.Add(name, value, fmt::format("{} (default: {})", help, if_not_given)).Between(1, kMost);
  };
  add("--layers", layers, "of a language model: how many layers", usual.layers);
  add("--width", width, "of its embedding", usual.width);
  add("--heads", heads, "of its queries", usual.heads);
  add("--kv-heads", kv_heads, "of its keys and values", usual.kv_heads);
  add("--head-dim", head_dim, "numbers in a head", usual.head_dim);
  line.Add("--hidden", hidden, "width of its feed-forward blocks (default: 4 times --width)")
      .Between(1, kMost);
  add("--vocabulary", vocabulary, "how many tokens it knows", usual.vocabulary);
  add("--context", context, "positions in its cache", usual.context);
  add("--window", window, "positions that a local layer sees", usual.window);
  line.Add("--prefill", prefill,
           fmt::format("tokens of each prefill signature, none: no such signature (default: {})",
                       fmt::join(usual.prefill, ",")));
  line.Add("--recipe", recipe,
           "types: float, dynamic_int8, dynamic_int4, int8, int4, a16w8 (default: by NAME)");
  line.Add("--style", style,
           "signatures: classic, or split: the layers take embeddings, masks and angles, which "
           "other signatures make, and give slices of the caches (default: classic)")
      .OneOf({"classic", "split"});
  line.AddFlag("--prefill-logits", prefill_logits,
               "prefill signatures give logits, too, of each token");
}

bool LanguageFlags::is_given() const {
  for (const int32_t number :
       {layers, width, heads, kv_heads, head_dim, hidden, vocabulary, context, window}) {
    if (number != 0) return true;
  }
  return !prefill.empty() || !recipe.empty() || !style.empty() || prefill_logits;
}

litert::Expected<void> LanguageFlags::ApplyTo(LanguageModelShape& shape) const {
  for (const auto& [from, to] :
       {std::pair{layers, &shape.layers}, std::pair{width, &shape.width},
        std::pair{heads, &shape.heads}, std::pair{kv_heads, &shape.kv_heads},
        std::pair{head_dim, &shape.head_dim}, std::pair{hidden, &shape.hidden},
        std::pair{vocabulary, &shape.vocabulary}, std::pair{context, &shape.context},
        std::pair{window, &shape.window}}) {
    if (from != 0) *to = from;
  }
  if (width != 0 && hidden == 0) shape.hidden = kHiddenWidths * width;
  if (prefill == "none") {
    shape.prefill.clear();
  } else if (!prefill.empty()) {
    LITERT_ASSIGN_OR_RETURN(shape.prefill, ParseTokens("--prefill", prefill));
  }
  if (!recipe.empty()) {
    LITERT_ASSIGN_OR_RETURN(shape.recipe, FindLanguageRecipe(recipe));
  }
  if (!style.empty())
    shape.style = style == "split" ? LanguageStyle::kSplit : LanguageStyle::kClassic;
  shape.prefill_logits = prefill_logits;
  return {};
}

}  // namespace npukit::tools
