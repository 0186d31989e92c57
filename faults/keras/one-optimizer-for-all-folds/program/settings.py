"""Everything that is worth changing between two experiments."""

from tensorflow import keras

FOLDS = 3
EPOCHS = 15
BATCH_SIZE = 32
HIDDEN = (16, 8)
DROPOUT = 0.1

LOSS = "binary_crossentropy"
OPTIMIZER = keras.optimizers.Adam(learning_rate=5e-3)
METRICS = ["accuracy"]
