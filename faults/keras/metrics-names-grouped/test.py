from sklearn.metrics import log_loss, precision_score, recall_score, roc_auc_score

import oracle

compare = oracle.load("compare")
data = oracle.call(compare.load_data)
x_test, y_test = data[1], data[3]

chosen, table = oracle.call(compare.compare, {"linear": [], "narrow": [6]}, data, epochs=3)
oracle.check(set(table) == {"linear", "narrow"}, f"the table has {sorted(table)}")
oracle.check(table[chosen]["auc"] == max(row["auc"] for row in table.values()), f"{chosen} was chosen, which has not the best AUC")

network = oracle.call(compare.make_network, [8])
oracle.call(network.fit, data[0], data[2], epochs=3, verbose=0)
scores = oracle.call(compare.score, network, x_test, y_test)
chances = oracle.call(network.predict, x_test, verbose=0)[:, 0].astype(float)
flagged = chances > 0.5
expected = {
    "loss": log_loss(y_test, chances.clip(1e-7, 1 - 1e-7)),
    "accuracy": (flagged == y_test).mean(),
    "precision": precision_score(y_test, flagged),
    "recall": recall_score(y_test, flagged),
    "auc": roc_auc_score(y_test, chances),
}
print("scores:", {name: round(value, 3) for name, value in scores.items()})
for name, value in expected.items():
    oracle.check(
        name in scores and abs(scores[name] - value) <= 0.02,
        f"the scores do not tell the {name}, which is {value:.3f}: there is only {', '.join(sorted(scores))}",
    )
