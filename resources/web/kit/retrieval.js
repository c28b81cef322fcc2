"use strict";

/* Checker of image-text retrieval: a matrix of similarities. */

function checker(facts, options, rules) {
  const { error, note } = Defects;
  const [FOLDS, VSEPP, COCO] = [5, 5, 25010];
  const USED = { all: 0, five: 5, one: 1 };
  const NPZ = "This page cannot read embeddings (.npz, .images.npy). Check them with Jurydesk.";

  return (bytes, path, packed) => {
    if (/\.npz$|\.images\.npy$/.test(path)) throw new UnsupportedFile(NPZ);
    const file = NumpyFile.read(bytes, path, packed);
    if (file.defect) return [file.defect];
    return [...numberDefects(path, file.notFinite()), ...pairDefects(Defects.place(path), file.shape)];
  };

  function numberDefects(path, { nan, infinite, first }) {
    const defects = [];
    if (nan) {
      const numbers = counted(nan, "number is NaN", "numbers are NaN");
      const found = fill("{numbers}, first in row {row:,}, column {column:,} (counted from 0).", numbers, ...first);
      const expected = "Published programs rank NaN above every number; here it is not a similarity.";
      defects.push(error(Defects.place(path), found, expected));
    }
    if (infinite) {
      const found = fill("{numbers}.", counted(infinite, "number is infinite", "numbers are infinite"));
      defects.push(note(Defects.place(path), found, "They are ranked as such.", infinite));
    }
    return defects;
  }

  function pairDefects(place, [rows, columns]) {
    const found = fill("The file has {rows:,} rows and {columns:,} columns.", rows, columns);
    const wanted = wantedSizes(rows, columns);
    if (!wanted) return [shapeError(place, found, rows, columns)];
    const [images, captions] = wanted;
    const fits = (images === rows && captions === columns) || (images === columns && captions === rows);
    if (!fits) return [error(place, found, expectedShape(images, captions))];
    const defects = [];
    if (rows === columns) {
      const square = fill("The matrix is square; its rows are read as {what}.", translatable(options.rows));
      defects.push(note(place, square, "--rows images or --rows captions says what they are."));
    } else if (rows === captions) {
      defects.push(note(place, "The rows are captions: the matrix is read transposed."));
    }
    return [...defects, ...ownerDefects(place, images, captions)];
  }

  function expectedShape(images, captions) {
    const counts = [counted(images, "image"), counted(captions, "caption")];
    return facts.named_by ? fill("{images} and {captions} are expected, as in {name}.", ...counts, facts.named_by)
      : fill("{images} and {captions} are expected.", ...counts);
  }

  function wantedSizes(rows, columns) {
    if (facts.named_by) {
      let captions = facts.image_of_caption.length;
      const sizes = [rows, columns];
      if (!sizes.includes(captions) && sizes.includes(VSEPP * facts.images)) captions = VSEPP * facts.images;
      if (facts.images) return [facts.images, captions];
      const others = sizes.filter((size) => size !== captions);
      return [others.length === 1 ? others[0] : captions, captions];
    }
    const k = facts.captions_per_image;
    if (k) {
      const images = rows === k * columns ? columns : rows;
      return [images, k * images];
    }
    const [small, large] = [Math.min(rows, columns), Math.max(rows, columns)];
    return large % small ? null : [small, large];
  }

  function shapeError(place, found, rows, columns) {
    if (rows === COCO || columns === COCO) {
      const expected = "COCO 5K has 25,010 captions; VSE++ uses the first five of each image (25,000).";
      return error(place, found, expected, "Give the annotations (--references FILE), which say whose captions they are.");
    }
    const expected = "The same number of captions for each image is expected.";
    return error(place, found, expected, "Give the annotations (--references FILE).");
  }

  /** Return the image of each caption among the first `count` of each image. */
  function firstOfEach(owner, count) {
    const seen = new Map();
    return owner.filter((image) => {
      seen.set(image, (seen.get(image) || 0) + 1);
      return seen.get(image) <= count;
    });
  }

  function ownerDefects(place, images, captions) {
    const defects = [];
    let owner = facts.image_of_caption;
    if (!facts.named_by) owner = Array.from({ length: captions }, (_, caption) => Math.floor(caption / (captions / images)));
    else if (owner.length !== captions) {
      owner = firstOfEach(owner, VSEPP);
      if (owner.length !== captions) {
        const found = fill("Some images of {name} have fewer captions.", facts.named_by);
        return [error(place, found, "Five captions for each image are expected.")];
      }
      defects.push(note(place, "The captions are read as the first five of each image."));
    }
    const beyond = owner.findIndex((image) => image >= images);
    if (beyond >= 0) {
      const there = counted(images, "image");
      const found = fill("Caption {caption:,} belongs to image {image:,}, but there are {images}.", beyond, owner[beyond], there);
      return [error(place, found, "Images are counted from 0.")];
    }
    if (USED[options.captions_used]) {
      const used = firstOfEach(owner, USED[options.captions_used]);
      const left = captions - used.length;
      if (left) defects.push(note(place, fill("{captions} not used.", counted(left, "caption is", "captions are")), "", left));
      owner = used;
    }
    if (options.folds === String(FOLDS) && images % FOLDS) {
      const found = fill("{images} cannot be divided into five folds.", counted(images, "image"));
      defects.push(error(place, found, "A multiple of 5 is expected, such as 5,000."));
    }
    const bare = images - new Set(owner).size;
    if (bare) {
      const hint = "They are left out as queries; CLIP_benchmark counts them as misses.";
      defects.push(note(place, fill("{images} without a caption.", counted(bare, "image")), hint, bare));
    }
    return defects;
  }
}
