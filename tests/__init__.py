"""Tests of the packages; each process of a run on several has one thread for linear algebra."""

import os

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
