// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_BUFFER_REF_H_
#define ODML_LITERT_LITERT_CC_LITERT_BUFFER_REF_H_

// Byte buffers whose data may start at an offset: a read-only view, a writable
// view and an owner, each usable as the one before.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <tuple>
#include <type_traits>
#include <vector>

#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"

namespace litert {
namespace internal {

#if defined(ABSL_STRINGS_STRING_VIEW_H_)
using BufferTextView = absl::string_view;
#else
using BufferTextView = StringView;
#endif

}  // namespace internal

// How an owner gets and frees its memory: called with a size in bytes, or with
// the pointer.
template <typename ByteT = uint8_t>
struct Mallocator {
  void operator()(ByteT* d) { std::free(d); }
  ByteT* operator()(size_t bytes) { return static_cast<ByteT*>(std::malloc(bytes)); }
};
template <typename ByteT = uint8_t>
struct Newlocator {
  void operator()(ByteT* d) { delete[] d; }
  ByteT* operator()(size_t bytes) { return new ByteT[bytes]; }
};

// The bytes [start_offset, end_offset) from `data`, to read.
template <typename ByteT = uint8_t>
class BufferRef {
 public:
  using TupleT = std::tuple<const ByteT* const, const size_t, const size_t>;

  BufferRef() = default;
  BufferRef(const ByteT* data, size_t end_offset, size_t start_offset = 0)
      : end_offset_(end_offset), start_offset_(start_offset), data_(const_cast<ByteT*>(data)) {}
  BufferRef(const void* data, size_t end_offset, size_t start_offset = 0)
      : BufferRef(static_cast<const ByteT*>(data), end_offset, start_offset) {}
  explicit BufferRef(internal::Span<const ByteT> data) : BufferRef(data.data(), data.size()) {}
  BufferRef(const BufferRef&) = default;
  BufferRef& operator=(const BufferRef&) = default;
  virtual ~BufferRef() = default;

  const ByteT* Data() const { return data_ + start_offset_; }
  size_t Size() const { return end_offset_ - start_offset_; }
  TupleT Get() const { return TupleT(data_, end_offset_, start_offset_); }

  // The same bytes as text; no terminating zero is promised.
  const char* StrData() const { return reinterpret_cast<const char*>(Data()); }
  // An absl::string_view where that was included before this header: abseil's own functions take no
  // other.
  template <typename View = internal::BufferTextView>
  View StrView() const {
    return View(StrData(), Size());
  }

  internal::Span<const ByteT> Span() const { return {Data(), Size()}; }
  std::vector<ByteT> ToVec() const { return {Data(), Data() + Size()}; }

  void WriteStr(std::ostream& out) const {
    out << internal::StringView(StrData(), Size());
    out.flush();
  }
  // "BufferRef[start:end]".
  void Dump(std::ostream& out) const {
    out << TypeName() << '[' << start_offset_ << ':' << end_offset_ << "]\n";
  }

 protected:
  virtual internal::StringView TypeName() const { return "BufferRef"; }

  size_t end_offset_ = 0;
  size_t start_offset_ = 0;
  ByteT* data_ = nullptr;
};
template <typename ByteT = uint8_t>
BufferRef(const ByteT*, size_t, size_t) -> BufferRef<ByteT>;

// The same, to read and write.
template <typename ByteT = uint8_t>
class MutableBufferRef : public BufferRef<ByteT> {
 public:
  using TupleT = std::tuple<ByteT* const, const size_t, const size_t>;

  MutableBufferRef() = default;
  MutableBufferRef(ByteT* data, size_t size, size_t offset = 0)
      : BufferRef<ByteT>(data, size, offset) {}
  MutableBufferRef(void* data, size_t size, size_t offset = 0)
      : BufferRef<ByteT>(data, size, offset) {}
  explicit MutableBufferRef(internal::Span<ByteT> data)
      : BufferRef<ByteT>(data.data(), data.size()) {}
  MutableBufferRef(const ByteT*, size_t, size_t) = delete;
  MutableBufferRef(const void*, size_t, size_t) = delete;
  MutableBufferRef(const MutableBufferRef&) = default;
  MutableBufferRef& operator=(const MutableBufferRef&) = default;

  using BufferRef<ByteT>::Data;
  using BufferRef<ByteT>::StrData;
  using BufferRef<ByteT>::Span;
  using BufferRef<ByteT>::Get;
  ByteT* Data() { return this->data_ + this->start_offset_; }
  char* StrData() { return reinterpret_cast<char*>(Data()); }
  internal::Span<ByteT> Span() { return {Data(), this->Size()}; }
  TupleT Get() { return TupleT(this->data_, this->end_offset_, this->start_offset_); }

  // Copies `str` to `offset`; false, and nothing copied, if it does not fit.
  bool WriteInto(internal::StringView str, size_t offset = 0) {
    if (offset > this->Size() || str.size() > this->Size() - offset) {
      return false;
    }
    std::memcpy(Data() + offset, str.data(), str.size());
    return true;
  }

 protected:
  internal::StringView TypeName() const override { return "MutableBufferRef"; }
};
template <typename ByteT>
MutableBufferRef(ByteT*, size_t, size_t) -> MutableBufferRef<ByteT>;

// The same, and frees the memory. From a pointer to non-const it takes over the
// memory; from anything const it copies. Does not grow.
template <typename ByteT = uint8_t, class Allocator = Newlocator<ByteT>>
class OwningBufferRef : public MutableBufferRef<ByteT> {
 public:
  using TupleT = std::tuple<ByteT* const, const size_t, const size_t>;
  using WeakTupleT = std::tuple<ByteT*&, size_t&, size_t&>;

  OwningBufferRef() = default;
  explicit OwningBufferRef(size_t size) : MutableBufferRef<ByteT>(Allocator()(size), size) {}

  OwningBufferRef(ByteT* data, size_t size, size_t offset = 0)
      : MutableBufferRef<ByteT>(data, size, offset) {}
  OwningBufferRef(void* data, size_t size, size_t offset = 0)
      : MutableBufferRef<ByteT>(data, size, offset) {}
  explicit OwningBufferRef(internal::Span<ByteT> data) : MutableBufferRef<ByteT>(data) {}

  OwningBufferRef(const ByteT* data, size_t size) : OwningBufferRef(size) { Fill(data, size); }
  explicit OwningBufferRef(internal::Span<const ByteT> data)
      : OwningBufferRef(data.data(), data.size()) {}
  explicit OwningBufferRef(internal::StringView data)
      : OwningBufferRef(reinterpret_cast<const ByteT*>(data.data()), data.size()) {}
  explicit OwningBufferRef(const char* data) : OwningBufferRef(internal::StringView(data)) {}

  OwningBufferRef(OwningBufferRef&& other) noexcept
      : MutableBufferRef<ByteT>(other.data_, other.end_offset_, other.start_offset_) {
    other.Drop();
  }
  OwningBufferRef& operator=(OwningBufferRef&& other) noexcept {
    if (this != &other) {
      Reset();
      std::tie(this->data_, this->end_offset_, this->start_offset_) = other.Release();
    }
    return *this;
  }
  OwningBufferRef(const OwningBufferRef& other) : MutableBufferRef<ByteT>() {
    Assign(other.data_, other.end_offset_, other.start_offset_);
  }
  OwningBufferRef& operator=(const OwningBufferRef& other) {
    if (this != &other) {
      Assign(other.data_, other.end_offset_, other.start_offset_);
    }
    return *this;
  }
  ~OwningBufferRef() override { Reset(); }

  // Forgets the memory without freeing it.
  void Drop() {
    this->data_ = nullptr;
    this->end_offset_ = 0;
    this->start_offset_ = 0;
  }
  // Gives the memory away.
  TupleT Release() {
    const TupleT out(this->data_, this->end_offset_, this->start_offset_);
    Drop();
    return out;
  }
  // References to the fields, for C functions that fill them in. What they put
  // there is owned.
  WeakTupleT GetWeak() { return WeakTupleT(this->data_, this->end_offset_, this->start_offset_); }
  void Reset() {
    Allocator()(this->data_);
    Drop();
  }
  // Becomes a copy of `end_offset` bytes, of which those from `start_offset` on
  // are the data.
  void Assign(const ByteT* buf, size_t end_offset, size_t start_offset = 0) {
    Reset();
    this->data_ = Allocator()(end_offset);
    this->end_offset_ = end_offset;
    this->start_offset_ = start_offset;
    Fill(buf, end_offset);
  }

 protected:
  internal::StringView TypeName() const override { return "OwningBufferRef"; }

 private:
  void Fill(const ByteT* buf, size_t size) {
    if (size != 0) std::memcpy(this->data_, buf, size);
  }
};

template <typename ByteT = uint8_t, class Allocator = Newlocator<ByteT>>
OwningBufferRef(const ByteT*, size_t) -> OwningBufferRef<ByteT, Allocator>;
template <typename ByteT = uint8_t, class Allocator = Newlocator<ByteT>>
OwningBufferRef(ByteT*, size_t) -> OwningBufferRef<ByteT, Allocator>;
template <typename ByteT = char, class Allocator = Newlocator<ByteT>>
OwningBufferRef(const char*) -> OwningBufferRef<ByteT, Allocator>;

// The elements of a range, copied into a buffer of bytes.
template <typename Iter>
OwningBufferRef<uint8_t> MakeBufferRef(Iter begin, Iter end) {
  using T = typename std::iterator_traits<Iter>::value_type;
  OwningBufferRef<uint8_t> res(static_cast<size_t>(std::distance(begin, end)) * sizeof(T));
  std::copy(begin, end, reinterpret_cast<T*>(res.Data()));
  return res;
}
template <typename T>
OwningBufferRef<uint8_t> MakeBufferRef(std::initializer_list<T> data) {
  return MakeBufferRef(data.begin(), data.end());
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_BUFFER_REF_H_
