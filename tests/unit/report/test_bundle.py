from pathlib import Path

import pytest
import vl_convert

from trivet.report import bundle


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_bundled_once_and_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def fake(snippet: str) -> str:
        made.append(snippet)
        return "const library = 1;"

    monkeypatch.setattr(vl_convert, "javascript_bundle", fake)
    assert bundle.script() == bundle.script() == "const library = 1;"
    assert len(made) == 1
    assert list((cache / "report").glob("vega-*.js"))


def test_a_cache_that_cannot_be_written_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda snippet: "x")
    assert bundle.script() == "x"


def test_nothing_in_it_ends_the_element(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'a("</script>"); b("<!-- <SCRIPT"); c(1<2)'
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda snippet: text)
    assert bundle.script() == r'a("\x3c/script>"); b("\x3c!-- \x3cSCRIPT"); c(1<2)'
