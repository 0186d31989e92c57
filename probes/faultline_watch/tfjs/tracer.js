'use strict';
// Finds kernels that make values which are no numbers out of ones that are.

const sites = require('./sites');
const statistics = require('./statistics');

const OPERATIONS = { realdiv: 'div', multiply: 'mul', batchmatmul: 'matMul' };
const SAME_VALUES = new Set(['Identity', 'Reshape']);

function tensorsIn(value) {
  if (!value) return [];
  if (value.dataId) return [value];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap((part) => (part && part.dataId ? [part] : []));
}

function bad(tensor) {
  return tensor.dtype === 'float32' && !statistics.allFinite(tensor.dataSync());
}

function nameOf(kernel) {
  const name = kernel.replace(/^_?Fused/, '');
  return OPERATIONS[name.toLowerCase()] || name[0].toLowerCase() + name.slice(1);
}

// What a kernel has made of its operands, if that has bad values; else null. `outside` is an operand that
// was bad before.
function look(kernel, inputs, result) {
  if (SAME_VALUES.has(kernel)) return null;
  const results = tensorsIn(result).filter(bad);
  if (!results.length) return null;
  const operands = tensorsIn(inputs);
  const outside = operands.find(bad);
  return { outside, operation: nameOf(kernel), site: sites.here(),
    operands: outside ? [] : operands.map(statistics.facts), result: statistics.facts(outside || results[0]) };
}

module.exports = { look };
