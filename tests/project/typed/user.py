"""What a user writes: a type checker finds nothing wrong with it, and knows the type of all."""

import numpy as np

import modern
import shadersort as ss

keys = np.random.default_rng(1).random(1 << 10, np.float32)
whole = np.arange(100)

# sorting
shown = ss.sort(keys)
shown_1 = ss.sort([3.0, 1.0], network="bitonic", method="fragment", device="software")
shown_2 = ss.argsort(keys, method="auto", descending=True)
shown_3 = ss.sort_records(keys, ["a"] * 1024, precision="float16")
shown_4 = ss.sort_windows(keys.reshape(16, 64), network="odd-even-merge")
shown_5 = ss.sort_windows([keys[:3], keys[3:]])
shown_6 = ss.external_sort(keys, memory="64MiB", share=0.5)
ss.external_sort("keys.npy", "sorted.npy", overwrite=True)

# devices, programs and prices
with ss.open_device("software", profile="geforce-6800-ultra") as device:
    shown_7 = ss.sort(keys, device=device)
    shown_8 = device.renderer
shown_9 = ss.devices()[0]
shown_10 = [ss.sort(keys, network=name) for name in ss.NETWORKS]
shown_11 = [ss.estimate(1 << 20, method=way) for way in ss.METHODS]
shown_12 = ss.estimate(8_000_000, profile="geforce-6800-ultra").seconds
shown_14 = ss.trace(keys, network="pbsn", method="blend")
shown_15 = shown_14[0].after
shown_17 = ss.network("bitonic", 8)

# selection by drawing
shown_19 = ss.select(keys, -1, method="bitwise", device="software")
shown_20 = ss.select(keys, 5, return_trace=True)
shown_22 = ss.median(keys)
shown_23 = ss.quantile(keys, 0.5)
shown_24 = ss.quantile(keys, [0.1, 0.9], method="hazen", selector="bisection")

# selection on arrays: answers are of the library of the keys, which no type says
answer_printed = modern.select(keys, 5, method="bucket", as_printed=True)
answer_variant = modern.multiselect(keys, [1, 5], as_printed=True, return_trace=True)[1].variant
shown_drawn = ss.select(keys, 5, as_printed=True)
answer_32 = modern.quantile(keys, 0.25)
answer_order = modern.argsort(keys, descending=True)
answer_records = modern.sort_records(keys, answer_order)[1]
answer_36 = modern.topk(keys, 3)
answer_axis = modern.select(np.ones((2, 3)), 1, axis=0)
answer_rows = modern.nanquantile(np.ones((2, 3)), 0.5, axis=(0, 1))
answer_top = modern.topk(np.ones((2, 3)), 1, axis=0, sorted=False).values
answer_place = modern.argselect(keys, 5, ties="highest")
answer_weighted = modern.quantile(keys, 0.5, weights=keys, method="inverted_cdf")
shown_40 = float(modern.median(keys)) + 1


class Tensor:
    """A type checker knows a tensor of PyTorch by these."""

    requires_grad: bool = False

    def detach(self) -> "Tensor":
        """Return the tensor without gradients."""
        return self


def shows_tensors(tensor: Tensor) -> None:
    """A tensor in gives a tensor out, whatever the options."""
    answers: list[Tensor] = [
        modern.select(tensor, 5, axis=0),
        modern.select(tensor, 5, return_trace=True)[0],
        modern.multiselect(tensor, [1, 5]),
        modern.multiselect(tensor, [1, 5], return_trace=True)[0],
        modern.median(tensor, axis=0, keepdims=True),
        modern.nanmedian(tensor),
        modern.quantile(tensor, 0.5),
        modern.nanquantile(tensor, [0.1, 0.9], axis=1),
        modern.sort(tensor),
        modern.threshold(tensor, 10),
        modern.topk(tensor, 3).values,
        modern.topk(tensor, 3).indices,
        modern.argtopk(tensor, 3),
        modern.argselect(tensor, 5),
        modern.argmedian(tensor),
    ]
    assert answers


# streams
quantiles = ss.QuantileSummary(0.01)
quantiles.update(keys)
shown_41 = quantiles.quantile(0.5)
shown_42 = quantiles.rank(0.5)
shown_43 = quantiles.n
shown_44 = quantiles.to_bytes()
shown_45 = ss.QuantileSummary.from_bytes(shown_44)
shown_46 = quantiles.copy()
items = ss.FrequencySummary(0.01, dtype="int64")
items.update(whole)
shown_47 = items.estimate(3)
shown_48 = items.frequent_items(0.01)
sliding = ss.SlidingQuantiles(0.01, 500)
sliding.update(keys)
shown_49 = sliding.quantile([0.1, 0.5])
prefixes = ss.HierarchicalHeavyHitters(0.01, "bits")
prefixes.update(np.arange(10, dtype=np.uint32))
shown_51 = prefixes.heavy_prefixes(0.1)
sums = ss.CorrelatedSum(0.01)
sums.update(keys, keys)
shown_52 = sums.sum_up_to(0.5)
shown_53 = modern.Sorter()
shown_54 = ss.QuantileSummary(0.01, sorter=shown_53)
shown_55 = quantiles + shown_46
shown_56 = quantiles.merge(shown_46).update(keys)
shown_57 = items.most_common(3)
shown_58 = items.estimate([3, 4])
shown_59 = ss.Histogram(quantiles, 5)
shown_60 = [bin.estimate for bin in shown_59]
shown_62 = sliding.last(100).median()
shown_64 = quantiles.quantile([0.1, 0.5])
shown_65 = quantiles.rank([0.1, 0.5])
shown_66 = quantiles.rank_bounds(0.5)
shown_67 = items.bounds(3)
shown_69 = quantiles.dtype

# pictures, profiles and files
shown_70 = shown_14.to_html()
shown_71 = shown_14.to_html("sort.html", overwrite=True)
shown_72 = shown_14[2:5]
shown_75 = ss.PROFILES["geforce-6800-ultra"].core_clock.value
shown_76 = ss.compile(shown_17, 2, 4, "blend")
shown_77 = ss.datasets.make("uniform", 100, seed=1)

# words
words = ss.FrequencySummary(0.01)
words.update(["to", "be", "or", "not", "to", "be"])
shown_80 = words.most_common(1)
shown_81 = words.estimate("be")
