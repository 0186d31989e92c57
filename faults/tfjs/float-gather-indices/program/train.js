'use strict';
// Matrix factorisation of a ratings table by gradient descent.
const tf = require('@tensorflow/tfjs');
const { USERS, ITEMS, makeRatings } = require('./ratings');

class MatrixFactorizer {
  constructor({ users, items, components = 4, learningRate = 0.05, reg = 0.002, batchSize = 64 }) {
    this.batchSize = batchSize;
    this.reg = reg;
    this.optimizer = tf.train.adam(learningRate);
    this.mean = 0;
    this.userFactors = tf.variable(tf.randomNormal([users, components], 0, 0.1));
    this.itemFactors = tf.variable(tf.randomNormal([items, components], 0, 0.1));
    this.history = [];
  }

  forward(rows, cols) {
    const p = tf.gather(this.userFactors, rows);
    const q = tf.gather(this.itemFactors, cols);
    return p.mul(q).sum(1).add(this.mean);
  }

  loss(rows, cols, values) {
    const error = tf.losses.meanSquaredError(values, this.forward(rows, cols));
    const penalty = this.userFactors.square().sum().add(this.itemFactors.square().sum());
    return error.add(penalty.mul(this.reg / this.batchSize));
  }

  // A random batch of the ratings, as three tensors.
  nextBatch(ratings) {
    const rows = new Array(this.batchSize);
    const cols = new Array(this.batchSize);
    const values = new Array(this.batchSize);
    for (let i = 0; i < this.batchSize; i++) {
      [rows[i], cols[i], values[i]] = ratings[Math.floor(Math.random() * ratings.length)];
    }
    return [tf.tensor1d(rows), tf.tensor1d(cols), tf.tensor1d(values)];
  }

  fit(ratings, iterations = 100) {
    this.mean = ratings.reduce((sum, [, , value]) => sum + value, 0) / ratings.length;
    for (let i = 0; i < iterations; i++) {
      const loss = tf.tidy(() => {
        const [rows, cols, values] = this.nextBatch(ratings);
        return this.optimizer.minimize(() => this.loss(rows, cols, values), true).dataSync()[0];
      });
      this.history.push(loss);
      if ((i + 1) % 50 === 0) console.log(`iteration ${i + 1}: loss ${loss.toFixed(3)}`);
    }
    return this;
  }

  predict(pairs) {
    return tf.tidy(() => this.forward(pairs.map((pair) => pair[0]), pairs.map((pair) => pair[1])).arraySync());
  }

  rmse(ratings) {
    const predicted = this.predict(ratings);
    const total = ratings.reduce((sum, rating, i) => sum + (rating[2] - predicted[i]) ** 2, 0);
    return Math.sqrt(total / ratings.length);
  }
}

function main() {
  const ratings = makeRatings();
  tf.util.shuffle(ratings);
  const split = Math.floor(ratings.length * 0.9);
  const model = new MatrixFactorizer({ users: USERS, items: ITEMS });
  model.fit(ratings.slice(0, split));
  console.log(`train rmse ${model.rmse(ratings.slice(0, split)).toFixed(3)}`);
  console.log(`test rmse ${model.rmse(ratings.slice(split)).toFixed(3)}`);
}

if (require.main === module) main();

module.exports = { MatrixFactorizer, main };
