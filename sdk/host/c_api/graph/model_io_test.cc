// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Models in and out through litert_model.h.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "litert/c/litert_model.h"
#include "sdk/host/c_api/graph/testing/test_graph.h"

namespace npukit {
namespace {

constexpr LiteRtModelSerializationOptions kOptions = {/*bytecode_alignment=*/1};

struct Bytes {
  std::unique_ptr<uint8_t[]> buffer;
  size_t size = 0;
  size_t offset = 0;
  const uint8_t* begin() const { return buffer.get() + offset; }
};

Bytes Serialized(Model& model) {
  Bytes bytes;
  uint8_t* buffer = nullptr;
  EXPECT_EQ(LiteRtSerializeModel(&model, &buffer, &bytes.size, &bytes.offset,
                                 /*destroy_model=*/false, kOptions),
            kLiteRtStatusOk);
  bytes.buffer.reset(buffer);
  return bytes;
}

// What a model of the bytes is made of, as the C API tells it.
void ExpectTestGraph(LiteRtModel model) {
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumModelSubgraphs(model, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 1u);
  LiteRtSubgraph subgraph = nullptr;
  ASSERT_EQ(LiteRtGetModelSubgraph(model, 0, &subgraph), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetNumSubgraphOps(subgraph, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 2u);
  LiteRtOp op = nullptr;
  ASSERT_EQ(LiteRtGetSubgraphOp(subgraph, 1, &op), kLiteRtStatusOk);
  LiteRtTensor weights_tensor = nullptr;
  ASSERT_EQ(LiteRtGetOpInput(op, 1, &weights_tensor), kLiteRtStatusOk);
  LiteRtWeights weights = nullptr;
  ASSERT_EQ(LiteRtGetTensorWeights(weights_tensor, &weights), kLiteRtStatusOk);
  const void* bytes = nullptr;
  size_t size = 0;
  ASSERT_EQ(LiteRtGetWeightsBytes(weights, &bytes, &size), kLiteRtStatusOk);
  ASSERT_EQ(size, 8u);
  EXPECT_EQ(static_cast<const uint8_t*>(bytes)[4], 5);
}

TEST(ModelIoTest, WritesAndReadsMemory) {
  TestGraph graph;
  Bytes bytes = Serialized(graph.model);
  LiteRtModel model = nullptr;
  ASSERT_EQ(LiteRtCreateModelFromBuffer(bytes.begin(), bytes.size, &model), kLiteRtStatusOk);
  ExpectTestGraph(model);
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumModelSignatures(model, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  LiteRtDestroyModel(model);
}

TEST(ModelIoTest, ReadsFiles) {
  TestGraph graph;
  Bytes bytes = Serialized(graph.model);
  const std::string path = ::testing::TempDir() + "/npukit_model_io_test.tflite";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.begin()),
             static_cast<std::streamsize>(bytes.size));
  LiteRtModel model = nullptr;
  ASSERT_EQ(LiteRtCreateModelFromFile(path.c_str(), &model), kLiteRtStatusOk);
  ExpectTestGraph(model);
  LiteRtDestroyModel(model);
  std::remove(path.c_str());
  EXPECT_EQ(LiteRtCreateModelFromFile(path.c_str(), &model), kLiteRtStatusErrorFileIO);
}

TEST(ModelIoTest, RefusesWhatIsNoModel) {
  TestGraph graph;
  Bytes bytes = Serialized(graph.model);
  LiteRtModel model = nullptr;
  for (size_t size : {size_t{1}, size_t{8}, bytes.size / 2, bytes.size - 1}) {
    // In memory of exactly that size, so that reading on would be seen.
    std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + size);
    EXPECT_EQ(LiteRtCreateModelFromBuffer(cut.data(), cut.size(), &model),
              kLiteRtStatusErrorInvalidFlatbuffer)
        << size << " of " << bytes.size << " bytes";
  }
  EXPECT_EQ(LiteRtCreateModelFromBuffer(bytes.begin(), 0, &model),
            kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(model, nullptr);
}

TEST(ModelIoTest, SerializingMayConsumeTheModel) {
  TestGraph graph;
  Bytes bytes = Serialized(graph.model);
  LiteRtModel model = nullptr;
  ASSERT_EQ(LiteRtCreateModelFromBuffer(bytes.begin(), bytes.size, &model), kLiteRtStatusOk);
  Bytes again;
  uint8_t* buffer = nullptr;
  ASSERT_EQ(LiteRtSerializeModel(model, &buffer, &again.size, &again.offset,
                                 /*destroy_model=*/true, kOptions),
            kLiteRtStatusOk);
  again.buffer.reset(buffer);
  EXPECT_EQ(std::vector<uint8_t>(again.begin(), again.begin() + again.size),
            std::vector<uint8_t>(bytes.begin(), bytes.begin() + bytes.size));
  // Also when it fails.
  ASSERT_EQ(LiteRtCreateModelFromBuffer(bytes.begin(), bytes.size, &model), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtSerializeModel(model, nullptr, &again.size, &again.offset,
                                 /*destroy_model=*/true, kOptions),
            kLiteRtStatusErrorInvalidArgument);
}

TEST(ModelIoTest, SerializesWithFurtherSignatures) {
  TestGraph graph;
  std::string key = "extra";
  char* keys[] = {key.data()};
  Bytes bytes;
  uint8_t* buffer = nullptr;
  EXPECT_EQ(LiteRtSerializeModelWithSignatures(&graph.model, &buffer, &bytes.size, &bytes.offset,
                                               false, keys, 2, kOptions),
            kLiteRtStatusErrorInvalidArgument);
  graph.out->name = "out";
  ASSERT_EQ(LiteRtSerializeModelWithSignatures(&graph.model, &buffer, &bytes.size, &bytes.offset,
                                               false, keys, 1, kOptions),
            kLiteRtStatusOk);
  bytes.buffer.reset(buffer);
  EXPECT_EQ(graph.model.signatures.size(), 1u);  // the model itself is as before

  LiteRtModel model = nullptr;
  ASSERT_EQ(LiteRtCreateModelFromBuffer(bytes.begin(), bytes.size, &model), kLiteRtStatusOk);
  LiteRtSignature signature = nullptr;
  ASSERT_EQ(LiteRtGetModelSignature(model, 1, &signature), kLiteRtStatusOk);
  const char* text = nullptr;
  ASSERT_EQ(LiteRtGetSignatureKey(signature, &text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "extra");
  ASSERT_EQ(LiteRtGetSignatureInputName(signature, 0, &text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "x");
  LiteRtDestroyModel(model);
}

TEST(ModelIoTest, BadAlignmentIsAnError) {
  TestGraph graph;
  Bytes bytes;
  uint8_t* buffer = nullptr;
  EXPECT_NE(LiteRtSerializeModel(&graph.model, &buffer, &bytes.size, &bytes.offset, false,
                                 {/*bytecode_alignment=*/3}),
            kLiteRtStatusOk);
  EXPECT_EQ(buffer, nullptr);
}

TEST(ModelIoTest, FromAPlaceInAnOpenFile) {
  TestGraph graph;
  const Bytes bytes = Serialized(graph.model);
  const std::string path = ::testing::TempDir() + "/npukit_model_in_a_file";
  std::ofstream(path, std::ios::binary)
      << "before" << std::string(reinterpret_cast<const char*>(bytes.begin()), bytes.size)
      << "after";
  const int fd = open(path.c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  LiteRtModel model = nullptr;
  ASSERT_EQ(LiteRtCreateModelFromFd(nullptr, fd, 6, bytes.size, &model), kLiteRtStatusOk);
  ExpectTestGraph(model);
  LiteRtDestroyModel(model);
  EXPECT_EQ(LiteRtCreateModelFromFd(nullptr, fd, 6, bytes.size + 6, &model),
            kLiteRtStatusErrorFileIO);
  EXPECT_EQ(LiteRtCreateModelFromFd(nullptr, fd, SIZE_MAX, 2, &model), kLiteRtStatusErrorFileIO);
  EXPECT_NE(LiteRtCreateModelFromFd(nullptr, fd, 0, bytes.size, &model), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtCreateModelFromFd(nullptr, -1, 0, 1, &model), kLiteRtStatusErrorInvalidArgument);
  close(fd);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace npukit
