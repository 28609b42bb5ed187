// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/input_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/model/metadata/tensor_metadata.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/tensors/input_file.h"
#include "sdk/tools/tensors/npy.h"

namespace npukit::tools {
namespace {

litert::Unexpected Wrong(std::string message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, std::move(message));
}

std::string PortText(const PortInfo& port) {
  return fmt::format("'{}' {}{}", port.name, ElementTypeName(port.element_type),
                     kernels::ShapeText(port.shape));
}

litert::Expected<std::vector<double>> ParseNumbers(const char* flag, const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    double number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (next != end && (*next != ',' || next + 1 == end)))
      return Wrong(fmt::format("{} '{}': expected numbers with commas between", flag, text));
    numbers.push_back(number);
    at = next == end ? end : next + 1;
  }
  return numbers;
}

litert::Expected<std::optional<Normalization>> NormalizationByFlags(const InputFlags& flags) {
  if (flags.mean.empty() && flags.deviation.empty()) return std::optional<Normalization>();
  Normalization by{.mean = {0}, .deviation = {1}, .source = "--mean and --std"};
  if (!flags.mean.empty()) {
    LITERT_ASSIGN_OR_RETURN(by.mean, ParseNumbers("--mean", flags.mean));
  }
  if (!flags.deviation.empty()) {
    LITERT_ASSIGN_OR_RETURN(by.deviation, ParseNumbers("--std", flags.deviation));
  }
  return std::optional(std::move(by));
}

// The first of the options that is given and says what becomes of images; empty if none is.
std::string OptionForImages(const InputFlags& flags) {
  const std::pair<const char*, bool> kForImages[] = {
      {"--mean", !flags.mean.empty()},
      {"--std", !flags.deviation.empty()},
      {"--resize-filter", flags.resize_filter != InputFlags().resize_filter}};
  for (const auto& [name, is_given] : kForImages) {
    if (is_given) return name;
  }
  return {};
}

// Fills one input after the other and remembers which have something.
class Filling {
 public:
  Filling(SignatureRunner& runner, const Model& model, std::optional<Normalization> by_flags,
          Interpolation interpolation)
      : runner_(runner),
        model_(model),
        by_flags_(std::move(by_flags)),
        interpolation_(interpolation),
        sources_(runner.inputs().size()) {}

  litert::Expected<void> Add(const std::string& argument) {
    LITERT_ASSIGN_OR_RETURN(const auto target, TargetOf(argument));
    const auto& [path, named] = target;
    LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> content, ReadWholeFile(path));
    const FileKind kind = KindOf(path, content);
    has_image_ |= kind == FileKind::kImage;
    if (kind == FileKind::kNpz && !named) return AddArchive(path, content);
    const std::optional<size_t> input = named ? named : NextFree();
    if (!input) return TooMany(path);
    auto bytes = BytesForInput(kind, content, PortOf(*input), interpolation_);
    if (!bytes) return Wrong(fmt::format("{}: {}", path, bytes.Error().Message()));
    if (!bytes->note.empty()) Warn(fmt::format("{}: {}", path, bytes->note));
    return Set(*input, path, bytes->bytes);
  }

  litert::Expected<std::vector<std::string>> Finish() {
    std::vector<std::string> missing;
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].empty()) missing.push_back(PortText(runner_.inputs()[i]));
    }
    if (missing.empty()) return std::move(sources_);
    return Wrong(fmt::format("--in: the model has {} input{}, without a file {} {}",
                             sources_.size(), sources_.size() == 1 ? "" : "s",
                             missing.size() == 1 ? "is" : "are", fmt::join(missing, ", ")));
  }

  bool has_image() const { return has_image_; }

 private:
  struct Target {
    std::string path;
    std::optional<size_t> input;
  };

  std::optional<size_t> InputNamed(const std::string& name) const {
    const auto inputs = runner_.inputs();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].name == name || (inputs[i].tensor != nullptr && inputs[i].tensor->name == name))
        return i;
    }
    return std::nullopt;
  }

  // A file that is there counts as one, whatever its name; names of tensors may have "=" too.
  litert::Expected<Target> TargetOf(const std::string& argument) const {
    std::error_code error;
    if (std::filesystem::exists(argument, error)) return Target{.path = argument, .input = {}};
    for (size_t at = argument.find('='); at != std::string::npos; at = argument.find('=', at + 1)) {
      if (const auto input = InputNamed(argument.substr(0, at)))
        return Target{.path = argument.substr(at + 1), .input = input};
    }
    const size_t equals = argument.find('=');
    if (equals == std::string::npos) return Target{.path = argument, .input = {}};
    std::vector<std::string> names;
    for (const PortInfo& port : runner_.inputs()) names.push_back(PortText(port));
    return Wrong(fmt::format("--in '{}': there is no such file, and no input '{}' but {}", argument,
                             argument.substr(0, equals), fmt::join(names, ", ")));
  }

  std::optional<size_t> NextFree() const {
    const auto free = std::ranges::find_if(sources_, &std::string::empty);
    if (free == sources_.end()) return std::nullopt;
    return static_cast<size_t>(free - sources_.begin());
  }

  litert::Unexpected TooMany(const std::string& path) const {
    std::vector<std::string> wanted;
    for (const PortInfo& port : runner_.inputs()) wanted.push_back(PortText(port));
    return Wrong(fmt::format("--in: the model has {} input{} ({}), {} is one file too many",
                             wanted.size(), wanted.size() == 1 ? "" : "s", fmt::join(wanted, ", "),
                             path));
  }

  InputPort PortOf(size_t index) const {
    const PortInfo& info = runner_.inputs()[index];
    InputPort port{.name = info.name,
                   .type = info.element_type,
                   .shape = info.shape,
                   .quantization = info.tensor->quantization,
                   .normalization = by_flags_};
    const bool is_real = IsFloat(port.type) || port.quantization.is_per_tensor();
    if (port.normalization || !is_real) return port;
    const auto stored = NormalizationInMetadata(model_, *info.tensor);
    if (stored) {
      port.normalization =
          Normalization{.mean = {stored->mean.begin(), stored->mean.end()},
                        .deviation = {stored->deviation.begin(), stored->deviation.end()},
                        .source = "the model's metadata"};
    }
    return port;
  }

  litert::Expected<void> Set(size_t input, const std::string& source,
                             std::span<const uint8_t> bytes) {
    if (!sources_[input].empty()) {
      return Wrong(fmt::format("--in: input {} gets both {} and {}",
                               PortText(runner_.inputs()[input]), sources_[input], source));
    }
    if (auto set = runner_.SetInput(input, bytes); !set)
      return litert::Unexpected(set.Error().Status(), source + ": " + set.Error().Message());
    sources_[input] = source;
    return {};
  }

  // An array that no input has the name of is an error; a single one of an archive goes to a single
  // input.
  litert::Expected<void> AddArchive(const std::string& path, std::span<const uint8_t> content) {
    const auto arrays = ParseNpz(content);
    if (!arrays) return Wrong(fmt::format("{}: {}", path, arrays.Error().Message()));
    for (const TensorData& array : *arrays) {
      const std::string source = fmt::format("{}:{}", path, array.name);
      std::optional<size_t> input = InputNamed(array.name);
      if (!input && arrays->size() == 1 && sources_.size() == 1) input = 0;
      if (!input) {
        std::vector<std::string> names;
        for (const PortInfo& port : runner_.inputs()) names.push_back(PortText(port));
        return Wrong(fmt::format("{}: no input has this name; the model's are {}", source,
                                 fmt::join(names, ", ")));
      }
      auto bytes = BytesForInput(array, PortOf(*input));
      if (!bytes) return Wrong(fmt::format("{}: {}", source, bytes.Error().Message()));
      LITERT_RETURN_IF_ERROR(Set(*input, source, bytes->bytes));
    }
    return {};
  }

  SignatureRunner& runner_;
  const Model& model_;
  std::optional<Normalization> by_flags_;
  Interpolation interpolation_;
  std::vector<std::string> sources_;  // of the inputs; empty: nothing yet
  bool has_image_ = false;
};

}  // namespace

void InputFlags::AddTo(CommandLine& line) {
  const Argument in = line.Add(
      "--in", files,
      "files with the inputs, in input order or each as NAME=FILE: .npy, .npz (by name), PNG, "
      "JPEG, WAV, numbers in .txt or .csv, anything else raw and little-endian");
  line.Add("--seed", seed, "for random inputs, used without --in").ShowDefault();
  line.Add("--mean", mean,
           "images become (pixel - mean) / std: one number, or one a channel with commas between; "
           "without either as the model's metadata say, else floats are (pixel - 127.5) / 127.5, "
           "uint8 the pixel and int8 the pixel - 128")
      .Needs(in);
  line.Add("--std", deviation, "see --mean").Needs(in);
  line.Add("--resize-filter", resize_filter, "how images are resized to the input's size")
      .ShowDefault()
      .OneOf({"bilinear", "nearest"})
      .Needs(in);
}

litert::Expected<std::vector<std::string>> InputFlags::Fill(SignatureRunner& runner,
                                                            const Model& model) const {
  if (files.empty()) {
    FillRandomInputs(runner, seed);
    return std::vector<std::string>(runner.inputs().size(), fmt::format("seed {}", seed));
  }
  LITERT_ASSIGN_OR_RETURN(auto by_flags, NormalizationByFlags(*this));
  Filling filling(runner, model, std::move(by_flags),
                  resize_filter == "nearest" ? Interpolation::kNearest : Interpolation::kBilinear);
  // Those with names first, so that the others find what is left.
  for (bool named : {true, false}) {
    for (const std::string& file : files) {
      std::error_code error;
      const bool has_name =
          file.find('=') != std::string::npos && !std::filesystem::exists(file, error);
      if (has_name == named) LITERT_RETURN_IF_ERROR(filling.Add(file));
    }
  }
  if (const std::string option = OptionForImages(*this); !option.empty() && !filling.has_image())
    return Wrong(fmt::format("{}: no file of --in is an image", option));
  return filling.Finish();
}

}  // namespace npukit::tools
