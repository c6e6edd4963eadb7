"""Which module imports which: no circle by any path, not even inside functions or for types."""

from graphlib import TopologicalSorter

import grimp
import pytest

PACKAGES = ["shadersort", "modern", "bench", "scripts"]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_imports_itself_through_others(package: str) -> None:
    graph = grimp.build_graph(package, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # names the circle that it finds


def test_a_circle_would_be_found() -> None:
    graph = grimp.build_graph("modern", cache_dir=None)
    graph.add_import(importer="modern.kernels", imported="modern")
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    with pytest.raises(ValueError, match="cycle"):
        TopologicalSorter(imports).prepare()
