"""Keys on several GPUs: the answers of one array, on the first GPU, and nothing waits.

All tests run on every device there is, with pieces on them in turn; one device plays several.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from tests.modern.references import back, put_on_gpu

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.filterwarnings("ignore:All-NaN", "ignore:all keys", "ignore:invalid value"),
]


def spread(keys: Keys, places: list[int]) -> modern.Parts:
    """Parts of the keys, on all GPUs in turn."""
    import cupy

    parts, count = [], cupy.cuda.runtime.getDeviceCount()
    for at, each in enumerate(np.split(keys, places)):
        with cupy.cuda.Device(at % count):
            parts.append(put_on_gpu(each))
    return modern.Parts(parts)


@pytest.fixture
def on_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even few keys stay where they are."""
    from modern.cards import rows

    monkeypatch.setattr(rows, "FEW", -1)


def assert_equal(found: Any, expected: Any, message: str = "") -> None:
    """Two answers have one type, one shape and equal keys; NaN equals NaN."""
    np.testing.assert_array_equal(back(found), back(expected), message, strict=True)


def hostile(n: int) -> dict[str, Keys]:
    """Keys whose bracket or whose cells have very many keys, of all sizes of keys."""
    rng = np.random.default_rng(n)
    normal = rng.standard_normal(n, np.float32)
    some = rng.random(n) < 0.99
    return {
        "normal": normal,
        "sorted": np.sort(normal),
        "three": rng.integers(0, 3, n).astype(np.float32),
        "one": np.full(n, np.float32(-0.0)),
        "zeros": np.maximum(normal, 0),
        "NaNs": np.where(rng.random(n) < 0.6, np.float32(np.nan), normal),
        "only NaNs": np.full(n, np.float32(np.nan)),
        "crowded": np.where(some, 1 + 1e-13 * rng.random(n), np.float64(normal) * 1e300),
        "denormal": normal * np.float32(1e-42),
        "halves": normal.astype(np.float16),
        "integers": rng.integers(-(1 << 31), 1 << 31, n).astype(np.int32),
        "long": rng.integers(-(1 << 63), (1 << 63) - 1, n),
        "bytes": rng.integers(-128, 128, n).astype(np.int8),
        "booleans": rng.random(n) < 0.3,
    }


def calls(n: int) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Every function, with ranks at the ends, many ranks, and ranks that do not ascend."""
    for k in (0, n // 100, n // 2, n - 1):
        yield f"select {k}", partial(modern.select, k=k)
    for ranks in (np.linspace(0, n - 1, 300).astype(int), [n - 1, 0, n // 3, n // 3 + 1]):
        yield f"multiselect {len(ranks)}", partial(modern.multiselect, ks=ranks)
    for k in (1, min(n, 1000), n // 2):
        yield f"argtopk {k}", partial(modern.argtopk, k=k)
        yield f"argtopk {k} smallest", partial(modern.argtopk, k=k, largest=False)


def averages(x: Any) -> list[Any]:
    """What takes means of neighbours."""
    q = [0.9, 0.1, 0.5, 0.0, 1.0]
    return [
        *(modern.median(x), modern.nanmedian(x), modern.quantile(x, q), modern.nanquantile(x, q)),
        modern.median(x, keepdims=True),
    ]


@pytest.mark.usefixtures("on_cards")
@pytest.mark.parametrize("name", hostile(2))
def test_answers_of_one_array(name: str) -> None:
    for n, places in ((3, [1]), (70_001, [0, 1, 9_000, 9_000]), (2_000_003, [5, 700_000])):
        keys = hostile(n)[name]
        parts, one = spread(keys, places), put_on_gpu(keys)
        for call, ask in calls(n):
            assert_equal(ask(parts), ask(one), call)
        if keys.dtype.kind == "f":
            for found, expected in zip(averages(parts), averages(one), strict=True):
                assert_equal(found, expected)


@pytest.mark.usefixtures("on_cards")
def test_a_refuted_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of digits find the answer if the bracket is empty, or its keys find no room."""
    from modern.cards import one_rank

    missed = {"WIDTH": int(np.float32(0).view(np.uint32))}
    for limits in (missed, {"room_for": lambda size: 1}):
        with monkeypatch.context() as patch:
            for name, value in limits.items():
                patch.setattr(one_rank, name, value)
            for name, keys in hostile(150_001).items():
                parts, ordered = spread(keys, [50_000, 50_001]), np.sort(keys)
                for k in (0, 75_000, 150_000):
                    assert_equal(modern.select(parts, k), ordered[k], f"{name} {k}")
                if keys.dtype.kind == "f":
                    with np.errstate(all="ignore"):
                        assert_equal(modern.median(parts), np.median(keys), name)


@pytest.mark.usefixtures("on_cards")
def test_more_pieces_than_a_launch_takes() -> None:
    keys = hostile(100_001)["normal"]
    parts, ordered = spread(keys, list(range(0, 90_000, 1_000))), np.sort(keys)
    ranks = np.arange(0, 100_001, 5_000)
    assert_equal(modern.multiselect(parts, ranks), ordered[ranks])
    assert_equal(modern.select(parts, 50_000), ordered[50_000])


@pytest.mark.usefixtures("on_cards")
def test_cards_that_cannot_reach_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds over the host give the same answers, on the first GPU, in `out` if it is given."""
    import cupy

    from modern.cards import rows

    monkeypatch.setattr(rows, "can_reach", lambda device, home: False)
    keys = hostile(30_001)["normal"]
    parts, one, out = spread(keys, [10_000]), put_on_gpu(keys), cupy.empty((), np.float32)
    for call, ask in calls(keys.size):
        assert_equal(ask(parts), ask(one), call)
    assert modern.median(parts, out=out) is out
    assert out == modern.median(one)
    assert modern.median(parts, keepdims=True).shape == (1,)


@pytest.mark.usefixtures("on_cards")
def test_methods_by_their_names() -> None:
    keys = hostile(50_001)["normal"]
    parts, ordered = spread(keys, [20_000]), np.sort(keys)
    for method in ("cutting-plane", "bucket", "radix", "bisection"):
        found, trace = modern.select(parts, 25_000, method=method, return_trace=True)
        assert (back(found), trace.method) == (ordered[25_000], method)
    found = modern.select(parts, 25_000, method="cutting-plane", as_printed=True)
    assert back(found) == ordered[25_000]


@pytest.mark.usefixtures("on_cards")
def test_tensors_and_their_streams() -> None:
    """Answers are tensors; parts that are still being written are waited for."""
    torch = pytest.importorskip("torch")
    places = [f"cuda:{each % torch.cuda.device_count()}" for each in range(3)]
    for _ in range(20):
        parts = [torch.randn(1 << 20, device=place).mul_(2) for place in places]
        found = modern.median(parts)
        joined = torch.cat([each.to(places[0]) for each in parts])
        assert found.device == joined.device
        assert found == modern.median(joined)
        for each in parts:
            each.zero_()  # after the call, but perhaps before its launches


@pytest.mark.usefixtures("on_cards")
def test_no_memory_is_lost() -> None:
    import cupy

    parts = spread(hostile(100_001)["normal"], [50_000])
    ranks, known = np.arange(0, 100_000, 10_000), set()
    for turn in range(10_000):
        modern.select(parts, 50_000)
        if not turn % 100:
            modern.multiselect(parts, ranks)
            modern.topk(parts, 10)
        if turn in (200, 9_999):
            known.add(cupy.get_default_memory_pool().total_bytes())
    assert len(known) == 1


def test_few_keys_are_copied() -> None:
    parts = spread(np.arange(1000.0), [1, 500])
    assert back(modern.median(parts)) == 499.5
    assert back(modern.select(parts, 3, method="one-read")) == 3


def test_what_arrays_on_gpus_refuse() -> None:
    with pytest.raises(errors.UnsupportedKeys, match="parts of one type"):
        modern.median([put_on_gpu(np.zeros(2)), put_on_gpu(np.zeros(2, np.float32))])
    with pytest.raises(errors.MethodUnavailable, match="sort needs one array"):
        modern.sort([put_on_gpu(np.zeros(2))])
