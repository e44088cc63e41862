from __future__ import annotations

import os

import pytest

from trivet.environments import settings


@pytest.fixture(autouse=True)
def nothing_set(tmp_path, monkeypatch):
    for name in [
        n for n in os.environ if n.startswith(("UV_", "PIP_", "SSL_")) or n.lower().endswith("_proxy")
    ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "system"))


def write_uv_toml(tmp_path, text):
    folder = tmp_path / "config" / "uv"
    folder.mkdir(parents=True)
    (folder / "uv.toml").write_text(text)


def test_what_pip_is_told_is_read_from_its_files_and_variables(tmp_path, monkeypatch):
    file = tmp_path / "pip.conf"
    file.write_text(
        "[global]\nindex-url = https://mirror.example/simple\ntimeout = 7\n"
        "[install]\nfind-links =\n  /a\n  /b\n[download]\nindex-url = https://not.this/simple\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
    monkeypatch.setenv("PIP_TIMEOUT", "9")
    found = settings.pip_settings()
    assert found["index-url"] == "https://mirror.example/simple"
    assert found["find-links"].split() == ["/a", "/b"]
    assert found["timeout"] == "9"


def test_pip_settings_are_told_to_uv(tmp_path):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    told = settings.for_uv(
        {
            "index-url": "https://mirror.example/simple",
            "find-links": str(wheels),
            "constraint": "/etc/constraints.txt",
            "cert": "/etc/ca.pem",
            "client-cert": "/etc/me.pem",
            "trusted-host": "mirror.example other.example",
            "proxy": "proxy.example:3128",
        }
    )
    assert told.variables == {
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_FIND_LINKS": str(wheels),
        "UV_CONSTRAINT": "/etc/constraints.txt",
        "SSL_CERT_FILE": "/etc/ca.pem",
        "SSL_CLIENT_CERT": "/etc/me.pem",
        "UV_INSECURE_HOST": "mirror.example other.example",
        "ALL_PROXY": "http://proxy.example:3128",
    }
    assert not told.no_index


def test_several_indexes_are_searched_as_pip_does():
    """An extra index with a few old wheels must not hide all the others."""
    told = settings.for_uv({"extra-index-url": "https://a.example/simple https://b.example/simple"})
    assert told.variables == {
        "UV_INDEX": "https://a.example/simple https://b.example/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }


def test_one_index_leaves_uvs_strategy_alone():
    assert settings.for_uv({"index-url": "https://a.example/simple"}).variables == {
        "UV_DEFAULT_INDEX": "https://a.example/simple"
    }


@pytest.mark.parametrize("variable", ["UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL"])
def test_indexes_that_the_user_set_for_uv_win(variable, monkeypatch):
    monkeypatch.setenv(variable, "https://mine.example/simple")
    told = settings.for_uv(
        {
            "index-url": "https://a.example/simple",
            "extra-index-url": "https://b.example/simple",
            "no-index": "1",
        }
    )
    assert told.variables == {}
    assert not told.no_index


@pytest.mark.parametrize(
    ("variable", "key"),
    [
        ("UV_FIND_LINKS", "find-links"),
        ("UV_CONSTRAINT", "constraint"),
        ("UV_INSECURE_HOST", "trusted-host"),
        ("SSL_CERT_FILE", "cert"),
        ("https_proxy", "proxy"),
    ],
)
def test_what_the_user_set_for_uv_wins(variable, key, tmp_path, monkeypatch):
    monkeypatch.setenv(variable, str(tmp_path))
    assert settings.for_uv({key: "/other"}).variables == {}


def test_uvs_own_file_wins(tmp_path):
    write_uv_toml(
        tmp_path, 'find-links = ["/mine"]\n[[index]]\nurl = "https://mine.example/simple"\ndefault = true\n'
    )
    told = settings.for_uv({"index-url": "https://a.example/simple", "find-links": "/a"})
    assert told.variables == {}
    assert settings.find_links({"find-links": "/a"}) == ("/a", "/mine")
    assert settings.own_index({})


def test_a_damaged_file_of_uvs_is_left_for_uv_to_complain_about(tmp_path):
    write_uv_toml(tmp_path, "find-links = [")
    assert settings.find_links({}) == ()


def test_folders_that_are_gone_are_left_out(tmp_path):
    """Pip warns of them, uv gives up."""
    gone = tmp_path / "gone"
    told = settings.for_uv(
        {"find-links": f"{gone} https://wheels.example/", "extra-index-url": f"file://{gone}"}
    )
    assert told.variables == {"UV_FIND_LINKS": "https://wheels.example/"}


def test_relative_paths_are_made_absolute_since_uv_runs_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "wheels").mkdir()
    monkeypatch.chdir(tmp_path)
    told = settings.for_uv({"find-links": "wheels", "constraint": "some.txt"}).variables
    assert told == {"UV_FIND_LINKS": f"{tmp_path}/wheels", "UV_CONSTRAINT": f"{tmp_path}/some.txt"}
    monkeypatch.setenv("UV_FIND_LINKS", "wheels,https://wheels.example/")
    assert settings.for_uv({}).variables == {"UV_FIND_LINKS": f"{tmp_path}/wheels,https://wheels.example/"}


def test_no_index_is_told_too():
    assert settings.for_uv({"no-index": "true"}).no_index
    assert not settings.for_uv({"no-index": "0"}).no_index


def test_find_links_of_pip_and_uv_are_collected(monkeypatch):
    monkeypatch.setenv("UV_FIND_LINKS", "/b,https://wheels.example/")
    assert settings.find_links({"find-links": "/a /b"}) == ("/a", "/b", "https://wheels.example/")


def test_a_file_address_is_a_folder(tmp_path):
    assert settings.local_folder(f"file://{tmp_path}/with%20space") == tmp_path / "with space"
    assert settings.local_folder("https://wheels.example/") is None
