'use strict';
// Finds the first kernel that makes values which are no numbers out of ones that are.

const sites = require('./sites');
const statistics = require('./statistics');

const OPERATIONS = { realdiv: 'div', multiply: 'mul', batchmatmul: 'matMul' };

function tensorsIn(value) {
  if (!value) return [];
  if (value.dataId) return [value];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap((part) => (part && part.dataId ? [part] : []));
}

function bad(tensor) {
  return tensor.dtype === 'float32' && !statistics.isFinite(tensor.dataSync());
}

function nameOf(kernel) {
  const name = kernel.replace(/^_?Fused/, '');
  return OPERATIONS[name.toLowerCase()] || name[0].toLowerCase() + name.slice(1);
}

// Runs `work` with every kernel looked at; returns where the first bad value came from, or null.
// Random numbers that the repeated work draws are not the program's.
function trace(engine, work, describe) {
  const original = engine.runKernel;
  const random = Math.random;
  let found = null;
  let state = 12345;
  engine.runKernel = function (kernel, inputs, attributes) {
    const result = original.call(this, kernel, inputs, attributes);
    if (!found) {
      const results = tensorsIn(result).filter(bad);
      if (results.length) {
        const operands = tensorsIn(inputs);
        const outside = operands.find(bad);
        found = { ...describe(outside), operation: outside ? describe(outside).operation : nameOf(kernel),
          site: sites.here(), operands: outside ? [] : operands.map(statistics.facts),
          result: statistics.facts(outside || results[0]) };
      }
    }
    return result;
  };
  Math.random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  try {
    work();
  } catch (error) {
    // what failed is told by the program itself
  } finally {
    delete engine.runKernel;
    if (engine.runKernel !== original) engine.runKernel = original;
    Math.random = random;
  }
  return found;
}

module.exports = { trace };
