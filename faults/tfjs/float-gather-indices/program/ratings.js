'use strict';
// A table of ratings (user, item, stars) made from a few hidden tastes, in place
// of a dump of a shop's data base.

const USERS = 24;
const ITEMS = 16;
const TASTES = 2;

function gaussian() {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

function matrix(rows, cols) {
  return Array.from({ length: rows }, () => Array.from({ length: cols }, gaussian));
}

function makeRatings(density = 0.7) {
  const likes = matrix(USERS, TASTES);
  const traits = matrix(ITEMS, TASTES);
  const ratings = [];
  for (let user = 0; user < USERS; user++) {
    for (let item = 0; item < ITEMS; item++) {
      if (Math.random() > density) continue;
      const affinity = likes[user].reduce((sum, like, k) => sum + like * traits[item][k], 0);
      const stars = Math.min(5, Math.max(1, Math.round(3 + affinity)));
      ratings.push([user, item, stars]);
    }
  }
  return ratings;
}

module.exports = { USERS, ITEMS, makeRatings };
