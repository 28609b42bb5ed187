// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// libjpeg's header uses FILE and does not include what declares it.
#include <cstdio>

#include <fmt/format.h>
#include <jpeglib.h>
#include <png.h>

#include <csetjmp>
#include <string>
#include <utility>

#include "sdk/tools/tensors/image.h"

namespace npukit::tools {
namespace {

constexpr uint64_t kMaxPixels = uint64_t{1} << 28;

litert::Unexpected Bad(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

litert::Unexpected TooLarge(const char* format, uint64_t width, uint64_t height) {
  return Bad(fmt::format("{}: {}x{} pixels are too many", format, width, height));
}

litert::Expected<Image> DecodePng(std::span<const uint8_t> bytes) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0)
    return Bad(fmt::format("PNG: {}", png.message));
  png.format = PNG_FORMAT_RGBA;
  if (uint64_t{png.width} * png.height > kMaxPixels) {
    png_image_free(&png);
    return TooLarge("PNG", png.width, png.height);
  }
  Image image{.width = static_cast<int>(png.width),
              .height = static_cast<int>(png.height),
              .channels = 4,
              .pixels = std::vector<uint8_t>(PNG_IMAGE_SIZE(png))};
  if (png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) == 0)
    return Bad(fmt::format("PNG: {}", png.message));
  return image;
}

// libjpeg ends a process on errors unless it is told where to go instead.
struct JpegErrors {
  jpeg_error_mgr manager;  // first: libjpeg hands this back
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

void LeaveJpeg(j_common_ptr jpeg) {
  auto* errors = reinterpret_cast<JpegErrors*>(jpeg->err);
  jpeg->err->format_message(jpeg, errors->message);
  std::longjmp(errors->back, 1);  // NOLINT(cert-err52-cpp): a C library's way
}
void KeepQuiet(j_common_ptr /*jpeg*/) {}

// Nothing with a destructor is made between setjmp and longjmp. False: see errors.message, which is
// empty if there are too many pixels.
bool ReadJpeg(std::span<const uint8_t> bytes, JpegErrors& errors, jpeg_decompress_struct& jpeg,
              Image& image) {
  if (setjmp(errors.back) != 0) return false;  // NOLINT(cert-err52-cpp)
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, bytes.data(),
               static_cast<unsigned long>(bytes.size()));  // NOLINT(google-runtime-int)
  jpeg_read_header(&jpeg, TRUE);
  if (uint64_t{jpeg.image_width} * jpeg.image_height > kMaxPixels) return false;
  jpeg.out_color_space = JCS_RGB;
  jpeg_start_decompress(&jpeg);
  const size_t row_bytes = size_t{jpeg.output_width} * 3;
  image.pixels.resize(row_bytes * jpeg.output_height);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = image.pixels.data() + row_bytes * jpeg.output_scanline;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

litert::Expected<Image> DecodeJpeg(std::span<const uint8_t> bytes) {
  JpegErrors errors{};
  jpeg_decompress_struct jpeg{};
  jpeg.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = LeaveJpeg;
  errors.manager.output_message = KeepQuiet;
  Image image;
  const bool is_read = ReadJpeg(bytes, errors, jpeg, image);
  image.width = static_cast<int>(jpeg.image_width);
  image.height = static_cast<int>(jpeg.image_height);
  jpeg_destroy_decompress(&jpeg);
  if (is_read) return image;
  if (errors.message[0] == '\0')
    return TooLarge("JPEG", static_cast<uint64_t>(image.width),
                    static_cast<uint64_t>(image.height));
  return Bad(fmt::format("JPEG: {}", errors.message));
}

}  // namespace

litert::Expected<Image> DecodeImage(std::span<const uint8_t> bytes) {
  return LooksLikePng(bytes) ? DecodePng(bytes) : DecodeJpeg(bytes);
}

}  // namespace npukit::tools
