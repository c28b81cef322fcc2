"""DenseCap: regions of images, found and described, scored by mean average precision."""
