// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit generate: what a language model says to a prompt, on the CPU and, with a plugin, on the NPU.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/language/generated_tokens.h"
#include "sdk/tools/language/language_signatures.h"
#include "sdk/tools/language/token_generator.h"
#include "sdk/tools/language/token_list.h"
#include "sdk/tools/language/tokenizer.h"
#include "sdk/tools/reports/session_report.h"

namespace npukit::tools {
namespace {

struct GenerateFlags : SessionFlags {
  std::string prompt;
  std::string tokenizer;
  int tokens = 32;
  std::optional<double> temperature;
  int top_k = 0;
  uint64_t seed = 1;
  bool no_prefill = false;
  std::string compare;

  // The file of the model to compare with.
  const std::string& ReferencePath() const { return compare == "MODEL" ? model : compare; }
};

// A model ready to generate. The session outlives the generator.
struct Speaker {
  std::unique_ptr<Session> session;
  std::unique_ptr<TokenGenerator> generator;
};

litert::Expected<LanguageSignatures> ReadSignatures(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, LoadModel(path));
  auto signatures = FindLanguageSignatures(*model);
  if (signatures) return signatures;
  return litert::Unexpected(signatures.Error().Status(),
                            fmt::format("{}: {}", path, signatures.Error().Message()));
}

// The model on the CPU alone, to compare with.
litert::Expected<Speaker> OpenReference(const std::string& path, LanguageSignatures signatures,
                                        const SessionFlags& flags) {
  Speaker speaker;
  LITERT_ASSIGN_OR_RETURN(
      speaker.session,
      Session::Open(path, {.op_package_dirs = flags.op_packages.dirs,
                           .threads = flags.threads,
                           .hybrid = flags.exact_hybrid ? kernels::HybridMode::kExact
                                                        : kernels::HybridMode::kAsTflite,
                           .shared_ports = signatures.caches}));
  LITERT_ASSIGN_OR_RETURN(speaker.generator,
                          TokenGenerator::Create(*speaker.session, std::move(signatures)));
  return speaker;
}

nlohmann::ordered_json ReportJson(const GenerateFlags& flags, const GenerationOptions& options,
                                  const Speaker& speaker, const GeneratedTokens& said,
                                  const std::optional<std::string>& text) {
  const TokenGenerator& generator = *speaker.generator;
  nlohmann::ordered_json report = {{"model", flags.model},
                                   {"prompt", options.prompt},
                                   {"tokens", said.tokens},
                                   {"context", generator.signatures().context},
                                   {"vocabulary", generator.signatures().vocabulary},
                                   {"time_to_first_token_ms", said.first_token_ms},
                                   {"tokens_per_second", said.TokensPerSecond()}};
  if (text) report["text"] = *text;
  report["signatures"] = nlohmann::ordered_json::array();
  for (const auto& [key, tokens, runs] : generator.runs())
    report["signatures"].push_back({{"key", key}, {"tokens", tokens}, {"runs", runs}});
  report["cache_bytes_copied_per_step"] = generator.copied_bytes();
  report["placement"] = PlacementJson(speaker.session->placement());
  if (!said.comparison) return report;
  const TokenComparison& comparison = *said.comparison;
  nlohmann::ordered_json first;
  if (const auto& difference = comparison.first_difference) {
    first = {{"step", difference->step},
             {"token", difference->token},
             {"reference", difference->reference}};
  }
  report["compare"] = {{"tokens", said.tokens.size()},
                       {"equal_tokens", comparison.equal_tokens},
                       {"equal_logits", comparison.equal_logits},
                       {"largest_logit_difference", comparison.largest_logit_difference},
                       {"first_difference", first}};
  return report;
}

void PrintReport(const Speaker& speaker, const GeneratedTokens& said,
                 const std::optional<std::string>& text) {
  const TokenGenerator& generator = *speaker.generator;
  if (text) fmt::print("{}\n", *text);
  fmt::print("{}{}\n", text ? "tokens: " : "", fmt::join(said.tokens, " "));
  std::vector<std::string> runs;
  for (const SignatureRuns& signature : generator.runs()) {
    if (signature.runs > 0) runs.push_back(fmt::format("{} x {}", signature.key, signature.runs));
  }
  fmt::print("runs: {}; context: {} of {} positions\n", fmt::join(runs, ", "), generator.position(),
             generator.signatures().context);
  fmt::print("first token after {:.2f} ms", said.first_token_ms);
  if (!said.step_ms.empty()) fmt::print(", then {:.0f} tokens/s", said.TokensPerSecond());
  const SessionPlacement& placement = speaker.session->placement();
  fmt::print("\n{} ops on the NPU in {} partitions, {} ops on the CPU\n", placement.npu_ops,
             placement.partitions, placement.cpu_ops);
  if (!placement.fallback_reason.empty())
    fmt::print("nothing runs on the NPU: {}\n", placement.fallback_reason);
  if (!said.comparison) return;
  const TokenComparison& comparison = *said.comparison;
  fmt::print(
      "compared with the CPU: {} of {} tokens equal, logits of {} equal bit by bit, largest "
      "difference {:g}\n",
      comparison.equal_tokens, said.tokens.size(), comparison.equal_logits,
      comparison.largest_logit_difference);
  if (const auto& difference = comparison.first_difference) {
    fmt::print("first difference: token {} is {}, on the CPU {}\n", difference->step,
               difference->token, difference->reference);
  }
}

litert::Expected<GenerationOptions> ReadGeneration(const GenerateFlags& flags,
                                                   const Tokenizer* tokenizer) {
  GenerationOptions options{
      .tokens = flags.tokens,
      .prefill = !flags.no_prefill,
      .sampler = {
          .temperature = flags.temperature.value_or(0), .top_k = flags.top_k, .seed = flags.seed}};
  if (tokenizer != nullptr) {
    LITERT_ASSIGN_OR_RETURN(options.prompt, tokenizer->Encode(flags.prompt));
    options.end = tokenizer->end_id();
    if (options.prompt.empty())
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "--prompt: it has no token");
  } else {
    LITERT_ASSIGN_OR_RETURN(options.prompt, ParseTokens("--prompt", flags.prompt));
  }
  if (!(options.sampler.temperature >= 0)) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("--temperature {}: expected 0 (greedy) or more", options.sampler.temperature));
  }
  return options;
}

void AddArguments(CommandLine& line, GenerateFlags& flags) {
  flags.AddPlaceTo(line);
  flags.AddJit(line);
  line.Add("--prompt", flags.prompt,
           "the prompt: ids of its tokens, \"1 2 3\", or with --tokenizer a text")
      .Required();
  line.Add(
      "--tokenizer", flags.tokenizer,
      "SentencePiece model (.model) that splits the prompt and joins what is said; generating ends "
      "with its end token");
  line.Add("--tokens", flags.tokens, "how many tokens to generate")
      .ShowDefault()
      .Between(1, 1 << 20);
  const Argument temperature =
      line.Add("--temperature", flags.temperature,
               "sample by the logits divided by it; 0, the default: the likeliest token");
  line.Add("--top-k", flags.top_k, "sample among this many of the likeliest; 0: among all")
      .ShowDefault()
      .Between(0, 1 << 20)
      .Needs(temperature);
  line.Add("--seed", flags.seed, "seed of the sampling").ShowDefault();
  line.AddFlag("--no-prefill", flags.no_prefill, "feed the prompt through decode as well");
  line.AddFlagWithValue(
      "--compare", flags.compare, "MODEL",
      "compare each token and its logits with those of the CPU, for the same "
      "tokens before it; =FILE: of that model, where MODEL is compiled. Exit code "
      "1 if a token differs");
}

// Everything after the arguments are read. Takes signatures: a second try needs them again.
int GenerateOnce(GenerateFlags& flags, const GenerationOptions& options, const Tokenizer* tokenizer,
                 LanguageSignatures signatures,
                 std::optional<LanguageSignatures> reference_signatures) {
  int exit_code = kDone;
  flags.shared_ports = signatures.caches;
  Speaker speaker{.session = OpenSession(flags, exit_code)};
  if (speaker.session == nullptr) return exit_code;
  auto generator = TokenGenerator::Create(*speaker.session, std::move(signatures));
  if (!generator) return Fail(kFailed, generator.Error());
  speaker.generator = std::move(*generator);
  Speaker reference;
  if (reference_signatures) {
    auto opened = OpenReference(flags.ReferencePath(), std::move(*reference_signatures), flags);
    if (!opened) return Fail(kNotLoaded, opened.Error());
    reference = std::move(*opened);
  }
  auto said = GenerateTokens(*speaker.generator, reference.generator.get(), options);
  if (!said) return Fail(kFailed, said.Error());
  std::optional<std::string> text;
  if (tokenizer != nullptr) {
    auto joined = tokenizer->Decode(said->tokens);
    // What was said is not lost.
    if (!joined) Warn("--tokenizer: " + joined.Error().Message());
    if (joined) text = std::move(*joined);
  }
  if (flags.json) {
    PrintJson(ReportJson(flags, options, speaker, *said, text));
  } else {
    PrintReport(speaker, *said, text);
  }
  if (auto closed = speaker.session->Close(); !closed) return Fail(kFailed, closed.Error());
  return said->comparison && said->comparison->first_difference ? kFailed : kDone;
}

}  // namespace

int Generate(CommandLine& line, int argc, char** argv) {
  GenerateFlags flags;
  AddArguments(line, flags);
  if (std::optional<int> ended = line.Parse(argc, argv)) return *ended;
  std::unique_ptr<Tokenizer> tokenizer;
  if (!flags.tokenizer.empty()) {
    auto opened = Tokenizer::Open(flags.tokenizer);
    if (!opened) return Fail(kNotLoaded, opened.Error());
    tokenizer = std::move(*opened);
  }
  auto options = ReadGeneration(flags, tokenizer.get());
  if (!options) return Fail(kWrongUsage, options.Error());
  auto signatures = ReadSignatures(flags.model);
  if (!signatures) return Fail(kNotLoaded, signatures.Error());
  std::optional<LanguageSignatures> reference;
  if (!flags.compare.empty()) {
    auto read = ReadSignatures(flags.ReferencePath());
    if (!read) return Fail(kNotLoaded, read.Error());
    reference = std::move(*read);
  }
  // Before anything is compiled.
  if (auto checked = CheckGeneration(*signatures, reference ? &*reference : nullptr, *options);
      !checked) {
    return Fail(kWrongUsage, checked.Error());
  }
  return OnDevice(flags, [&] {
    return GenerateOnce(flags, *options, tokenizer.get(), *signatures, reference);
  });
}

}  // namespace npukit::tools
