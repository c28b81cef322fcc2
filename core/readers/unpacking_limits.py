"""Limits on compressed files, which may unpack to far more than their size (bombs).

A ratio of unpacked to packed size is looked at above a size that is harmless, in bytes.
"""

GZIP_BYTES = 2 << 30
"""Largest unpacked file: ten times the largest result file in use."""
GZIP_RATIO, GZIP_RATIO_FROM = 100, 128 << 20
"""Real ranked lists reach about 30."""
NPZ_RATIO, NPZ_RATIO_FROM = 100, 64 << 20
"""Real statistics of pictures reach about 2."""
ZIP_RATIO, ZIP_RATIO_FROM = 400, 64 << 20
"""Real text shrinks to a tenth, while deflate reaches a ratio of 1,032."""
