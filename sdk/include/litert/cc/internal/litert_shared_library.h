// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SHARED_LIBRARY_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SHARED_LIBRARY_H_

// Shared libraries opened at run time: SharedLibrary::Load("libdriver.so", RtldFlags::Default())
// and then library.LookupSymbol<Function*>("Name"). POSIX only.

#include <dlfcn.h>

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/internal/litert_logging.h"  // IWYU pragma: export
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"  // IWYU pragma: export

namespace litert {

// The flags of dlopen: RtldFlags::Now().Local().DeepBind().
struct RtldFlags {
  int flags;

  // The special handles of dlsym.
  static constexpr struct NextTag {
  } kNext = {};
  static constexpr struct DefaultTag {
  } kDefault = {};

  operator int() { return flags; }  // NOLINT(*-explicit-constructor)

  static constexpr RtldFlags Lazy() { return {RTLD_LAZY}; }
  static constexpr RtldFlags Now() { return {RTLD_NOW}; }
  static constexpr RtldFlags Default() { return Lazy().Local().DeepBind(); }
  constexpr RtldFlags& Global() { return With(RTLD_GLOBAL); }
  constexpr RtldFlags& Local() { return With(RTLD_LOCAL); }
  constexpr RtldFlags& NoDelete() { return With(RTLD_NODELETE); }
  constexpr RtldFlags& NoLoad() { return With(RTLD_NOLOAD); }
  // Sanitizers don't support it, and it has no effect where one is built in.
  constexpr RtldFlags& DeepBind() {
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    return With(RTLD_DEEPBIND);
#else
    return *this;
#endif
  }

 private:
  constexpr RtldFlags& With(int flag) {
    flags |= flag;
    return *this;
  }
};

// Closes the library when it goes, so that what LookupSymbol gave dangles. Not thread-safe, but for
// lookups.
class SharedLibrary {
 public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary&& other) noexcept
      : kind_(std::exchange(other.kind_, Kind::kNone)),
        path_(std::move(other.path_)),
        handle_(std::exchange(other.handle_, nullptr)) {}
  SharedLibrary& operator=(SharedLibrary&& other) noexcept {
    if (this == &other) return *this;
    Close();
    kind_ = std::exchange(other.kind_, Kind::kNone);
    path_ = std::move(other.path_);
    handle_ = std::exchange(other.handle_, nullptr);
    return *this;
  }
  ~SharedLibrary() { Close(); }

  // kErrorDynamicLoading, with dlopen's words, if there is no such library.
  static Expected<SharedLibrary> Load(internal::StringView path, RtldFlags flags) {
    if (path.empty()) return Error(Status::kErrorDynamicLoading, "no path of a library");
    SharedLibrary library(Kind::kFile, std::string(path), nullptr);
    library.handle_ = dlopen(library.path_.c_str(), flags.flags);
    if (library.handle_ == nullptr) {
      library.kind_ = Kind::kNone;
      return Error(Status::kErrorDynamicLoading,
                   "can't load " + library.path_ + ": " + std::string(DlError()));
    }
    return library;
  }
  // What comes after the caller's library in the search order; everything in it.
  static Expected<SharedLibrary> Load(RtldFlags::NextTag) {
    return SharedLibrary(Kind::kNext, "", RTLD_NEXT);
  }
  static Expected<SharedLibrary> Load(RtldFlags::DefaultTag) {
    return SharedLibrary(Kind::kDefault, "", RTLD_DEFAULT);
  }

  // What went wrong last in this thread, "" if nothing did since the last call.
  static internal::StringView DlError() noexcept {
    const char* error = dlerror();
    return error != nullptr ? error : "";
  }

  bool Loaded() const noexcept { return kind_ != Kind::kNone; }
  void Close() noexcept {
    if (kind_ == Kind::kFile) dlclose(handle_);
    kind_ = Kind::kNone;
    path_.clear();
  }

  // T is a pointer type. kErrorDynamicLoading for a name that the library has not.
  template <class T>
  Expected<T> LookupSymbol(const char* symbol) const {
    static_assert(std::is_pointer_v<T>, "a symbol is looked up as a pointer to it");
    if (!Loaded()) return Error(Status::kErrorDynamicLoading, "no library is loaded");
    void* const found = dlsym(handle_, symbol);
    if (found == nullptr) {
      return Error(Status::kErrorDynamicLoading, std::string("no symbol ") + symbol + " in " +
                                                     (path_.empty() ? "the process" : path_) +
                                                     ": " + std::string(DlError()));
    }
    return reinterpret_cast<T>(found);
  }

  const std::string& Path() const noexcept { return path_; }
  // Null for RTLD_DEFAULT too.
  const void* Handle() const noexcept { return handle_; }
  void* Handle() noexcept { return handle_; }

  friend std::ostream& operator<<(std::ostream& os, const SharedLibrary& library) {
    return os << (library.Loaded() ? "library " : "no library ") << library.path_;
  }

 private:
  enum class Kind { kNone, kFile, kNext, kDefault };

  SharedLibrary(Kind kind, std::string path, void* handle)
      : kind_(kind), path_(std::move(path)), handle_(handle) {}

  Kind kind_ = Kind::kNone;
  std::string path_;
  void* handle_ = nullptr;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_SHARED_LIBRARY_H_
