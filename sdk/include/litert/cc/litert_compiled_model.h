// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_COMPILED_MODEL_H_
#define ODML_LITERT_LITERT_CC_LITERT_COMPILED_MODEL_H_

// A model made ready to run:
//
//   auto env = Environment::Create({});
//   auto model = CompiledModel::Create(*env, "model.tflite", HwAccelerators::kCpu);
//   auto inputs = model->CreateInputBuffers();
//   auto outputs = model->CreateOutputBuffers();
//   (*inputs)[0].Write<float>(values);
//   model->Run(*inputs, *outputs);
//
// A signature is named by its index or its key; left out, it is the first one. A model without
// signatures has one, of index 0, whose inputs and outputs have the names of their tensors.

#include <cstddef>
#include <cstdint>
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
#include "litert/c/litert_options.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/internal/litert_compiled_model_base.h"
#include "litert/cc/internal/litert_graph.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_signature_ports.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_buffer_ref.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_layout.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_options.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/cc/litert_tensor_buffer.h"
#include "litert/cc/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_tensor_buffer_types.h"

namespace litert {

// Not thread-safe. The environment must outlive it.
class CompiledModel : public internal::CompiledModelBase {
 public:
  CompiledModel() = default;

  // From a file, or from bytes that outlive it.
  static Expected<CompiledModel> Create(Environment& env, const std::string& model_filename,
                                        Options& compilation_options) {
    LiteRtModel model = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCreateModelFromFile(model_filename.c_str(), &model))
        << "cannot load '" << model_filename << "'";
    return Compile(env, model, compilation_options);
  }
  static Expected<CompiledModel> Create(Environment& env, const BufferRef<uint8_t>& model_buffer,
                                        Options& compilation_options) {
    LiteRtModel model = nullptr;
    LITERT_RETURN_IF_ERROR(
        LiteRtCreateModelFromBuffer(model_buffer.Data(), model_buffer.Size(), &model))
        << "cannot load a model from memory";
    return Compile(env, model, compilation_options);
  }
  template <typename FileOrBytes>
  static Expected<CompiledModel> Create(Environment& env, const FileOrBytes& model,
                                        HwAccelerators hardware_accelerators) {
    LITERT_ASSIGN_OR_RETURN(Options options, Options::Create());
    LITERT_RETURN_IF_ERROR(options.SetHardwareAccelerators(hardware_accelerators));
    return Create(env, model, options);
  }

  // -- Buffers: `which` is a name or an index ---------------------------------

  template <typename Signature, typename Which>
  Expected<TensorBufferRequirements> GetInputBufferRequirements(const Signature& signature,
                                                                const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    LITERT_ASSIGN_OR_RETURN(const size_t index, ports()[s].inputs.Index(which));
    return Requirements(LiteRtGetCompiledModelInputBufferRequirements, s, index);
  }
  template <typename Which>
  Expected<TensorBufferRequirements> GetInputBufferRequirements(const Which& which) const {
    return GetInputBufferRequirements(size_t{0}, which);
  }
  template <typename Signature, typename Which>
  Expected<TensorBufferRequirements> GetOutputBufferRequirements(const Signature& signature,
                                                                 const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    LITERT_ASSIGN_OR_RETURN(const size_t index, ports()[s].outputs.Index(which));
    return Requirements(LiteRtGetCompiledModelOutputBufferRequirements, s, index);
  }
  template <typename Which>
  Expected<TensorBufferRequirements> GetOutputBufferRequirements(const Which& which) const {
    return GetOutputBufferRequirements(size_t{0}, which);
  }

  // With the shapes after resizing.
  Expected<Layout> GetInputTensorLayout(size_t signature, size_t index) const {
    LiteRtLayout layout{};
    LITERT_RETURN_IF_ERROR(
        LiteRtGetCompiledModelInputTensorLayout(Get(), signature, index, &layout));
    return Layout(layout);
  }
  Expected<std::vector<Layout>> GetOutputTensorLayouts(size_t signature,
                                                       bool update_allocation = false) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    std::vector<LiteRtLayout> layouts(ports()[s].outputs.size());
    LITERT_RETURN_IF_ERROR(LiteRtGetCompiledModelOutputTensorLayouts(
        Get(), s, layouts.size(), layouts.data(), update_allocation));
    return std::vector<Layout>(layouts.begin(), layouts.end());
  }

  template <typename Signature, typename Which>
  Expected<TensorBuffer> CreateInputBuffer(const Signature& signature, const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    LITERT_ASSIGN_OR_RETURN(const size_t index, ports()[s].inputs.Index(which));
    LITERT_ASSIGN_OR_RETURN(const auto layout, GetInputTensorLayout(s, index));
    LITERT_ASSIGN_OR_RETURN(const auto requirements, GetInputBufferRequirements(s, index));
    return MakeBuffer(ports()[s].inputs.element_type(index), layout, requirements);
  }
  template <typename Which>
  Expected<TensorBuffer> CreateInputBuffer(const Which& which) const {
    return CreateInputBuffer(size_t{0}, which);
  }
  template <typename Signature, typename Which>
  Expected<TensorBuffer> CreateOutputBuffer(const Signature& signature, const Which& which) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    LITERT_ASSIGN_OR_RETURN(const size_t index, ports()[s].outputs.Index(which));
    LITERT_ASSIGN_OR_RETURN(const auto layouts, GetOutputTensorLayouts(s));
    LITERT_ASSIGN_OR_RETURN(const auto requirements, GetOutputBufferRequirements(s, index));
    return MakeBuffer(ports()[s].outputs.element_type(index), layouts[index], requirements);
  }
  template <typename Which>
  Expected<TensorBuffer> CreateOutputBuffer(const Which& which) const {
    return CreateOutputBuffer(size_t{0}, which);
  }
  template <typename Signature = size_t>
  Expected<std::vector<TensorBuffer>> CreateInputBuffers(const Signature& signature = 0) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    std::vector<TensorBuffer> buffers;
    for (size_t i = 0; i < ports()[s].inputs.size(); ++i) {
      LITERT_ASSIGN_OR_RETURN(TensorBuffer buffer, CreateInputBuffer(s, i));
      buffers.push_back(std::move(buffer));
    }
    return buffers;
  }
  template <typename Signature = size_t>
  Expected<std::vector<TensorBuffer>> CreateOutputBuffers(const Signature& signature = 0) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    std::vector<TensorBuffer> buffers;
    for (size_t i = 0; i < ports()[s].outputs.size(); ++i) {
      LITERT_ASSIGN_OR_RETURN(TensorBuffer buffer, CreateOutputBuffer(s, i));
      buffers.push_back(std::move(buffer));
    }
    return buffers;
  }

  // Strict: only dimensions that the model leaves open may change.
  template <typename Signature, typename Which>
  Expected<void> ResizeInputTensor(const Signature& signature, const Which& which,
                                   internal::Span<const int> dims) {
    return Resize(LiteRtCompiledModelResizeInputTensor, signature, which, dims);
  }
  template <typename Which>
  Expected<void> ResizeInputTensor(const Which& which, internal::Span<const int> dims) {
    return ResizeInputTensor(size_t{0}, which, dims);
  }
  template <typename Signature, typename Which>
  Expected<void> ResizeInputTensorNonStrict(const Signature& signature, const Which& which,
                                            internal::Span<const int> dims) {
    return Resize(LiteRtCompiledModelResizeInputTensorNonStrict, signature, which, dims);
  }
  template <typename Which>
  Expected<void> ResizeInputTensorNonStrict(const Which& which, internal::Span<const int> dims) {
    return ResizeInputTensorNonStrict(size_t{0}, which, dims);
  }

  // -- Running ----------------------------------------------------------------

  template <typename Signature>
  Expected<void> Run(const Signature& signature, internal::Span<const TensorBuffer> inputs,
                     internal::Span<const TensorBuffer> outputs) const {
    return RunHandles(signature, inputs, outputs, nullptr);
  }
  Expected<void> Run(internal::Span<const TensorBuffer> inputs,
                     internal::Span<const TensorBuffer> outputs) const {
    return Run(size_t{0}, inputs, outputs);
  }
  // `async` comes back true if the run is under way: each output then has an event, and reading the
  // buffer waits for it.
  template <typename Signature>
  Expected<void> RunAsync(const Signature& signature, internal::Span<const TensorBuffer> inputs,
                          internal::Span<const TensorBuffer> outputs, bool& async) const {
    return RunHandles(signature, inputs, outputs, &async);
  }
  Expected<void> RunAsync(internal::Span<const TensorBuffer> inputs,
                          internal::Span<const TensorBuffer> outputs, bool& async) const {
    return RunAsync(size_t{0}, inputs, outputs, async);
  }

  // Maps from names to TensorBuffers, of whatever kind; each input and output must be there.
  template <typename Signature, typename Map, typename = typename Map::mapped_type>
  Expected<void> Run(const Signature& signature, const Map& inputs, const Map& outputs) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    LITERT_ASSIGN_OR_RETURN(const auto in, ports()[s].inputs.Handles(inputs));
    LITERT_ASSIGN_OR_RETURN(const auto out, ports()[s].outputs.Handles(outputs));
    auto in_handles = in;
    auto out_handles = out;
    LITERT_RETURN_IF_ERROR(LiteRtRunCompiledModel(Get(), s, in_handles.size(), in_handles.data(),
                                                  out_handles.size(), out_handles.data()));
    return {};
  }
  template <typename Map, typename = typename Map::mapped_type>
  Expected<void> Run(const Map& inputs, const Map& outputs) const {
    return Run(size_t{0}, inputs, outputs);
  }

 private:
  static Expected<CompiledModel> Compile(Environment& env, LiteRtModel model, Options& options) {
    CompiledModel compiled;
    LITERT_RETURN_IF_ERROR(compiled.Own(env, model, options));
    return compiled;
  }

  Expected<TensorBuffer> MakeBuffer(ElementType element_type, const Layout& layout,
                                    const TensorBufferRequirements& requirements) const {
    LITERT_ASSIGN_OR_RETURN(const auto types, requirements.SupportedTypes());
    LITERT_ASSIGN_OR_RETURN(const size_t size, requirements.BufferSize());
    const auto env = Environment::WrapCObject(environment(), OwnHandle::kNo);
    return TensorBuffer::CreateManaged(env, types.front(),
                                       RankedTensorType(element_type, Layout(layout)), size);
  }

  template <typename Function>
  Expected<TensorBufferRequirements> Requirements(Function get, size_t signature,
                                                  size_t index) const {
    LiteRtTensorBufferRequirements lent = nullptr;
    LITERT_RETURN_IF_ERROR(get(Get(), signature, index, &lent));
    return internal::ReadRequirements(lent);
  }

  template <typename Function, typename Signature, typename Which>
  Expected<void> Resize(Function resize, const Signature& signature, const Which& which,
                        internal::Span<const int> dims) {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    LITERT_ASSIGN_OR_RETURN(const size_t index, ports()[s].inputs.Index(which));
    LITERT_RETURN_IF_ERROR(resize(Get(), s, index, dims.data(), dims.size()));
    return {};
  }

  // Synchronously if `async` is null.
  template <typename Signature>
  Expected<void> RunHandles(const Signature& signature, internal::Span<const TensorBuffer> inputs,
                            internal::Span<const TensorBuffer> outputs, bool* async) const {
    LITERT_ASSIGN_OR_RETURN(const size_t s, GetSignatureIndex(signature));
    std::vector<LiteRtTensorBuffer> in;
    std::vector<LiteRtTensorBuffer> out;
    for (const TensorBuffer& buffer : inputs) in.push_back(buffer.Get());
    for (const TensorBuffer& buffer : outputs) out.push_back(buffer.Get());
    LITERT_RETURN_IF_ERROR(
        async == nullptr
            ? LiteRtRunCompiledModel(Get(), s, in.size(), in.data(), out.size(), out.data())
            : LiteRtRunCompiledModelAsync(Get(), s, in.size(), in.data(), out.size(), out.data(),
                                          async));
    return {};
  }
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_COMPILED_MODEL_H_
