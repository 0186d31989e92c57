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

    def test_a_crash_has_the_frames_of_the_program(self):
        run = self.node(LAYERS.replace("WRONG", "model.predict(tf.zeros([2, 5]));"))
        self.assertEqual(1, run.status)
        crash = run.one("crash")
        self.assertEqual("ValueError", crash["exception"])
        self.assertEqual([19], [frame["line"] for frame in crash["frames"]])
        self.assertEqual([[None, 3]], crash["facts"]["declared"])

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
