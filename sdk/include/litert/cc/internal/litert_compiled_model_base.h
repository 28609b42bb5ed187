// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_COMPILED_MODEL_BASE_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_COMPILED_MODEL_BASE_H_

// What a litert::CompiledModel (litert_compiled_model.h) tells and takes beside running: its
// signatures, annotations, scheduling, errors.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_compiled_model.h"
#include "litert/c/litert_model.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_signature_ports.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model.h"
#include "litert/cc/litert_options.h"
#include "litert/cc/litert_profiler.h"
#include "litert/cc/litert_ranked_tensor_type.h"

namespace litert::internal {

class CompiledModelBase : public BaseHandle<LiteRtCompiledModel> {
 public:
  // -- Signatures -------------------------------------------------------------
  // By index or key. Views and signatures point into this object.

  size_t GetNumSignatures() const { return ports_.size(); }
  Expected<size_t> GetSignatureIndex(StringView key) const {
    for (size_t i = 0; i < ports_.size(); ++i) {
      if (ports_[i].key == key) return i;
    }
    return Unexpected(Status::kErrorNotFound, "no signature '" + std::string(key) + "'");
  }
  Expected<size_t> GetSignatureIndex(size_t index) const {
    if (index < ports_.size()) return index;
    return Unexpected(Status::kErrorIndexOOB);
  }
  template <typename Signature = size_t>
  Expected<std::vector<StringView>> GetSignatureInputNames(const Signature& signature = 0) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    return ports_[s].inputs.Names();
  }
  template <typename Signature = size_t>
  Expected<std::vector<StringView>> GetSignatureOutputNames(const Signature& signature = 0) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    return ports_[s].outputs.Names();
  }
  static StringView DefaultSignatureKey() { return Model::DefaultSignatureKey(); }
  Expected<std::vector<StringView>> GetSignatureKeys() const {
    std::vector<StringView> keys;
    for (const SignaturePorts& ports : ports_) keys.emplace_back(ports.key);
    return keys;
  }
  // Those that the model's file names: none for a model without signatures.
  Expected<std::vector<SimpleSignature>> GetSignatures() const { return model().GetSignatures(); }
  Expected<SimpleSignature> GetSignature(size_t signature_index) const {
    return model().GetSignature(signature_index);
  }
  Expected<SimpleSignature> FindSignature(StringView key) const {
    return model().FindSignature(key);
  }

  // As the model has them: not with the shapes after resizing. `which` is a name or an index.
  template <typename Signature, typename Which>
  Expected<RankedTensorType> GetInputTensorType(const Signature& signature,
                                                const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    return ports_[s].inputs.Type(which);
  }
  template <typename Which>
  Expected<RankedTensorType> GetInputTensorType(const Which& which) const {
    return GetInputTensorType(size_t{0}, which);
  }
  template <typename Signature, typename Which>
  Expected<RankedTensorType> GetOutputTensorType(const Signature& signature,
                                                 const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    return ports_[s].outputs.Type(which);
  }
  template <typename Which>
  Expected<RankedTensorType> GetOutputTensorType(const Which& which) const {
    return GetOutputTensorType(size_t{0}, which);
  }

  // -- Hints ------------------------------------------------------------------

  // For all runs from now on.
  Expected<void> SetSchedulingInfo(const LiteRtSchedulingInfo& scheduling_info) const {
    LITERT_RETURN_IF_ERROR(LiteRtCompiledModelSetSchedulingInfo(Get(), &scheduling_info));
    return {};
  }
  Expected<void> ClearSchedulingInfo() const {
    LITERT_RETURN_IF_ERROR(LiteRtCompiledModelSetSchedulingInfo(Get(), nullptr));
    return {};
  }

  // Key and value of a signature's, the first one's if left out, that reach dispatch graphs.
  template <typename Signature>
  Expected<void> SetDispatchAnnotation(const Signature& signature, StringView key,
                                       StringView value) {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    LITERT_RETURN_IF_ERROR(LiteRtCompiledModelSetDispatchAnnotation(
        Get(), s, std::string(key).c_str(), std::string(value).c_str()));
    return {};
  }
  Expected<void> SetDispatchAnnotation(StringView key, StringView value) {
    return SetDispatchAnnotation(size_t{0}, key, value);
  }
  // Nothing for a key that is not set.
  template <typename Signature>
  Expected<std::optional<std::string>> GetDispatchAnnotation(const Signature& signature,
                                                             StringView key) {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    const char* value = nullptr;
    LITERT_RETURN_IF_ERROR(
        LiteRtCompiledModelGetDispatchAnnotation(Get(), s, std::string(key).c_str(), &value));
    return value == nullptr ? std::optional<std::string>() : std::optional<std::string>(value);
  }
  Expected<std::optional<std::string>> GetDispatchAnnotation(StringView key) {
    return GetDispatchAnnotation(size_t{0}, key);
  }
  template <typename Signature>
  Expected<void> RemoveDispatchAnnotation(const Signature& signature, StringView key) {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    LITERT_RETURN_IF_ERROR(
        LiteRtCompiledModelRemoveDispatchAnnotation(Get(), s, std::string(key).c_str()));
    return {};
  }
  Expected<void> RemoveDispatchAnnotation(StringView key) {
    return RemoveDispatchAnnotation(size_t{0}, key);
  }

  // -- Errors -----------------------------------------------------------------

  // `format` as of printf. The other two need the error reporter's buffer mode.
  template <typename... Args>
  Expected<void> ReportError(const char* format, Args&&... args) const {
    LITERT_RETURN_IF_ERROR(
        LiteRtCompiledModelReportError(Get(), format, std::forward<Args>(args)...));
    return {};
  }
  Expected<void> ClearErrors() const {
    LITERT_RETURN_IF_ERROR(LiteRtCompiledModelClearErrors(Get()));
    return {};
  }
  Expected<std::string> GetErrorMessages() const {
    char* messages = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCompiledModelGetErrorMessages(Get(), &messages));
    std::string copy = messages != nullptr ? messages : "";
    std::free(messages);
    return copy;
  }

  // -- Observing --------------------------------------------------------------

  // Whether no op stays on the CPU.
  Expected<bool> IsFullyAccelerated() const {
    bool answer = false;
    LITERT_RETURN_IF_ERROR(LiteRtCompiledModelIsFullyAccelerated(Get(), &answer));
    return answer;
  }
  void SetCancellationFunction(void* data, bool (*check_cancelled)(void*)) {
    (void)LiteRtSetCompiledModelCancellationFunction(Get(), data, check_cancelled);
  }
  // Belongs to this object.
  Expected<Profiler> GetProfiler() const {
    LiteRtProfiler profiler = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCompiledModelGetProfiler(Get(), &profiler));
    return Profiler(profiler, OwnHandle::kNo);
  }

 protected:
  // Compiles the model and takes it over, also on failure.
  Expected<void> Own(Environment& env, LiteRtModel model, Options& options) {
    model_ = OwnedModel(model);
    env_ = env.Get();
    LITERT_RETURN_IF_ERROR(options.Build());
    LiteRtCompiledModel handle = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCreateCompiledModel(env_, model, options.Get(), &handle))
        << "cannot compile the model";
    static_cast<BaseHandle&>(*this) =
        BaseHandle(handle, LiteRtDestroyCompiledModel, OwnHandle::kYes);
    LITERT_ASSIGN_OR_RETURN(ports_, ReadSignaturePorts(model));
    return {};
  }

  LiteRtEnvironment environment() const { return env_; }
  const std::vector<SignaturePorts>& ports() const { return ports_; }

 private:
  struct ModelDeleter {
    void operator()(LiteRtModel model) const { LiteRtDestroyModel(model); }
  };
  using OwnedModel = std::unique_ptr<std::remove_pointer_t<LiteRtModel>, ModelDeleter>;

  Model model() const { return Model::CreateFromNonOwnedHandle(model_.get()); }

  OwnedModel model_;
  LiteRtEnvironment env_ = nullptr;
  std::vector<SignaturePorts> ports_;
};

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_COMPILED_MODEL_BASE_H_
