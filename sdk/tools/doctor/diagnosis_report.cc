// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sdk/tools/command_line/text_table.h"
#include "sdk/tools/doctor/diagnosis.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json FileJson(const LibraryFile& file) {
  Json json = {{"path", file.path}, {"kind", file.Kind()}, {"machine", file.image.machine}};
  if (file.host.any()) json["generations"]["litert"] = NamesOf(file.host);
  if (file.dispatch.any()) json["generations"]["dispatch"] = NamesOf(file.dispatch);
  if (file.compiler.any()) json["generations"]["compiler"] = NamesOf(file.compiler);
  json["evidence"] = file.evidence;
  json["soname"] = file.image.soname;
  json["elf_build_id"] = file.image.build_id;
  json["built_by"] = file.image.compiler;
  json["needed"] = file.image.needed;
  if (!file.image.runpath.empty()) json["runpath"] = file.image.runpath;
  json["versions"] = file.versions;
  if (!file.soc_models.empty()) json["soc_models"] = file.soc_models;
  if (file.image.has_unread_relocations) json["unread_relocations"] = true;
  return json;
}

Json FileJson(const ModelFile& file) {
  Json json = {{"path", file.path}, {"kind", "model"}, {"ops", file.ops}};
  if (file.has_stamp) {
    json["stamp"] = {{"soc_manufacturer", file.soc_manufacturer}, {"soc_model", file.soc_model}};
  }
  json["dispatch_ops"] = file.entry_points;
  json["versions"] = file.versions;
  return json;
}

const char* NameOf(Severity severity) {
  switch (severity) {
    case Severity::kMismatch:
      return "mismatch";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

std::string Words(const Json& list) {
  return fmt::format("{}", fmt::join(list.get<std::vector<std::string>>(), ", "));
}

std::string FileText(const Json& file) {
  TextTable facts("<<", "  ");
  if (file.contains("generations")) {
    for (const auto& [kind, names] : file["generations"].items()) {
      facts.Add({kind, Words(names)});
    }
    for (const Json& line : file["evidence"]) {
      facts.Add({"", line.get<std::string>()});
    }
  }
  if (file.contains("soc_models")) {
    facts.Add({"SoC models", Words(file["soc_models"])});
  }
  if (file.contains("stamp")) {
    facts.Add({"stamp", file["stamp"]["soc_manufacturer"].get<std::string>() + " " +
                            file["stamp"]["soc_model"].get<std::string>()});
  }
  if (file.contains("dispatch_ops")) {
    facts.Add({"dispatch ops", fmt::format("{} of {} ops", file["dispatch_ops"].size(),
                                           file["ops"].get<size_t>())});
  }
  if (file.contains("versions")) {
    for (const auto& [label, number] : file["versions"].items()) {
      facts.Add({label, number.get<std::string>()});
    }
  }
  return fmt::format("{}: {}\n{}", file["path"].get<std::string>(), file["kind"].get<std::string>(),
                     facts.Text());
}

}  // namespace

Json DiagnosisJson(const Examined& examined, const Diagnosis& diagnosis) {
  Json json = {{"files", Json::array()},
               {"pairs", Json::array()},
               {"findings", Json::array()},
               {"mismatch", diagnosis.HasMismatch()}};
  for (const LibraryFile& file : examined.libraries) json["files"].push_back(FileJson(file));
  for (const ModelFile& file : examined.models) json["files"].push_back(FileJson(file));
  for (const UnreadFile& file : examined.unread) {
    json["files"].push_back({{"path", file.path}, {"kind", "unread"}, {"error", file.why}});
  }
  for (const Pair& pair : diagnosis.pairs) {
    json["pairs"].push_back({{"a", pair.a},
                             {"b", pair.b},
                             {"works", pair.works ? Json(*pair.works) : Json(nullptr)},
                             {"why", pair.why}});
  }
  for (const Finding& finding : diagnosis.findings) {
    json["findings"].push_back({{"severity", NameOf(finding.severity)},
                                {"files", finding.files},
                                {"text", finding.text},
                                {"fix", finding.fix}});
  }
  return json;
}

std::string DiagnosisText(const Json& json) {
  std::string text;
  for (const Json& file : json["files"]) text += FileText(file);
  TextTable pairs("<<");
  for (const Json& pair : json["pairs"]) {
    const char* verdict = pair["works"].is_null()     ? "perhaps"
                          : pair["works"].get<bool>() ? "works"
                                                      : "fails";
    pairs.Add({verdict, pair["a"].get<std::string>() + " with " + pair["b"].get<std::string>()});
  }
  if (!pairs.empty()) text += "\n" + pairs.Text();
  for (const Json& finding : json["findings"]) {
    text += fmt::format("\n{}: {}\n  {}\n", finding["severity"].get<std::string>(),
                        Words(finding["files"]), finding["text"].get<std::string>());
    const auto fix = finding["fix"].get<std::string>();
    if (!fix.empty()) text += fmt::format("  {}\n", fix);
  }
  return text;
}

}  // namespace npukit::tools
