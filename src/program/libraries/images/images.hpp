#pragma once

// Pictures: arrays of pixels (height, width[, channels]), and PIL's images, which are objects with
// such an array as attribute `pixels`.

#include "program/libraries/shared/arrays.hpp"

#include <optional>

namespace faultline::program {

// A PIL image with these pixels.
Instance* picture(Machine& machine, Call& call, Tensor* pixels);
// An image of a file may be grey or in colour, so that the rank of its pixels is not known; its
// sides may be known all the same.
struct Sides {
  Dim height = Dim::top();
  Dim width = Dim::top();
};
Sides sides_of(Machine& m, Ref image);
Instance* picture_of_size(Machine& m, Call& call, Ref image, const Sides& sides);
// The pixels of an array or a PIL image; null for anything else.
Tensor* pixels_of(Ref image);
bool is_picture(Ref value); // of PIL

// An image from a file: its size is not known, its pixels are bytes.
Tensor* loaded_pixels(Machine& machine, Call& call, std::optional<int64_t> channels);

// The same picture with other sizes of its first two axes, or another number of channels.
Tensor* resized(Machine& machine, Call& call, const Tensor& pixels, Dim height, Dim width);
Tensor*
with_channels(Machine& machine, Call& call, const Tensor& pixels, std::optional<int64_t> channels);

} // namespace faultline::program
