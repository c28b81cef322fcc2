"""The small retrieval competition of the README."""

from __future__ import annotations

MINE = """\
cv1 Q0 page3-12 1 9.1 mine
cv1 Q0 page4-01 2 8.0 mine
cv1 Q0 page3-15 3 7.5 mine
cv2 Q0 page2-07 1 5.0 mine
cv2 Q0 page1-02 2 4.9 mine
"""
THEIRS = """\
cv1 Q0 page3-12 1 0.8 theirs
cv1 Q0 page3-15 2 0.7 theirs
cv2 Q0 page1-02 1 0.9 theirs
"""
FILES = {
    "relevance.txt": "cv1 0 page3-12 1\ncv1 0 page3-15 1\ncv2 0 page1-02 1\n",
    "mine.txt": MINE,
    "theirs.txt": THEIRS,
    "broken.txt": MINE.replace("4.9", "often"),
}
