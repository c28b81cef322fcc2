"""Running: progress, cancelling, devices, caches and the engine that scores a competition."""
