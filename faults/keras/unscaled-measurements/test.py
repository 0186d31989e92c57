import numpy
import oracle

wine = oracle.load("wine")
train_x, test_x, train_y, test_y = oracle.call(wine.load)
network = oracle.call(wine.WineNetwork)
oracle.call(network.fit, train_x, train_y)
named = numpy.array(oracle.call(network.predict, test_x))
test_y = numpy.array(test_y)
oracle.check(
    named.shape == test_y.shape and 40 <= len(test_y) <= 80 and len(set(test_y.tolist())) == 3,
    f"{named.shape} answers for {test_y.shape} wines",
)
accuracy = float(numpy.mean(named == test_y))
print(f"{accuracy:.3f} of the wines are recognised")
oracle.check(accuracy >= 0.85, f"only {accuracy:.3f} of the wines are recognised")

# A wine at a time must do as well: nothing may be scaled by the wines that are asked about.
alone = [str(oracle.call(network.predict, test_x[row : row + 1])[0]) for row in range(0, 40, 8)]
oracle.check(
    alone == named[0:40:8].tolist(), f"wines asked about alone are {alone}, together {named[0:40:8]}"
)
