'use strict';
// Numbers about tensors.

const DEAD = 1e-5;
const MOST_CLASSES = 1000;
// Outputs beyond these belong to inputs where the function is flat (±5 for sigmoid, ±3 for tanh).
const FLAT = { sigmoid: [0.0067, 0.9933], tanh: [-0.9951, 0.9951] };

function isFinite(values) {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

function summary(values) {
  let nan = 0;
  let inf = 0;
  let zeros = 0;
  let sum = 0;
  let squares = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
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
  const finite = values.length - nan - inf;
  if (!finite) min = max = NaN;
  const mean = finite ? sum / finite : NaN;
  const std = min === max ? 0 : Math.sqrt(Math.max(0, squares / finite - mean * mean));
  return { count: values.length, nan, inf, zeros: zeros / Math.max(1, values.length), mean, std: finite ? std : NaN,
    min, max, norm: finite ? Math.sqrt(squares) : NaN, units: 0, dead: 0, saturated: 0 };
}

// Of a layer's output: also its units, the last axis.
function outputSummary(values, shape, activation) {
  const result = summary(values);
  if (shape.length >= 2) {
    const units = shape[shape.length - 1];
    const largest = new Float64Array(units);
    for (let i = 0; i < values.length; i++) {
      const size = Math.abs(values[i]);
      if (!(size <= largest[i % units])) largest[i % units] = size;
    }
    result.units = units;
    result.dead = largest.filter((value) => value < DEAD).length;
  }
  if (FLAT[activation] && values.length) {
    const [low, high] = FLAT[activation];
    let count = 0;
    for (let i = 0; i < values.length; i++) if (values[i] < low || values[i] > high) count++;
    result.saturated = count / values.length;
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
    const [rows, columns] = tensor.shape;
    const values = tensor.dataSync();
    let smallest = Infinity;
    let largest = 0;
    found.constant_columns = 0;
    for (let column = 0; column < columns; column++) {
      const { std } = summary(Float64Array.from({ length: rows }, (_, row) => values[row * columns + column]));
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
  return Array.from({ length: values.length / columns }, (_, row) => values.slice(row * columns, (row + 1) * columns));
}

function winner(row) {
  let best = 0;
  for (let i = 1; i < row.length; i++) if (row[i] > row[best]) best = i;
  return best;
}

function predictionFacts(tensor) {
  const found = facts(tensor);
  const values = tensor.dataSync();
  found.negative = values.filter((value) => value < 0).length / Math.max(1, values.length);
  if (tensor.shape.length >= 2 && tensor.shape[tensor.shape.length - 1] > 1) {
    const rows = rowsOf(tensor);
    const sums = rows.map((row) => row.reduce((a, b) => a + b, 0));
    found.row_sum_min = Math.min(...sums);
    found.row_sum_max = Math.max(...sums);
    const counts = new Map();
    for (const row of rows) counts.set(winner(row), (counts.get(winner(row)) || 0) + 1);
    found.largest_share = Math.max(...counts.values()) / rows.length;
  }
  return found;
}

function targetFacts(tensor) {
  const found = facts(tensor);
  const values = tensor.dataSync();
  const total = Math.max(1, values.length);
  found.distinct = new Set(values).size;
  found.fraction = values.filter((value) => value !== Math.floor(value)).length / total;
  found.negative = values.filter((value) => value < 0).length / total;
  const columns = tensor.shape[tensor.shape.length - 1];
  if (tensor.shape.length >= 2 && columns > 1 && found.min === 0 && found.max === 1 && found.fraction === 0) {
    const rows = rowsOf(tensor);
    const sums = rows.map((row) => row.reduce((a, b) => a + b, 0));
    found.row_sum_min = Math.min(...sums);
    found.row_sum_max = Math.max(...sums);
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
  const columns = prediction.shape[1];
  const oneHot = target.shape.length === 2 && target.shape[1] === columns && columns > 1;
  if (!oneHot && (truth.length !== guesses.length || truth.some((value) => value !== Math.floor(value)))) return NaN;
  const classes = oneHot ? rowsOf(target).map(winner) : truth;
  const answer = (row) => (columns > 1 ? winner(row) : Number(row[0] > 0.5));
  return guesses.filter((row, i) => answer(row) === Number(classes[i])).length / guesses.length;
}

module.exports = { isFinite, summary, outputSummary, facts, inputFacts, predictionFacts, targetFacts, accuracy };
