"""Entries on a cluster of two processes."""

import os
import signal
import tempfile
import unittest

import dask
import dask.array as da
import dask.dataframe as dd
import numpy
import pandas
from distributed import Client, LocalCluster

import arrc
import arrc.dask

SOURCE = r"""
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let gts = filter (> 0) xs
  in (map (/ reduce (+) 0 xs) xs, map (/ reduce (+) 0 gts) xs)
entry counts [n] (k: i64) (xs: [n]i64): [k]i64 = hist (+) 0 k xs (map (\_ -> 1) xs)
"""


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
        cls.client = Client(cls.cluster)
        cls.module = arrc.compile(source=SOURCE, opt_level=1)
        cls.xs = numpy.random.default_rng(3).integers(-5, 50, 1_000_000)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def test_results(self):
        xs = da.from_array(self.xs, chunks=100_000)
        found = dask.compute(*arrc.dask.run(self.module.normalize2, xs))
        for one, other in zip(found, self.module.normalize2(self.xs)):
            numpy.testing.assert_array_equal(one, other)
        counts = arrc.dask.run(self.module.counts, 50, xs).compute()
        numpy.testing.assert_array_equal(counts, self.module.counts(50, self.xs))

    def test_columns_of_tables(self):
        frame = pandas.DataFrame({"a": self.xs, "b": self.xs * 2})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.parquet")
            frame.to_parquet(path, row_group_size=100_000)
            for table in (dd.read_parquet(path, split_row_groups=True), dd.from_pandas(frame, npartitions=4)):
                counts = arrc.dask.run(self.module.counts, 50, table["a"]).compute()
                numpy.testing.assert_array_equal(counts, self.module.counts(50, self.xs))

    def test_a_file_and_a_worker_that_dies(self):
        with tempfile.TemporaryDirectory() as folder, dask.config.set({"array.chunk-size": "256 KiB"}):
            path = os.path.join(folder, "xs.npy")
            numpy.save(path, self.xs)
            sums = [result.sum() for result in arrc.dask.run(self.module.normalize2, path)]
            futures = self.client.compute(sums)
            victim = next(iter(self.client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            found = [future.result(timeout=120) for future in futures]
        self.assertEqual(found, [int(result.sum()) for result in self.module.normalize2(self.xs)])


if __name__ == "__main__":
    unittest.main()
