#include "program/models/keras_models.hpp"

namespace faultline::program {

// Until the Keras models land.
void build_models(Machine&) {}

} // namespace faultline::program
