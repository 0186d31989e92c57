import oracle

progression = oracle.load("progression")
known, held_out = oracle.call(progression.load_patients)
model = oracle.call(progression.build_model, known[0].shape[1])
history = oracle.call(progression.train, model, known, held_out)

errors = history["val_loss"]
best = min(errors)
kept = oracle.call(model.evaluate, *held_out, verbose=0)
print(f"best epoch {best:.3f}, kept model {kept:.3f}, after {len(errors)} epochs")
oracle.check(len(errors) >= 10 and best <= 0.65, f"the best of {len(errors)} epochs has error {best:.3f}, expected at most 0.65")
oracle.check(
    kept <= 1.05 * best + 0.005,
    f"the best epoch is lost: the model that is kept has error {kept:.3f}, its best epoch had {best:.3f}",
)
