'use strict';
const tf = require('@tensorflow/tfjs');

function convolution(filters) {
  return tf.layers.conv2d({
    filters, kernelSize: 3, padding: 'same', activation: 'relu', kernelInitializer: 'heNormal',
  });
}

function encode(filters, input) {
  return convolution(filters).apply(input);
}

function decode(filters, input, skip) {
  const larger = tf.layers.upSampling2d({ size: [2, 2] }).apply(input);
  const joined = tf.layers.concatenate().apply([larger, skip]);
  return convolution(filters).apply(joined);
}

// A U-Net of two levels.
function buildUNet(side, filters = 4) {
  const inputs = tf.input({ shape: [side, side, 1] });
  const level1 = encode(filters, inputs);
  const pooled = tf.layers.maxPooling2d({ poolSize: 2 }).apply(level1);
  const level2 = encode(2 * filters, pooled);
  const decoded = decode(filters, level2, level1);
  const outputs = tf.layers.conv2d({ filters: 1, kernelSize: 1, activation: 'relu' }).apply(decoded);
  return tf.model({ inputs, outputs });
}

module.exports = { buildUNet };
