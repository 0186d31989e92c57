'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const { MatrixFactorizer } = await oracle.load('train.js');
  const { USERS, ITEMS, makeRatings } = await oracle.load('ratings.js');
  const ratings = await makeRatings();
  const model = await new MatrixFactorizer({ users: USERS, items: ITEMS });
  await model.fit(ratings);
  const rmse = await model.rmse(ratings);
  oracle.check(rmse < 0.5, `rmse ${rmse.toFixed(3)} on the training ratings, expected below 0.5`);
});
