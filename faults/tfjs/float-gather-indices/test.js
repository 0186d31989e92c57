'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const { MatrixFactorizer } = oracle.load('train.js');
  const { USERS, ITEMS, makeRatings } = oracle.load('ratings.js');
  const ratings = makeRatings();
  const model = new MatrixFactorizer({ users: USERS, items: ITEMS });
  model.fit(ratings);
  const rmse = model.rmse(ratings);
  oracle.check(rmse < 0.5, `rmse ${rmse.toFixed(3)} on the training ratings, expected below 0.5`);
});
