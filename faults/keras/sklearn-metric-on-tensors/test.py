import numpy
import oracle
from sklearn.metrics import roc_auc_score

churn = oracle.load("churn")
customers, leaves = oracle.call(churn.make_customers, 900)
network = oracle.call(churn.build_network)
training, validation = (customers[:600], leaves[:600]), (customers[600:], leaves[600:])
history = oracle.call(churn.train, network, training, validation, 6)

oracle.check("val_auc" in history, f"the history knows {sorted(history)}, but no val_auc")
reported = [float(value) for value in history["val_auc"]]
oracle.check(len(reported) == 6, f"{len(reported)} values of val_auc after 6 epochs")
scores = numpy.array(network.predict(validation[0], verbose=0)).ravel()
actual = roc_auc_score(validation[1], scores)
print(f"area under the curve {actual:.3f}, reported {reported[-1]:.3f}")
oracle.check(
    abs(reported[-1] - actual) < 0.02, f"val_auc is {reported[-1]:.3f}, the area is {actual:.3f}"
)
oracle.check(actual > 0.8, f"the network has not learned: area {actual:.3f}")
