// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_OPAQUE_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_LITERT_OPAQUE_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_opaque_options.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

// A list of option payloads, each with an identifier that says what it is.
class OpaqueOptions : public internal::BaseHandle<LiteRtOpaqueOptions> {
 public:
  using Ref = std::reference_wrapper<OpaqueOptions>;

  OpaqueOptions() = default;

  // Takes the payload over: `payload_destructor` frees it.
  static Expected<OpaqueOptions> Create(const std::string& payload_identifier, void* payload_data,
                                        void (*payload_destructor)(void* payload_data)) {
    LiteRtOpaqueOptions options = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCreateOpaqueOptions(payload_identifier.c_str(), payload_data,
                                                     payload_destructor, &options));
    return OpaqueOptions(options, OwnHandle::kYes);
  }

  static OpaqueOptions WrapCObject(LiteRtOpaqueOptions options, OwnHandle own) {
    return OpaqueOptions(options, own);
  }

  Expected<internal::StringView> GetIdentifier() const {
    const char* identifier = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetOpaqueOptionsIdentifier(Get(), &identifier));
    return internal::StringView(identifier);
  }

  // The payload of the first item; the caller knows its type.
  template <typename T>
  Expected<T*> GetData() const {
    void* payload_data = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtGetOpaqueOptionsData(Get(), &payload_data));
    return static_cast<T*>(payload_data);
  }

  // The rest of the list, which stays owned by this object.
  Expected<OpaqueOptions> Next() {
    LiteRtOpaqueOptions next = Get();
    LITERT_RETURN_IF_ERROR(LiteRtGetNextOpaqueOptions(&next));
    return OpaqueOptions(next, OwnHandle::kNo);
  }

  // Adds to the end of the list.
  Expected<void> Append(OpaqueOptions&& appended_options) {
    return Relink([&](LiteRtOpaqueOptions* head) {
      return LiteRtAppendOpaqueOptions(head, appended_options.Release());
    });
  }

  // Destroys the last item of the list.
  Expected<void> Pop() { return Relink(LiteRtPopOpaqueOptions); }

  // `payload_hash_func` makes results that depend on the payload cacheable.
  Expected<void> SetHash(LiteRtOpaqueOptionsHashFunc payload_hash_func) {
    LITERT_RETURN_IF_ERROR(LiteRtSetOpaqueOptionsHash(Get(), payload_hash_func));
    return {};
  }
  Expected<uint64_t> Hash() const {
    uint64_t hash = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetOpaqueOptionsHash(Get(), &hash));
    return hash;
  }

 protected:
  explicit OpaqueOptions(LiteRtOpaqueOptions options, OwnHandle own)
      : internal::BaseHandle<LiteRtOpaqueOptions>(options, LiteRtDestroyOpaqueOptions, own) {}

 private:
  // Runs a C function that may replace the head of the list, in which case it
  // has already destroyed or taken over the old one.
  template <class F>
  Expected<void> Relink(F change) {
    LiteRtOpaqueOptions head = Get();
    LITERT_RETURN_IF_ERROR(change(&head));
    if (head != Get()) {
      (void)Release();
      *this = OpaqueOptions(head, OwnHandle::kYes);
    }
    return {};
  }
};

// The first item of the list with this identifier, not owned.
inline Expected<OpaqueOptions> FindOpaqueOptions(OpaqueOptions& options,
                                                 const std::string& payload_identifier) {
  LiteRtOpaqueOptions at = options.Get();
  while (at != nullptr) {
    const char* identifier = nullptr;
    if (LiteRtGetOpaqueOptionsIdentifier(at, &identifier) == kLiteRtStatusOk &&
        identifier == payload_identifier) {
      return OpaqueOptions::WrapCObject(at, OwnHandle::kNo);
    }
    if (LiteRtGetNextOpaqueOptions(&at) != kLiteRtStatusOk) break;
  }
  return Error(Status::kErrorInvalidArgument, "no options '" + payload_identifier + "'");
}

// The same as an object of a class that has Discriminator() and Create().
template <typename Discriminated,
          std::enable_if_t<std::is_base_of_v<OpaqueOptions, Discriminated>, bool> = true>
Expected<Discriminated> FindOpaqueOptions(OpaqueOptions& options) {
  LITERT_ASSIGN_OR_RETURN(auto found,
                          FindOpaqueOptions(options, std::string(Discriminated::Discriminator())));
  return Discriminated::Create(found);
}

// The payload with this identifier; the caller knows its type.
template <typename T>
Expected<T*> FindOpaqueData(OpaqueOptions& options, const std::string& payload_identifier) {
  void* payload_data = nullptr;
  LITERT_RETURN_IF_ERROR(
      LiteRtFindOpaqueOptionsData(options.Get(), payload_identifier.c_str(), &payload_data));
  return static_cast<T*>(payload_data);
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_OPAQUE_OPTIONS_H_
