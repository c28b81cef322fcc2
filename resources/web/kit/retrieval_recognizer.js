"use strict";

/* Recognizer of image-text retrieval: arrays, embeddings, and lists of pairs. */

const { guess, has } = Roles;
const { stripped, unmarked } = FileSignatures;

function recognize(begin) {
  if (begin.startsWith("\x93NUMPY")) return guess("results", 0.9, "a matrix of similarities (NumPy)");
  if (begin.startsWith("PK\x03\x04")) {
    const names = ["images", "captions", "image_features", "text_features", "img_embs", "cap_embs"];
    const known = names.some((name) => begin.slice(0, 512).includes(`${name}.npy`));
    return known ? guess("results", 0.9, "embeddings of images and captions (NumPy)") : null;
  }
  const text = stripped(unmarked(begin));
  if (!text.startsWith("{")) return null;
  if (has(text, "image_of_caption")) return guess("references", 0.95, "the image of each caption (JSON)");
  if (has(text, "sentences", "raw")) return guess("references", 0.6, "Karpathy split (JSON)");
  if (has(text, "All", "f")) return null;
  const captioned = has(text, "annotations", "caption") && !has(text, "bbox");
  const listed = has(text, "images", "file_name") && text.includes('"license');
  return captioned || listed ? guess("references", 0.6, "COCO captions (JSON)") : null;
}
