import oracle

scores = oracle.load("scores")
training, validation = oracle.call(scores.load_data)
best, losses, restored = oracle.call(scores.fit, training, validation)
print(f"best epoch {best} of {len(losses)} with {losses[best]:.3f}, last {losses[-1]:.3f}, restored {restored:.3f}")
oracle.check(len(losses) >= 30 and best < len(losses) - 8, f"epoch {best} of {len(losses)} is the best: the study did not overfit")
oracle.check(losses[best] == min(losses), f"epoch {best} is not the one with the lowest loss")
oracle.check(abs(restored - losses[best]) < 1e-4, f"the restored model has loss {restored:.4f}, the best epoch had {losses[best]:.4f}")
