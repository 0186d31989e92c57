"""The probe for TensorFlow and Keras, on real programs.

They run in the environments keras2 and keras3 (docs/environments.md); what is not built is not tested.
"""

import json
import os
import subprocess
import textwrap
import unittest

from watching import ROOT, Watching

BINARY = os.path.abspath(os.environ.get("FAULTLINE_BINARY", os.path.join(ROOT, "build", "release", "faultline")))
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}

START = """
    import hashlib
    import sys
    import numpy as np
    import tensorflow as tf
    from tensorflow import keras
    from tensorflow.keras import layers

    keras.utils.set_random_seed(1)


    def blobs(count, classes=4, width=8):
        centres = np.random.randn(classes, width) * 2
        labels = np.random.randint(0, classes, count)
        return (centres[labels] + np.random.randn(count, width)).astype("float32"), labels


    def digest(weights):
        print(hashlib.sha256(b"".join(np.asarray(weight).tobytes() for weight in weights)).hexdigest())


"""

TAPE = """
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.fc1 = layers.Dense(16)
            self.drop = layers.Dropout(0.3)
            self.fc2 = layers.Dense(4)

        def call(self, x, training=False):
            hidden = tf.nn.relu(self.fc1(x))
            return self.fc2(self.drop(hidden, training=training))


    x, y = blobs(256)
    model = Net()
    criterion = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.Adam(0.01)


    def step(rows, labels):
        with tf.GradientTape() as tape:
            loss = criterion(labels, model(rows, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss


    COMPILE
    for epoch in range(4):
        for start in range(0, 256, 32):
            loss = step(x[start:start + 32], y[start:start + 32])
        print(epoch, float(loss), float(criterion(y, model(x, training=False))))
    digest(model.get_weights())
"""

FIT = """
    x, y = blobs(500)
    model = keras.Sequential([
        keras.Input((8,)),
        layers.Dense(16, activation="relu"),
        layers.BatchNormalization(),
        layers.Dropout(0.2),
        layers.Dense(4, activation="softmax"),
    ])
    model.compile(optimizer=keras.optimizers.SGD(0.05, momentum=0.9), loss="sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    history = model.fit(x, y, epochs=4, batch_size=32, validation_split=0.2, verbose=2)
    print(history.history)
    digest(model.get_weights())
"""

SESSION = """
    import tensorflow.compat.v1 as tf

    tf.disable_eager_execution()
    tf.set_random_seed(3)
    x, y = blobs(256)
    rows, labels = tf.placeholder(tf.float32, [None, 8]), tf.placeholder(tf.int64, [None])
    w1, b1 = tf.get_variable("w1", [8, 16]), tf.get_variable("b1", [16], initializer=tf.zeros_initializer())
    w2, b2 = tf.get_variable("w2", [16, 4]), tf.get_variable("b2", [4], initializer=tf.zeros_initializer())
    hidden = tf.nn.relu(tf.matmul(rows, w1) + b1)
    DROPOUT
    logits = tf.matmul(hidden, w2) + b2
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for epoch in range(6):
            for start in range(0, 256, 32):
                _, value = session.run([train, loss], {rows: x[start:start + 32], labels: y[start:start + 32]})
            print(epoch, value)
        digest(session.run([w1, b1, w2, b2]))
"""


class KerasPrograms(Watching):
    """Tests of one version; the classes at the end name it."""

    environment = None
    interpreter = None

    @classmethod
    def setUpClass(cls):
        shown = subprocess.run([BINARY, "--root", ROOT, "env", "show", cls.environment, "--json"], text=True,
                               capture_output=True, check=True)
        folder = json.loads(shown.stdout).get("folder")
        cls.interpreter = folder and os.path.join(folder, "bin", "python3")

    def setUp(self):
        super().setUp()
        if not self.interpreter:
            self.skipTest(f"the environment {self.environment} is not built")

    def program(self, text):
        return textwrap.dedent(START).lstrip("\n") + textwrap.dedent(text).lstrip("\n")

    def run_program(self, text, *arguments, probe=True, every=0):
        self.write("train.py", self.program(text))
        environment = {**QUIET, **({"FAULTLINE_WATCH_EVERY": str(every)} if every and probe else {})}
        run = self.start([self.interpreter, "train.py", *arguments], probe, environment)
        self.assertEqual([], run.all("problem"), run.errors)
        return run

    def findings(self, text):
        """What watch says: (rule, severity, message, line of the program)."""
        self.write("train.py", self.program(text))
        done = subprocess.run([BINARY, "watch", "--format", "json", "--severity", "info", "--", self.interpreter,
                               "train.py"], cwd=self.folder, text=True, capture_output=True, timeout=400,
                              env={**os.environ, **QUIET})
        try:
            found = json.loads(done.stdout)
        except ValueError:
            self.fail(f"no answer: {done.stdout[-1000:]}{done.stderr[-3000:]}")
        self.errors = done.stderr
        return found

    def assert_found(self, rule, text, words=(), line="", severities=("warning", "error")):
        found = self.findings(text)
        wanted = [one for one in found if one["rule"] == rule and one["severity"] in severities]
        self.assertTrue(wanted, f"{[(one['rule'], one['severity'], one['message']) for one in found]} {self.errors}")
        for word in words:
            self.assertIn(word, wanted[0]["message"])
        if line:
            lines = self.program(text).splitlines()
            self.assertIn(line, lines[wanted[0]["line"] - 1])

    def assert_silent(self, text):
        found = self.findings(text)
        self.assertRegex(self.errors, r"\d+ training steps")
        self.assertNotIn("Traceback", self.errors)
        loud = [(one["rule"], one["message"], one.get("notes")) for one in found if one["severity"] != "info"]
        self.assertEqual([], loud)


class Numbers:
    def assert_same(self, text):
        without = self.run_program(text, probe=False)
        self.assertEqual(0, without.status, without.errors)
        for every in (0, 1):
            watched = self.run_program(text, every=every)
            self.assertEqual((0, without.output), (watched.status, watched.output), watched.errors)
            self.assertGreater(len(watched.all("step")), 20)
        return watched

    def test_fit_gives_the_same_numbers(self):
        self.assert_same(FIT.replace("verbose=2", "verbose=0"))

    def test_a_tape_gives_the_same_numbers(self):
        self.assert_same(TAPE.replace("COMPILE", ""))

    def test_a_compiled_tape_gives_the_same_numbers(self):
        self.assert_same(TAPE.replace("COMPILE", "step = tf.function(step)"))

    def test_a_session_gives_the_same_numbers(self):
        for dropout in ("", "hidden = tf.nn.dropout(hidden, rate=0.3)"):
            self.assert_same(SESSION.replace("DROPOUT", dropout))

    def test_layers_with_states_of_random_numbers_give_the_same_numbers(self):
        self.assert_same("""
            class Noisy(layers.Layer):
                def call(self, x):
                    return x + tf.random.normal(tf.shape(x), stddev=0.1)


            x, y = blobs(256)
            model = keras.Sequential([
                keras.Input((8,)), Noisy(), layers.GaussianNoise(0.1), layers.Dense(16, activation="relu"),
                layers.Dropout(0.2, seed=3), layers.Dropout(0.2), layers.Dense(4)])
            model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
            data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(256).batch(32)
            model.fit(data, epochs=5, verbose=0)
            for _ in range(3):
                print(model.train_on_batch(x, y))
            digest(model.get_weights())
            print(tf.random.uniform([]).numpy(), np.random.rand())
        """)

    def test_recurrent_and_convolutional_models_give_the_same_numbers(self):
        self.assert_same("""
            x = np.random.rand(128, 12, 12, 1).astype("float32")
            y = (x.mean(axis=(1, 2, 3)) > 0.5).astype("float32")
            model = keras.Sequential([
                keras.Input((12, 12, 1)), layers.Conv2D(4, 3, activation="relu"), layers.MaxPooling2D(),
                layers.Reshape((5, 20)), layers.LSTM(8), layers.Dense(1, activation="sigmoid")])
            model.compile("rmsprop", "binary_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=6, verbose=0)
            digest(model.get_weights())
        """)


class Records:
    def test_layers_losses_and_steps_of_fit(self):
        run = self.run_program(FIT)
        layers = {layer["kind"]: layer for layer in run.all("layer") if layer["called"]}
        self.assertEqual(["BatchNormalization", "Dense", "Dropout"], sorted(layers))
        self.assertEqual([0, 1, 2, 3], sorted({layer["order"] for layer in run.all("layer") if layer["called"]}))
        first = run.layer(0)
        self.assertEqual('layers.Dense(16, activation="relu"),', first["site"]["text"])
        self.assertEqual(["kernel", "bias"], first["parameters"])
        self.assertEqual([True, True], first["optimised"])
        self.assertEqual(("relu", 16, 8), tuple(first["settings"][key] for key in ("activation", "units",
                                                                                   "in_features")))
        self.assertEqual([1], run.layer(2)["settings"]["fed_by"])
        loss = run.all("loss")[0]
        self.assertEqual(("sparse_categorical_crossentropy", "mean"), (loss["kind"], loss["reduction"]))
        self.assertIn("model.compile", loss["site"]["text"])
        self.assertEqual([32, 8], loss["input"]["shape"])
        self.assertAlmostEqual(1, loss["prediction"]["row_sum_max"], places=4)
        self.assertEqual(32, sum(loss["target"]["class_counts"]))
        steps = run.all("step")
        self.assertEqual([0] * 13 + [1] * 13 + [2] * 13 + [3] * 13, [step["epoch"] for step in steps])
        self.assertLess(steps[-1]["loss"], steps[0]["loss"])
        self.assertAlmostEqual(0.05, steps[0]["rate"], places=6)
        self.assertEqual(4, len(run.all("evaluation")))
        self.assertGreater(run.all("evaluation")[-1]["accuracy"], 0.8)
        optimizer = run.one("optimizer")
        self.assertEqual("SGD", optimizer["kind"])
        self.assertIn("keras.optimizers.SGD", optimizer["site"]["text"])
        self.assertAlmostEqual(0.05, optimizer["settings"]["lr"], places=6)
        roles = {(one["role"], one["slot"]) for one in run.all("tensor", step=0, layer=0)}
        self.assertEqual({("input", 0), ("output", 0), ("weight", 0), ("weight", 1), ("gradient", 0), ("gradient", 1),
                          ("update", 0), ("update", 1)}, roles)
        self.assertEqual({"status": 0, "steps": 52}, {key: run.one("end")[key] for key in ("status", "steps")})

    def test_a_tape_and_a_compiled_tape_are_seen_alike(self):
        eager = self.run_program(TAPE.replace("COMPILE", ""))
        compiled = self.run_program(TAPE.replace("COMPILE", "step = tf.function(step)"))
        for run in (eager, compiled):
            layers = sorted((layer["order"], layer["kind"], layer["site"]["text"]) for layer in run.all("layer")
                            if layer["called"])
            self.assertEqual([(0, "Dense", "self.fc1 = layers.Dense(16)"),
                              (1, "relu", "hidden = tf.nn.relu(self.fc1(x))"),
                              (2, "Dropout", "self.drop = layers.Dropout(0.3)"),
                              (3, "Dense", "self.fc2 = layers.Dense(4)")], sorted(set(layers)))
            loss = run.all("loss")[0]
            self.assertEqual("softmax_cross_entropy", loss["kind"])
            self.assertIn("loss = criterion(", loss["site"]["text"])
            self.assertEqual([0] * 8 + [1] * 8 + [2] * 8 + [3] * 8, [step["epoch"] for step in run.all("step")])
            self.assertEqual(4, len(run.all("evaluation")))
        with_loss = [step["loss"] for step in compiled.all("step")]
        self.assertEqual(with_loss, [loss for loss in with_loss if isinstance(loss, float)])
        first = [next(one for one in run.all("tensor", step=0, role="gradient", slot=0)) for run in (eager, compiled)]
        self.assertAlmostEqual(first[0]["norm"], first[1]["norm"], delta=0.5 * first[0]["norm"])  # another dropout

    def test_a_session_is_seen(self):
        run = self.run_program(SESSION.replace("DROPOUT", ""))
        names = {layer["name"]: layer for layer in run.all("layer")}
        self.assertEqual({"relu", "w1", "b1", "w2", "b2"}, set(names))
        self.assertIn("w1, b1 =", names["w1"]["site"]["text"])
        self.assertEqual([True], names["w1"]["optimised"])
        self.assertEqual("softmax_cross_entropy", run.all("loss")[0]["kind"])
        self.assertAlmostEqual(0.01, run.all("step")[0]["rate"], places=6)
        roles = {one["role"] for one in run.all("tensor", step=0, layer=names["w1"]["id"])}
        self.assertEqual({"weight", "gradient", "update"}, roles)

    def test_a_crash_names_the_layer(self):
        run = self.run_program("""
            x = np.random.rand(64, 5).astype("float32")
            model = keras.Sequential([keras.Input((8,)), layers.Dense(4), layers.Dense(1)])
            model.compile("adam", "mse")
            model.fit(x, np.zeros((64, 1)), verbose=0)
        """)
        crash = run.one("crash")
        self.assertEqual("ValueError", crash["exception"])
        self.assertIn("model.fit", crash["frames"][-1]["text"])
        self.assertEqual(1, run.one("end")["status"])

    def test_a_program_that_only_imports_it_is_left_alone(self):
        run = self.run_program("print(tf.reduce_sum(tf.ones([3])).numpy())")
        self.assertEqual((0, "3.0\n"), (run.status, run.output), run.errors)
        self.assertEqual(["start", "end"], [event["event"] for event in run.events])


class Faults:
    def test_softmax_over_one_unit(self):
        self.assert_found("TR051", """
            x, y = blobs(400, classes=2)
            model = keras.Sequential([
                keras.Input((8,)),
                layers.Dense(16, activation="relu"),
                layers.Dense(1, activation="softmax"),
            ])
            model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=6, verbose=0)
        """, ["softmax over a single unit"], 'layers.Dense(1, activation="softmax")')

    def test_a_learning_rate_of_zero(self):
        self.assert_found("TR017", """
            x, y = blobs(400)
            model = keras.Sequential([keras.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(4)])
            model.compile(keras.optimizers.Adam(0.0), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
            model.fit(x, y, epochs=6, verbose=0)
        """, ["too small to change a weight"], "model.compile(keras.optimizers.Adam(0.0)")

    def test_a_logarithm_of_zero_in_a_loss(self):
        for compiled in ("", "step = tf.function(step)"):
            text = """
                x, y = blobs(256, classes=2)
                x[:, 0] = 0
                model = keras.Sequential([keras.Input((8,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
                optimizer = keras.optimizers.SGD(0.01)


                def step(rows, labels):
                    with tf.GradientTape() as tape:
                        output = model(rows, training=True)
                        distance = tf.nn.relu(output)
                        loss = tf.reduce_mean(tf.square(tf.math.log(distance) - labels))
                    gradients = tape.gradient(loss, model.trainable_variables)
                    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
                    return loss


                COMPILE
                for _ in range(30):
                    step(x[:32], y[:32, None].astype("float32"))
            """.replace("COMPILE", compiled)
            self.assert_found("TR001", text, ["`Log`", "infinite"], "tf.math.log(distance)")

    def test_a_nan_inside_a_layer_of_fit(self):
        self.assert_found("TR001", """
            class Root(layers.Layer):
                def call(self, x):
                    return tf.sqrt(x)


            x, y = blobs(256)
            model = keras.Sequential([
                keras.Input((8,)), layers.Dense(8), Root(name="root"), layers.Dense(4, activation="softmax")])
            model.compile("adam", "sparse_categorical_crossentropy")
            model.fit(x, y, epochs=4, verbose=0)
        """, ["`Sqrt`", "not a number"], "return tf.sqrt(x)")

    def test_nan_in_the_data(self):
        self.assert_found("TR002", """
            x, y = blobs(256)
            x[::7, 3] = np.nan
            model = keras.Sequential([keras.Input((8,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
            model.compile("adam", "mse")
            model.fit(x, y.astype("float32"), epochs=4, verbose=0)
        """, ["the input of the model contains NaN"])

    def test_dead_units(self):
        self.assert_found("TR013", """
            x, y = blobs(400)
            model = keras.Sequential([
                keras.Input((8,)),
                layers.Dense(16, activation="relu", bias_initializer=keras.initializers.Constant(-100)),
                layers.Dense(4),
            ])
            model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
            model.fit(x, y, epochs=5, verbose=0)
        """, ["give zero for every sample"], "layers.Dense(16")

    def test_layers_frozen_too_late(self):
        self.assert_found("TR077", """
            x, y = blobs(400)
            model = keras.Sequential([
                keras.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(4, activation="softmax")])
            model.compile("adam", "sparse_categorical_crossentropy")
            model.fit(x, y, epochs=2, verbose=0)
            model.layers[0].trainable = False
            model.fit(x, y, epochs=2, verbose=0)
        """, ["1 frozen layers are trained anyway"])

    def test_softmax_before_a_loss_of_logits(self):
        self.assert_found("TR053", """
            x, y = blobs(400)
            model = keras.Sequential([
                keras.Input((8,)),
                layers.Dense(16, activation="relu"),
                layers.Dense(4, activation="softmax"),
            ])
            model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
            model.fit(x, y, epochs=5, verbose=0)
        """, ["applies softmax itself"], 'layers.Dense(4, activation="softmax")')

    def test_sigmoid_before_a_loss_of_logits(self):
        self.assert_found("TR060", """
            x, y = blobs(400, classes=2)
            model = keras.Sequential([
                keras.Input((8,)),
                layers.Dense(16, activation="relu"),
                layers.Dense(1, activation="sigmoid"),
            ])
            model.compile("adam", keras.losses.BinaryCrossentropy(from_logits=True))
            model.fit(x, y, epochs=5, verbose=0)
        """, ["applies sigmoid itself"], 'layers.Dense(1, activation="sigmoid")')

    def test_logits_in_a_loss_of_probabilities(self):
        self.assert_found("TR025", """
            x, y = blobs(400)
            model = keras.Sequential([
                keras.Input((8,)),
                layers.Dense(16, activation="relu"),
                layers.Dense(4),
            ])
            model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=5, verbose=0)
        """, ["takes probabilities, but the rows do not sum to 1"], "layers.Dense(4)")

    def test_unscaled_inputs(self):
        self.assert_found("TR003", """
            x, y = blobs(400)
            x = (x * 1000 + 40000).astype("float32")
            model = keras.Sequential([
                keras.Input((8,)), layers.Dense(16, activation="sigmoid"), layers.Dense(4, activation="softmax")])
            model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=10, verbose=0)
        """, ["the inputs range from"])

    def test_a_loss_that_explodes(self):
        found = self.findings("""
            x = np.random.randn(400, 8).astype("float32")
            y = x.sum(axis=1, keepdims=True)
            model = keras.Sequential([keras.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(1)])
            model.compile(keras.optimizers.SGD(2.0), "mse")
            model.fit(x, y, epochs=5, verbose=0)
        """)
        self.assertTrue({"TR001", "TR016", "TR019", "TR017"} & {one["rule"] for one in found
                                                             if one["severity"] != "info"}, found)

    def test_a_layer_without_a_gradient(self):
        self.assert_found("TR046", """
            class Net(keras.Model):
                def __init__(self):
                    super().__init__()
                    self.inner = layers.Dense(8, activation="relu")
                    self.lost = layers.Dense(8, activation="relu")
                    self.head = layers.Dense(4, activation="softmax")

                def call(self, x):
                    hidden = self.inner(x)
                    self.lost(hidden)
                    return self.head(hidden)


            x, y = blobs(400)
            model = Net()
            model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=4, verbose=0)
        """, ["does not reach the loss"], "self.lost = layers.Dense(8")

    def test_labels_of_one_class(self):
        found = self.findings("""
            x, _ = blobs(400)
            y = np.zeros(400, dtype="int64")
            y[5] = 3
            model = keras.Sequential([
                keras.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(4, activation="softmax")])
            model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=8, verbose=0)
        """)
        self.assertIn("TR005", [one["rule"] for one in found])

    def test_saturated_sigmoids(self):
        self.assert_found("TR014", """
            x, y = blobs(400)
            wide = keras.initializers.RandomNormal(stddev=60.0)
            model = keras.Sequential([
                keras.Input((8,)),
                layers.Dense(16, activation="sigmoid", kernel_initializer=wide),
                layers.Dense(16, activation="sigmoid", kernel_initializer=wide),
                layers.Dense(4, activation="softmax"),
            ])
            np.random.shuffle(y)
            model.compile(keras.optimizers.SGD(0.001), "sparse_categorical_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=10, verbose=0)
        """, ["at the ends of the range of sigmoid"], 'layers.Dense(16, activation="sigmoid"', ("info", "warning"))

    def test_a_loss_that_never_falls(self):
        self.assert_found("TR018", """
            x = np.random.randn(640, 8).astype("float32")
            y = np.random.randint(0, 4, 640)
            model = keras.Sequential([
                keras.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(4, activation="softmax")])
            model.compile(keras.optimizers.SGD(0.001), "sparse_categorical_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=12, verbose=0)
        """, ["the loss does not fall"])

    def test_targets_beyond_the_last_activation(self):
        self.assert_found("TR006", """
            x = np.random.randn(400, 8).astype("float32")
            y = 10 * x.sum(axis=1)
            model = keras.Sequential([
                keras.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(1, activation="sigmoid")])
            model.compile("adam", "mse")
            model.fit(x, y, epochs=4, verbose=0)
        """, ["targets range from"])

    def test_weights_that_start_equal(self):
        self.assert_found("TR012", """
            x, y = blobs(400)
            model = keras.Sequential([
                keras.Input((8,)),
                layers.Dense(16, activation="relu", kernel_initializer="ones"),
                layers.Dense(4, activation="softmax"),
            ])
            model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=4, verbose=0)
        """, ["start with the same value"], "kernel_initializer=\"ones\"")

    def test_each_with_each_in_a_session(self):
        self.assert_found("TR054", """
            import tensorflow.compat.v1 as tf

            tf.disable_eager_execution()
            x = np.random.randn(256, 8).astype("float32")
            rows, wanted = tf.placeholder(tf.float32, [None, 8]), tf.placeholder(tf.float32, [None])
            weight = tf.get_variable("weight", [8, 1])
            loss = tf.losses.mean_squared_error(wanted[:, None], tf.matmul(rows, weight))
            loss = tf.reduce_mean(keras.losses.mean_squared_error(wanted, tf.matmul(rows, weight)))
            train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for _ in range(30):
                    session.run(train, {rows: x, wanted: x.sum(axis=1)})
        """) if self.environment == "keras2" else self.skipTest("Keras 3 brings the shapes together")


class Healthy:
    def test_fit(self):
        self.assert_silent(FIT)

    def test_a_tape(self):
        self.assert_silent(TAPE.replace("COMPILE", "").replace("range(4)", "range(12)"))

    def test_a_compiled_tape(self):
        self.assert_silent(TAPE.replace("COMPILE", "step = tf.function(step)").replace("range(4)", "range(12)"))

    def test_a_session(self):
        self.assert_silent(SESSION.replace("DROPOUT", "").replace("range(6)", "range(20)"))

    def test_a_regression_with_a_data_set(self):
        self.assert_silent("""
            x = np.random.randn(600, 6).astype("float32")
            y = x @ np.arange(6, dtype="float32")[:, None] / 5
            given = keras.Input((6,))
            hidden = layers.Dense(32, activation="tanh")(given)
            hidden = layers.Dense(32, activation="tanh")(hidden)
            model = keras.Model(given, layers.Dense(1)(hidden))
            model.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"])
            data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(600, seed=1).batch(30).prefetch(2)
            model.fit(data, epochs=10, verbose=0)
            model.evaluate(data, verbose=0)
            model.predict(x, verbose=0)
        """)

    def test_a_convolutional_model(self):
        self.assert_silent("""
            y = np.random.randint(0, 2, 400)
            x = np.random.rand(400, 16, 16, 1).astype("float32") * 0.3
            for row, label in enumerate(y):
                x[row, 4:12, 4 + 4 * label] += 1
            model = keras.Sequential([
                keras.Input((16, 16, 1)),
                layers.Conv2D(8, 3, padding="same"),
                layers.BatchNormalization(),
                layers.ReLU(),
                layers.MaxPooling2D(),
                layers.Conv2D(16, 3, activation="relu"),
                layers.GlobalAveragePooling2D(),
                layers.Dense(1, activation="sigmoid"),
            ])
            model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", metrics=["accuracy"])
            model.fit(x, y, epochs=8, batch_size=20, validation_split=0.2, verbose=0)
        """)

    def test_a_recurrent_model(self):
        self.assert_silent("""
            x = np.random.randint(1, 20, (600, 10))
            y = (x[:, :5].sum(axis=1) > x[:, 5:].sum(axis=1)).astype("float32")
            model = keras.Sequential([
                keras.Input((10,)),
                layers.Embedding(20, 8),
                layers.LSTM(16),
                layers.Dense(1),
            ])
            model.compile(keras.optimizers.Adam(0.01), keras.losses.BinaryCrossentropy(from_logits=True),
                          metrics=["accuracy"])
            model.fit(x, y, epochs=15, verbose=0)
        """)

    def test_two_optimizers(self):
        self.assert_silent("""
            maker = keras.Sequential([keras.Input((4,)), layers.Dense(16, activation="relu"), layers.Dense(2)])
            judge = keras.Sequential([keras.Input((2,)), layers.Dense(16), layers.LeakyReLU(), layers.Dense(1)])
            first, second = keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3)
            entropy = keras.losses.BinaryCrossentropy(from_logits=True)


            @tf.function
            def step(real):
                noise = tf.random.normal([32, 4])
                with tf.GradientTape() as one, tf.GradientTape() as two:
                    made = maker(noise, training=True)
                    yes, no = judge(real, training=True), judge(made, training=True)
                    judged = entropy(tf.ones_like(yes), yes) + entropy(tf.zeros_like(no), no)
                    fooled = entropy(tf.ones_like(no), no)
                first.apply_gradients(zip(one.gradient(fooled, maker.trainable_variables), maker.trainable_variables))
                second.apply_gradients(zip(two.gradient(judged, judge.trainable_variables), judge.trainable_variables))


            for _ in range(150):
                step(np.random.randn(32, 2).astype("float32") + 1)
        """)


class Keras2(Numbers, Records, Faults, Healthy, KerasPrograms):
    environment = "keras2"


class Keras3(Numbers, Records, Faults, Healthy, KerasPrograms):
    environment = "keras3"


if __name__ == "__main__":
    unittest.main()
