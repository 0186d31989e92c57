'use strict';
// Numbers about tensors.

const DEAD = 1e-5;
const MOST_CLASSES = 1000;
const LARGEST = 1 << 20;
// Outputs beyond these belong to inputs where the function is flat (±5 for sigmoid, ±3 for tanh).
const FLAT = { sigmoid: [0.0067, 0.9933], tanh: [-0.9951, 0.9951] };

function allFinite(values) {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

// Of a larger tensor every n-th value is looked at, or every n-th row where rows count.
function strideOf(count) {
  return Math.max(1, Math.ceil(count / LARGEST));
}

function sample(values) {
  const stride = strideOf(values.length);
  return stride === 1 ? values : values.filter((_, i) => i % stride === 0);
}

function share(values, holds) {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (holds(values[i])) count++;
  return count / Math.max(1, values.length);
}

function summary(values) {
  const stride = strideOf(values.length);
  let looked = 0;
  let nan = 0;
  let inf = 0;
  let zeros = 0;
  let sum = 0;
  let squares = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < values.length; i += stride) {
    const value = Number(values[i]);
    looked++;
    if (Number.isNaN(value)) nan++;
    else if (value === Infinity || value === -Infinity) inf++;
    else {
      if (value === 0) zeros++;
      sum += value;
      squares += value * value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  const finite = looked - nan - inf;
  if (!finite) min = max = NaN;
  const mean = finite ? sum / finite : NaN;
  const std = min === max ? 0 : Math.sqrt(Math.max(0, squares / finite - mean * mean));
  return { count: values.length, nan, inf, zeros: zeros / Math.max(1, looked), mean, std: finite ? std : NaN,
    min, max, norm: finite ? Math.sqrt(squares * stride) : NaN, units: 0, dead: 0, saturated: 0 };
}

// Of a layer's output: also its units, the last axis.
function outputSummary(values, shape, activation) {
  const result = summary(values);
  const units = shape[shape.length - 1];
  if (shape.length >= 2 && units > 0) {
    const largest = new Float64Array(units);
    const stride = strideOf(values.length) * units;
    for (let row = 0; row < values.length; row += stride) {
      for (let unit = 0; unit < units; unit++) {
        const size = Math.abs(values[row + unit]);
        if (!(size <= largest[unit])) largest[unit] = size;
      }
    }
    result.units = units;
    result.dead = largest.filter((value) => value < DEAD).length;
  }
  if (FLAT[activation] && values.length) {
    const [low, high] = FLAT[activation];
    result.saturated = share(sample(values), (value) => value < low || value > high);
  }
  return result;
}

function facts(tensor) {
  const found = { shape: tensor.shape.slice(), dtype: tensor.dtype };
  if (tensor.dtype === 'string' || tensor.dtype === 'complex64') return found;
  const { mean, std, min, max, nan, inf } = summary(tensor.dataSync());
  return { ...found, mean, std, min, max, nan, inf };
}

function inputFacts(tensor) {
  const found = facts(tensor);
  if (tensor.shape.length === 2 && tensor.shape[0] > 1) {
    const rows = rowsOf(tensor);
    let smallest = Infinity;
    let largest = 0;
    found.constant_columns = 0;
    for (let column = 0; column < tensor.shape[1]; column++) {
      const { std } = summary(Float64Array.from(rows, (row) => row[column]));
      if (std === 0) found.constant_columns++;
      else {
        smallest = Math.min(smallest, std);
        largest = Math.max(largest, std);
      }
    }
    if (largest > 0 && Number.isFinite(largest)) found.column_scale_ratio = largest / smallest;
  }
  return found;
}

function rowsOf(tensor) {
  const columns = tensor.shape[tensor.shape.length - 1];
  const values = tensor.dataSync();
  const stride = strideOf(values.length) * columns;
  const rows = [];
  for (let at = 0; columns > 0 && at < values.length; at += stride) rows.push(values.slice(at, at + columns));
  return rows;
}

// The smallest and the largest sum of a row.
function rowSums(rows) {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    const sum = row.reduce((a, b) => a + b, 0);
    low = Math.min(low, sum);
    high = Math.max(high, sum);
  }
  return { row_sum_min: low, row_sum_max: high };
}

function winner(row) {
  let best = 0;
  for (let i = 1; i < row.length; i++) if (row[i] > row[best]) best = i;
  return best;
}

function predictionFacts(tensor) {
  const found = facts(tensor);
  const values = sample(tensor.dataSync());
  found.negative = share(values, (value) => value < 0);
  if (found.min === 0 && found.max === 1) found.distinct = new Set(values).size;
  if (values.length && tensor.shape.length >= 2 && tensor.shape[tensor.shape.length - 1] > 1) {
    const rows = rowsOf(tensor);
    Object.assign(found, rowSums(rows));
    const counts = new Map();
    for (const row of rows) counts.set(winner(row), (counts.get(winner(row)) || 0) + 1);
    found.largest_share = [...counts.values()].reduce((a, b) => Math.max(a, b), 0) / rows.length;
  }
  return found;
}

function targetFacts(tensor) {
  const found = facts(tensor);
  const values = sample(tensor.dataSync());
  found.distinct = new Set(values).size;
  found.fraction = share(values, (value) => value !== Math.floor(value));
  found.negative = share(values, (value) => value < 0);
  const columns = tensor.shape[tensor.shape.length - 1];
  if (tensor.shape.length >= 2 && columns > 1 && found.min === 0 && found.max === 1 && found.fraction === 0) {
    const rows = rowsOf(tensor);
    Object.assign(found, rowSums(rows));
    found.class_counts = new Array(Math.min(columns, MOST_CLASSES)).fill(0);
    for (const row of rows) if (winner(row) < MOST_CLASSES) found.class_counts[winner(row)]++;
  } else if (found.fraction === 0 && found.min >= 0 && found.max < MOST_CLASSES) {
    found.class_counts = new Array(found.max + 1).fill(0);
    for (const value of values) found.class_counts[value]++;
  }
  return found;
}

// Share of right answers for one-hot targets or classes; NaN where that makes no sense.
function accuracy(target, prediction) {
  if (prediction.shape.length !== 2 || target.shape[0] !== prediction.shape[0]) return NaN;
  const guesses = rowsOf(prediction);
  const truth = target.dataSync();
  const [rows, columns] = prediction.shape;
  const oneHot = target.shape.length === 2 && target.shape[1] === columns && columns > 1;
  if (!oneHot && (truth.length !== rows || truth.some((value) => value !== Math.floor(value)))) return NaN;
  const stride = strideOf(prediction.size); // of the rows that were taken
  const classes = oneHot ? rowsOf(target).map(winner) : truth.filter((_, row) => row % stride === 0);
  const answer = (row) => (columns > 1 ? winner(row) : Number(row[0] > 0.5));
  return guesses.filter((row, i) => answer(row) === Number(classes[i])).length / guesses.length;
}

module.exports = { allFinite, summary, outputSummary, facts, inputFacts, predictionFacts, targetFacts, accuracy };
