"""The views of an image with its boxes, and of the heat map of all detections."""
