'use strict';
const tf = require('@tensorflow/tfjs');

function outputLength(length, size, stride, padding) {
  return padding === 'same' ? length * stride : length * stride + Math.max(size - stride, 0);
}

// A transposed convolution with bias and activation.
class Deconv2D extends tf.layers.Layer {
  constructor(config) {
    super(config);
    this.depth = config.depth;
    this.size = config.size || 3;
    this.stride = config.stride || 1;
    this.padding = config.padding || 'same';
    this.activation = config.activation || ((x) => x);
  }

  static get className() {
    return 'Deconv2D';
  }

  build(inputShape) {
    const channels = inputShape[3];
    this.kernel = this.addWeight(
      'kernel', [this.size, this.size, this.depth, channels], 'float32', tf.initializers.glorotUniform({}));
    this.bias = this.addWeight('bias', [this.depth], 'float32', tf.initializers.zeros());
    this.targetShape = this.computeOutputShape(inputShape);
    super.build(inputShape);
  }

  computeOutputShape([batch, rows, cols]) {
    return [
      batch,
      outputLength(rows, this.size, this.stride, this.padding),
      outputLength(cols, this.size, this.stride, this.padding),
      this.depth,
    ];
  }

  call(inputs) {
    return tf.tidy(() => {
      const x = Array.isArray(inputs) ? inputs[0] : inputs;
      const outputShape = this.targetShape;
      const y = tf.conv2dTranspose(x, this.kernel.read(), outputShape, this.stride, this.padding);
      return this.activation(y.add(this.bias.read()));
    });
  }
}

tf.serialization.registerClass(Deconv2D);

module.exports = { Deconv2D };
