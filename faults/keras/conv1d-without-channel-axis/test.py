import numpy
import oracle


@oracle.inside
def kernel_ranks(model):
    """The number of dimensions of every kernel; that of a convolution along one axis has three."""
    return [len(weight.shape) for weight in model.weights]


tumour = oracle.load("tumour_cnn")
model, predicted, actual = oracle.call(tumour.run)
predicted, actual = numpy.array(predicted, bool), numpy.array(actual, bool)
oracle.check(
    predicted.shape == actual.shape and 100 <= len(actual) <= 300,
    f"{predicted.shape} predictions for {actual.shape} tumours",
)
oracle.check(20 <= numpy.sum(~actual) < numpy.sum(actual), "the tumours are not those of the data set")
accuracy = float(numpy.mean(predicted == actual))
print(f"accuracy {accuracy:.3f}")
oracle.check(accuracy >= 0.85, f"accuracy {accuracy:.3f}, expected at least 0.85")
oracle.check(3 in kernel_ranks(model), "the model does not convolve any more")
