"""Image captioning as in COCO captions: BLEU, METEOR, ROUGE-L and CIDEr without Java."""
