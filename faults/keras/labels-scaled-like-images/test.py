import numpy
import oracle
from sklearn.datasets import load_digits

digits = load_digits()
images = digits.images.astype("float32")
program = oracle.load("digits_cnn")
model = oracle.call(program.train)
recognised = numpy.array(oracle.call(program.recognise, model, images))
oracle.check(recognised.shape == digits.target.shape, f"{recognised.shape} answers for 1797 images")
accuracy = float(numpy.mean(recognised == digits.target))
found = len(set(recognised.tolist()))
print(f"{accuracy:.3f} of the images are recognised, as {found} different digits")
oracle.check(accuracy >= 0.8, f"{accuracy:.3f} of the images are recognised, as {found} different digits")
