"""Five measures that keep the window responsive while jobs run, with the reasons.

Qt paints in one thread. Jobs are threads that compete for the same interpreter lock (GIL), so every
import, every large object and every long call in a job blocks the window.

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

Medians of three alternating rounds with one measure switched off at a time (two cores, other
load on the machine; time without a processor is excluded): a competition of dense captions is
added, checked and scored, then every page is opened for the first time while a job computes without
a break. Each measure is needed: without any one of them a pause exceeds 50 ms.

- `garbage_collection`: Python collects cycles in whichever thread allocates next and stops all
  others; a job would also destroy Qt objects of the window in its own thread, which crashes.
- `gui_priority`: a thread releases the GIL after 0.1 ms instead of 5 ms, and jobs pause at their
  next check while the window shows something.
- `frame_queue`: a page shows its parts one frame after the other, so that each is painted.
- `preload`: pages are built, and views and SciPy are imported, before they are needed.
- `create_qt_types`: PySide creates its types when they are first accessed; a job that imports
  pyqtgraph accesses all of them. Where two threads create types at once, 16 of 40 processes
  crashed; none of 40 did where one thread had created them all, which takes 0.1 s at the start.
"""
