import oracle

leaks = oracle.load("leaks")
train, validation, test = oracle.call(leaks.make_survey)
model = oracle.call(leaks.make_model, train[1])
history = oracle.call(leaks.fit, model, train, validation)
best = max(history["val_recall"]) if "val_recall" in history else 0.0
features, labels = test
flagged = oracle.call(model.predict, features, verbose=0)[:, 0] > 0.5
found = flagged[labels[:, 0] == 1].mean()
wrong = flagged[labels[:, 0] == 0].mean()
print(f"{len(history['loss'])} epochs, best validation recall {best:.2f}; test: {found:.2f} found, {wrong:.3f} false alarms")
oracle.check(found >= 0.4, f"the model that is kept finds {found:.2f} of the leaks, expected at least 0.4")
oracle.check(wrong <= 0.1, f"{wrong:.2f} of the sound pipes are flagged")
