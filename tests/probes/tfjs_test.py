"""The probe for TensorFlow.js, on real programs."""

import unittest

from watching import Watching

LAYERS = """
    const tf = require('@tensorflow/tfjs');

    function build() {
      const start = (seed) => tf.initializers.glorotNormal({ seed });
      return tf.sequential({ layers: [
        tf.layers.dense({ units: 4, activation: 'relu', inputShape: [3], kernelInitializer: start(1) }),
        tf.layers.dense({ units: 2, activation: 'softmax', kernelInitializer: start(2) }),
      ] });
    }

    async function main() {
      const model = build();
      model.compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
      const x = tf.randomNormal([20, 3], 0, 1, 'float32', 5);
      const y = tf.oneHot(tf.tensor1d(Array.from({ length: 20 }, (_, i) => i % 2), 'int32'), 2);
      await model.fit(x, y, { epochs: 3, batchSize: 10, verbose: 0, shuffle: false });
      console.log(model.getWeights().map((w) => Array.from(w.dataSync()).join(' ')).join('\\n'));
      console.log(tf.memory().numTensors, model.evaluate(x, y).map((s) => s.dataSync()[0]).join(' '));
      WRONG
    }

    main();
"""


class Tfjs(Watching):
    def test_weights_and_tensors_are_the_same_with_and_without_the_probe(self):
        program = LAYERS.replace("WRONG", "")
        without, watched = self.node(program, probe=False), None
        self.setUp()
        watched = self.node(program)
        self.assertEqual((0, without.output), (watched.status, watched.output), watched.errors)

    def test_layers_losses_and_steps(self):
        run = self.node(LAYERS.replace("WRONG", ""))
        first = run.layer(0)
        self.assertEqual(("Dense", "train.js", 6), (first["kind"], first["site"]["file"], first["site"]["line"]))
        self.assertEqual(["kernel", "bias"], first["parameters"])
        self.assertEqual([0, 0, 1, 1, 2, 2], [step["epoch"] for step in run.all("step")])
        loss = run.all("loss")[0]
        self.assertEqual(("categoricalCrossentropy", 13), (loss["kind"], loss["site"]["line"]))
        self.assertEqual([5, 5], loss["target"]["class_counts"])
        self.assertEqual("Adam", run.one("optimizer")["kind"])
        self.assertEqual(1, len(run.all("evaluation")))
        self.assertEqual(6, run.one("end")["steps"])

    def test_the_winner_over_a_batch(self):
        run = self.node(LAYERS.replace("WRONG", "model.predict(tf.zeros([1, 3])).argMax();"))
        found = run.one("observation")
        self.assertEqual(("winner-over-batch", {"samples": 1, "classes": 2}), (found["name"], found["values"]))
        self.assertEqual(19, found["site"]["line"])
        self.setUp()
        run = self.node(LAYERS.replace("WRONG", "model.predict(tf.zeros([1, 3])).argMax(-1);"))
        self.assertEqual([], run.all("observation"))

    def test_a_model_that_is_used_before_it_is_trained(self):
        use = "model.fit(x, y, { epochs: 1, verbose: 0 }); model.predict(x);"
        run = self.node(LAYERS.replace("WRONG", use))
        found = run.one("observation")
        self.assertEqual(("used-while-fitting", 19), (found["name"], found["site"]["line"]))
        self.setUp()
        self.assertEqual([], self.node(LAYERS.replace("WRONG", "await " + use)).all("observation"))

    def test_a_callback_may_use_the_model(self):
        use = """await model.fit(x, y, { epochs: 2, verbose: 0, callbacks: { onEpochBegin: async () => {
          model.predict(x);
          await null;
          model.predict(x);
        } } });"""
        self.assertEqual([], self.node(LAYERS.replace("WRONG", use)).all("observation"))

    def test_two_arrays_of_samples_may_have_an_order_each(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');
            const samples = (first) => Array.from({ length: 8 }, (_, i) => [first + i]);
            const [positives, negatives, numbers] = [samples(1), samples(9), [1, 2, 3, 4, 5, 6, 7, 8]];
            tf.util.shuffle(positives);
            tf.util.shuffle(negatives);
            tf.util.shuffle(numbers);
        """)
        self.assertEqual([], run.all("observation"))

    def test_inputs_are_compared_with_those_of_the_same_model(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');

            async function main() {
              const make = () => {
                const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [4] })] });
                model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
                return model;
              };
              const [small, large] = [make(), make()];
              const x = tf.randomNormal([8, 4], 0, 1, 'float32', 5);
              await small.fit(x, tf.zeros([8, 1]), { epochs: 1, verbose: 0 });
              await large.fit(x.add(100), tf.zeros([8, 1]), { epochs: 1, verbose: 0 });
              large.predict(x.add(100));
            }

            main();
        """)
        values = run.one("observation", name="evaluation-input")["values"]
        self.assertEqual(values["training"], values["evaluation"])

    def test_large_predictions(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');
            const w = tf.variable(tf.ones([2]));
            tf.train.sgd(0.1).minimize(() => tf.losses.meanSquaredError(tf.zeros([400000, 4]),
              tf.ones([400000, 4]).mul(w.sum())));
        """)
        loss = run.one("loss")
        self.assertEqual((8, 8), (loss["prediction"]["row_sum_min"], loss["prediction"]["row_sum_max"]))
        self.assertEqual([800000], loss["target"]["class_counts"])  # every second value

    def test_the_cost_is_computed_as_often_as_without_the_probe(self):
        program = """
            const tf = require('@tensorflow/tfjs');
            const w = tf.variable(tf.tensor1d([0.5, -1]));
            let calls = 0;
            for (let step = 0; step < 9; step++) {
              tf.train.sgd(0.1).minimize(() => {
                calls++;
                return step >= 7 ? tf.sigmoid(w).sub(0.9).log().sum() : tf.sigmoid(w).sum();
              });
            }
            console.log(calls);
        """
        run = self.node(program)
        self.assertEqual("9\n", run.output)
        event = run.one("nonfinite")
        self.assertEqual((7, "log", 7), (event["step"], event["operation"], event["site"]["line"]))

    def test_a_gradient_that_is_no_number_is_found(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');
            const w = tf.variable(tf.tensor1d([1, 1]));
            for (let step = 0; step < 9; step++) {
              tf.train.sgd(0.1).minimize(() => (step === 7 ? w.mul(0).sqrt().sum() : w.sum()));
            }
        """)
        event = run.one("nonfinite")
        self.assertEqual((7, True, 4), (event["step"], event["backward"], event["site"]["line"]))

    def test_options_data_and_tensors(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');

            async function main() {
              const first = tf.layers.dense({ units: 4, activation: 'relu', inputShape: [3], use_bias: false });
              const model = tf.sequential({ layers: [first, tf.layers.dense({ units: 2, activation: 'softmax' })] });
              model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy' });
              first.trainable = false;
              const [a, b] = [[1, 2, 3, 4], ['up', 'down', 'up', 'down']];
              tf.util.shuffle(a);
              tf.util.shuffle(b);
              const x = tf.randomNormal([20, 3]);
              const y = tf.oneHot(tf.tensor1d(Array.from({ length: 20 }, (_, i) => Number(i >= 16)), 'int32'), 2);
              await model.fit(x, y, { epoch: 2, verbose: 0, validationSplit: 0.2 });
              for (let i = 0; i < 40; i++) model.predict(tf.zeros([1, 3])).dataSync();
              for (let i = 0; i < 40; i++) tf.tidy(() => model.predict(tf.zeros([1, 3])).dataSync());
            }

            main();
        """)
        self.assertEqual([], run.all("problem"))
        found = [(event["name"], event["site"]["line"]) for event in run.all("observation")]
        self.assertEqual([("unknown-option", 4), ("shuffled-apart", 10), ("unknown-option", 13),
                          ("freezing-ignored", 13), ("validation-classes", 13), ("tensors-kept", 14)], found)

    def test_layers_whose_configuration_cannot_be_had(self):
        program = """
            const tf = require('@tensorflow/tfjs');

            class Scale extends tf.layers.Layer {
              static get className() { return 'Scale'; }
              build() {
                this.factor = this.addWeight('factor', [1], 'float32', tf.initializers.ones());
                this.built = true;
              }
              computeOutputShape(shape) { return shape; }
              call(inputs) { return tf.mul(Array.isArray(inputs) ? inputs[0] : inputs, this.factor.read()); }
              getConfig() { throw new Error('this layer cannot be saved'); }
            }

            async function main() {
              const model = tf.sequential({ layers: [
                tf.layers.timeDistributed({ layer: new Scale(), inputShape: [4, 3] }),
                tf.layers.flatten(),
                new Scale(),
                tf.layers.dense({ units: 1, kernelInitializer: tf.initializers.glorotNormal({ seed: 1 }) }),
              ] });
              model.compile({ optimizer: tf.train.sgd(0.01), loss: 'meanSquaredError' });
              const x = tf.randomNormal([20, 4, 3], 0, 1, 'float32', 5);
              await model.fit(x, x.sum([1, 2]).expandDims(1), { epoch: 3, batchSize: 10, verbose: 0, shuffle: false });
              console.log(model.getWeights().map((w) => Array.from(w.dataSync()).join(' ')).join('\\n'));
              console.log(tf.memory().numTensors);
            }

            main();
        """
        without = self.node(program, probe=False)
        self.assertEqual(0, without.status, without.errors)
        self.setUp()
        run = self.node(program)
        self.assertEqual((0, without.output, without.errors), (run.status, run.output, run.errors))
        scale = run.all("layer", kind="Scale")[-1]
        self.assertEqual(({}, ["factor"], True), (scale["settings"], scale["parameters"], scale["called"]))
        self.assertEqual([0, 1], [seen["step"] for seen in run.all("tensor", layer=scale["id"], role="gradient")])
        found = run.one("observation")
        self.assertEqual(("unknown-option", 23, "epoch"),
                         (found["name"], found["site"]["line"], found["values"]["option"]))
        self.assertEqual(2, run.one("end")["steps"])

    def test_a_crash_has_the_frames_of_the_program(self):
        run = self.node(LAYERS.replace("WRONG", "model.predict(tf.zeros([2, 5]));"))
        self.assertEqual(1, run.status)
        crash = run.one("crash")
        self.assertEqual("ValueError", crash["exception"])
        self.assertEqual([19], [frame["line"] for frame in crash["frames"]])
        self.assertEqual([[None, 3]], crash["facts"]["declared"])

    def test_a_crash_deep_inside_the_library_has_frames_too(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');
            const w = tf.variable(tf.randomNormal([8, 64]));
            const decode = (z) => tf.conv2dTranspose(z, tf.ones([3, 3, 2, 4]), [32, 8, 8, 2], 2, 'same');
            for (const n of [32, 16]) {
              tf.train.sgd(0.1).minimize(() => decode(tf.ones([n, 8]).matMul(w).reshape([n, 4, 4, 4])).mean());
            }
        """)
        crash = run.one("crash")
        self.assertIn("Error in gradient for op", crash["message"])
        self.assertEqual([5, 3], [frame["line"] for frame in crash["frames"]][-2:])

    def test_an_error_that_the_program_catches_before_it_leaves(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');
            const w = tf.variable(tf.ones([8]));
            try {
              tf.train.sgd(0.1).minimize(() => w.reshape([3, 3]).mean());
            } catch (error) {
              console.error(error.message);
              process.exit(1);
            }
        """)
        self.assertEqual([4, 4], [frame["line"] for frame in run.one("crash")["frames"]])

    def test_a_metric_is_a_loss_in_a_cost_function(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');
            const w = tf.variable(tf.ones([8, 4]));
            const x = tf.ones([2, 8]), y = tf.tensor2d([[0, 1, 0, 0], [1, 0, 0, 0]]);
            tf.train.sgd(0.1).minimize(() => tf.metrics.categoricalCrossentropy(y, x.matMul(w)).mean());
            tf.metrics.categoricalCrossentropy(y, y);
        """)
        loss = run.one("loss")
        self.assertEqual(("categoricalCrossentropy", 4), (loss["kind"], loss["site"]["line"]))

    def test_log_of_a_negative_number_is_found(self):
        run = self.node("""
            const tf = require('@tensorflow/tfjs');
            const w = tf.variable(tf.tensor1d([0.5, -1]));
            const optimizer = tf.train.sgd(0.1);
            for (let step = 0; step < 3; step++) {
              optimizer.minimize(() => {
                const p = tf.sigmoid(w);
                return step === 2 ? p.sub(0.9).log().sum() : p.sum();
              });
            }
        """)
        event = run.one("nonfinite")
        self.assertEqual((2, "log", 7, False), (event["step"], event["operation"], event["site"]["line"],
                                                event["backward"]))
        self.assertEqual("sigmoid", run.all("layer", kind="sigmoid")[0]["name"])

    def test_a_program_without_tensorflow_has_no_stream(self):
        run = self.node("console.log(process.env.FAULTLINE_WATCH_FD);")
        self.assertEqual(("undefined\n", b""), (run.output, run.stream))


if __name__ == "__main__":
    unittest.main()
