"""Reads the NPY files that the example `npy` writes, with numpy alone: python3 read_npy.py FOLDER"""

import sys

import numpy as np

folder = sys.argv[1] if len(sys.argv) > 1 else "/tmp"
cold = np.load(f"{folder}/cold.npy", mmap_mode="r")
nim = np.load(f"{folder}/nim.npy", mmap_mode="r")

# A position is cold exactly when its nim-value is 0.
assert np.array_equal(np.flatnonzero(nim == 0), cold)
counts = np.bincount(nim)
print(f"{cold.size} cold positions below {nim.size}, the largest {cold[-1]}")
print(f"largest nim-value {nim.max()}, first at {nim.argmax()}")
print(f"mod 5: {np.bincount(cold % 5, minlength=5)}")
