import numpy as np

import oracle

houses = oracle.load("houses")
path = oracle.call(houses.train)
offers, actual = oracle.call(houses.sales, 200, 18)
priced = np.asarray(oracle.call(houses.price, offers, path))
oracle.check(priced.shape == (200,), f"{priced.shape} prices for 200 houses")
error = float(np.abs(priced - actual[:, 0]).mean())
print(f"prices are off by {error:.1f} thousand")
oracle.check(error <= 20, f"the prices are off by {error:.1f} thousand, expected at most 20")
single = float(np.asarray(oracle.call(houses.price, [98, 4, 12]))[0])
oracle.check(abs(single - 281.6) <= 30, f"98 square metres, 4 rooms, 12 years: {single:.0f} thousand")
