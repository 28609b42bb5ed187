// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_HANDLE_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_HANDLE_H_

// Handles of the C API with or without ownership.

#include <utility>

namespace litert {

enum class OwnHandle { kNo, kYes };

namespace internal {

template <typename H>
void DummyDeleter(H) {}

// A handle and, if owned, the C function that destroys it. Movable only.
template <typename H>
class BaseHandle {
 public:
  using Deleter = void (*)(H);

  BaseHandle() = default;
  BaseHandle(H handle, Deleter deleter, OwnHandle own) noexcept
      : handle_(handle), deleter_(own == OwnHandle::kYes ? deleter : DummyDeleter<H>), own_(own) {}

  BaseHandle(BaseHandle&& other) noexcept
      : handle_(other.handle_), deleter_(other.deleter_), own_(other.own_) {
    other.Forget();
  }
  BaseHandle& operator=(BaseHandle&& other) noexcept {
    if (this != &other) {
      Destroy();
      handle_ = other.handle_;
      deleter_ = other.deleter_;
      own_ = other.own_;
      other.Forget();
    }
    return *this;
  }
  ~BaseHandle() { Destroy(); }

  explicit operator bool() const noexcept { return handle_ != H{}; }
  bool operator==(const BaseHandle& other) const noexcept { return handle_ == other.handle_; }
  bool operator!=(const BaseHandle& other) const noexcept { return handle_ != other.handle_; }

  H Get() const noexcept { return handle_; }
  Deleter GetDeleter() const noexcept { return deleter_; }
  bool IsOwned() const noexcept { return own_ == OwnHandle::kYes; }

  // Gives the handle away; Get() is null afterwards.
  H Release() noexcept {
    const H handle = handle_;
    Forget();
    return handle;
  }

 private:
  void Destroy() {
    if (handle_ != H{} && IsOwned()) deleter_(handle_);
  }
  void Forget() {
    handle_ = H{};
    own_ = OwnHandle::kNo;
  }

  H handle_ = H{};
  Deleter deleter_ = DummyDeleter<H>;
  OwnHandle own_ = OwnHandle::kNo;
};

template <typename H, void (*deleter)(H)>
class Handle : public BaseHandle<H> {
 public:
  Handle() = default;
  explicit Handle(H handle, OwnHandle own) noexcept : BaseHandle<H>(handle, deleter, own) {}
};

// A handle that someone else destroys.
template <typename H>
class NonOwnedHandle : public BaseHandle<H> {
 public:
  explicit NonOwnedHandle(H handle) noexcept
      : BaseHandle<H>(handle, DummyDeleter<H>, OwnHandle::kNo) {}
};

// A handle that copies as well as it moves, being no owner.
template <typename H>
class CopyableHandle : public NonOwnedHandle<H> {
 public:
  explicit CopyableHandle(H handle) noexcept : NonOwnedHandle<H>(handle) {}
  CopyableHandle(const CopyableHandle& other) noexcept : NonOwnedHandle<H>(other.Get()) {}
  CopyableHandle& operator=(const CopyableHandle& other) noexcept {
    NonOwnedHandle<H>::operator=(NonOwnedHandle<H>(other.Get()));
    return *this;
  }
};

}  // namespace internal
}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_HANDLE_H_
