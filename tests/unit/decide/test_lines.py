from trivet.decide.lines import Lines

TEXT = '''\
# [node.a]
title = """
[node.b]
"""
[node.a]
x = 1
[[node.a.branch]]
y = 2
[[node.a.branch]]
# y = 3
y = 4
[node."c d"]
z = 5
'''


def test_tables_arrays_and_keys_are_found():
    lines = Lines(TEXT)
    assert lines.at(("node", "a")) == 5
    assert lines.at(("node", "a"), "y") == 8
    assert lines.at(("node", "a", "branch", 1)) == 9
    assert lines.at(("node", "a", "branch", 1), "y") == 11
    assert lines.at(("node", "c d"), "z") == 13
    assert lines.at((), "title") == 2


def test_what_has_no_line_of_its_own_is_where_it_lies():
    lines = Lines(TEXT)
    assert lines.at(("node", "a", "branch", 1, "effects", 3)) == 9
    assert lines.at(("node", "b"), "nothing") == 1
    assert lines.at(("node", "a"), "z") == 5


def test_headers_within_a_text_are_none():
    assert Lines(TEXT).at(("node", "b")) == 1
