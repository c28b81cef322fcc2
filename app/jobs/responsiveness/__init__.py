"""What keeps the window answering while jobs work: five devices, and why each is there.

Qt paints on one thread. Jobs are threads of the same interpreter, which only one of them holds at a
time, so every import, every large object and every long call of a job keeps the window waiting.

============================== ======= ======== ========= ============
switched off                   longest over     mean wait all longest
                               pause   50 ms    for GIL   pauses
============================== ======= ======== ========= ============
nothing                        47 ms   0        1.5 ms    267 ms
`garbage_collection`           129 ms  7        1.5 ms    888 ms
`gui_priority`: short turns    146 ms  3        2.2 ms    551 ms
`gui_priority`: reserved time  86 ms   2        1.5 ms    357 ms
`frame_queue`                  182 ms  4        1.5 ms    503 ms
`preload`: pages               110 ms  2        1.5 ms    396 ms
`preload`: imports             131 ms  2        1.4 ms    431 ms
============================== ======= ======== ========= ============

Medians of three alternating rounds of `tests/bench/responsiveness_devices.py` (two cores, other
work on the machine; time in which the machine gave no processor is left out): a competition of
dense captions is taken in, checked and scored, then every page is opened for the first time
beside a job that computes without a break. Every device pays: without any of them a pause exceeds
50 ms.

- `garbage_collection`: Python collects cycles on the thread that makes the next object, and stops
  all others; a job would also destroy the window's Qt objects on its own thread, which crashes.
- `gui_priority`: a thread gives the interpreter away after 0.1 ms instead of 5 ms, and jobs pause
  at their next check while something is shown.
- `frame_queue`: a page shows its parts one frame after the other, so that each is painted.
- `preload`: pages are built, and views and SciPy are imported, before somebody asks for them.
- `qt_imports`: PySide creates its types when they are first accessed; a job that imports pyqtgraph
  accesses all of them. Where two threads create types at once, 16 of 40 processes crashed; none of
  40 did where one thread had created them all, which takes 0.1 s at the start.
"""
