import numpy
import oracle

gestures = oracle.load("gestures")
drawings, labels = oracle.call(gestures.load_folders)
model, history = oracle.call(gestures.train, drawings, labels)

drawings, labels = oracle.call(gestures.load_folders, 40)
answers = numpy.array(model.predict(drawings, verbose=0)).argmax(axis=1)
shares = [float(numpy.mean(answers[labels == number] == number)) for number in range(5)]
print("recognised:", *(f"{share:.2f}" for share in shares))
oracle.check(
    min(shares) >= 0.8,
    f"of one of the gestures {min(shares):.2f} of the drawings are recognised, of another {max(shares):.2f}",
)
oracle.check("val_accuracy" in history, "nothing was held back for validation")
watched = float(history["val_accuracy"][-1])
oracle.check(
    abs(watched - numpy.mean(shares)) < 0.12,
    f"validation says {watched:.2f}, on new drawings it is {numpy.mean(shares):.2f}",
)
