import numpy as np
import oracle


@oracle.inside
def look(vae, images):
    """Mean and variance of each image's Gaussian, and the images that come back."""
    import numpy

    mean, log_var, _ = vae.encoder(images)
    return numpy.asarray(mean), numpy.asarray(log_var), numpy.asarray(vae(images))


program = oracle.load("vae")
training, testing = oracle.call(program.load_images)
vae, history = oracle.call(program.fit, training, 30)
mean, log_var, rebuilt = look(vae, testing)

plain = np.mean((testing - training.mean(axis=0)) ** 2)
share = np.mean((rebuilt - testing) ** 2) / plain
kl = np.mean(-0.5 * np.sum(1 + log_var - mean**2 - np.exp(log_var), axis=1))
print(f"error {share:.3f} of that of the mean image, {kl:.2f} nats per image")
oracle.check(share <= 0.75, f"what comes back is the mean image: {share:.2f} of its error")
oracle.check(0.5 <= kl <= 25, f"images are far from the prior: {kl:.1f} nats")
