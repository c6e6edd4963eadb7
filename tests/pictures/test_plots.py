import numpy as np
import pytest

from shadersort import Device
from shadersort.drawing.compile import compile
from shadersort.drawing.networks import NETWORKS, network
from shadersort.pictures.plots import draw_network, draw_stages, stages_of


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_is_drawn_with_every_comparator(name: str) -> None:
    ax = draw_network(network(name, 16))
    drawn = [np.asarray(line.get_xydata()) for line in ax.lines]
    assert len(drawn) == network(name, 16).comparator_count
    spans = [(float(line[0, 0]), int(line[0, 1]), int(line[1, 1])) for line in drawn]
    for x, low, high in spans:
        assert low < high
        others = [(a, b) for at, a, b in spans if at == x and (a, b) != (low, high)]
        assert all(high < a or b < low for a, b in others), "comparators overlap"


def test_stages_are_those_of_the_program(software: Device) -> None:
    wires = network("pbsn", 16)
    texels = np.random.default_rng(0).random((4, 4, 4), np.float32)
    program = compile(wires, 4, 4, "blend")
    stages = stages_of(software, program, texels, [-1, 2, len(program.passes) - 1])
    captions = [caption for caption, _ in stages]
    assert captions == ["input", "after pass 3 of 48", "after pass 48 of 48"]
    np.testing.assert_array_equal(stages[0][1], texels)
    first_step = type(wires)("first step", 16, wires.steps[:1])
    expected = first_step.apply(texels.reshape(16, 4).T).T.reshape(4, 4, 4)
    np.testing.assert_array_equal(stages[1][1], expected)
    np.testing.assert_array_equal(stages[2][1].reshape(16, 4), np.sort(texels.reshape(16, 4), 0))
    figure = draw_stages(stages, "title")
    assert len(figure.axes) == 3
