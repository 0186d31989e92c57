'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const { pictures, masks } = await program.loadPictures(24);
  const model = await program.train(pictures, masks);
  const predicted = await model.predict(pictures);
  const values = await predicted.dataSync();
  const highest = values.reduce((a, b) => Math.max(a, b));
  const lowest = values.reduce((a, b) => Math.min(a, b));
  oracle.check(lowest >= -1e-3 && highest <= 1 + 1e-3, `mask values from ${lowest} to ${highest} are no probabilities`);
  const iou = await program.iou(model, pictures, masks);
  oracle.check(iou >= 0.4, `IoU ${iou.toFixed(3)} on the training pictures, expected at least 0.4`);
});
