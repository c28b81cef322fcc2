"use strict";

/* Reader of a .npy file of numbers, with the defects of core/readers/numpy_file.py. */

const NumpyFile = (() => {
  const MAX_HEADER = 65536;
  const HEADER = /^\{'descr': (?:'([<>|=][a-zA-Z][0-9]*)'|\[[^\]]*\]), 'fortran_order': (True|False), 'shape': \(((?:[0-9]{1,15}, ?)*(?:[0-9]{1,15})?),?\), \} *\n$/;
  const NUMBERS = /^[<>|=](?:[iu][1248]|f[248])$/;
  const EXPECTED = "A NumPy array of float16, float32 or float64 is expected.";
  const PICKLED = "Save the array alone: numpy.save(FILE, numpy.asarray(ARRAY, dtype=numpy.float32)).";

  const latin = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

  function header(bytes) {
    if (latin(bytes.subarray(0, 6)) !== "\x93NUMPY" || bytes.length < 12) return null;
    const version = bytes[6];
    const start = version === 1 ? 10 : 12;
    let length = 0;
    for (let place = start - 1; place >= 8; place -= 1) length = length * 256 + bytes[place];
    if (version < 1 || version > 3 || length > MAX_HEADER || bytes.length < start + length) return null;
    const match = HEADER.exec(latin(bytes.subarray(start, start + length)));
    if (!match) return null;
    const shape = match[3].split(/, ?/).filter((one) => one).map(Number);
    return { descr: match[1] || "|V", isFortran: match[2] === "True", shape, offset: start + length };
  }

  /** Return the shape and the numbers of a matrix, or the defect of a file that holds none.

  One that was unpacked (`packed`) holds none: no program maps an array out of gzip. */
  function read(bytes, path, packed) {
    const refused = (...sentences) => ({ defect: Defects.error(Defects.place(path), ...sentences) });
    const found = header(bytes);
    if (packed) {
      const kind = fill("The file is compressed by {kind}.", "gzip");
      return refused(kind, "An array is expected as NumPy saves it.", "Unpack it first.");
    }
    if (!found) return refused("The file is not a NumPy array (.npy).", EXPECTED);
    const { descr, shape } = found;
    if (!NUMBERS.test(descr)) {
      const pickled = "The file holds pickled objects, which are never loaded.";
      return refused(descr[1] === "O" ? pickled : fill("The array has the type {descr}.", descr), EXPECTED, PICKLED);
    }
    const size = Number(descr[2]);
    const count = shape.reduce((all, one) => all * one, 1);
    const shown = shape.join(", ");
    if (count * size !== bytes.length - found.offset) {
      return refused(fill("The file does not hold an array of the shape ({shape}).", shown), "Give the complete file.");
    }
    if (shape.length !== 2 || !count) {
      return refused(fill("The array has the shape ({shape}).", shown), "A matrix with rows and columns is expected.");
    }
    return { shape, notFinite: () => notFinite(bytes, found, size) };
  }

  /** Count NaN and infinite numbers, and return the row and column of the first NaN. */
  function notFinite(bytes, { descr, isFortran, shape, offset }, size) {
    const found = { nan: 0, infinite: 0, first: [0, 0] };
    if (descr[1] !== "f") return found;
    const kindAt = kinds(new DataView(bytes.buffer, bytes.byteOffset + offset), size, descr[0] !== ">");
    const [rows, columns] = shape;
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const kind = kindAt(isFortran ? column * rows + row : row * columns + column);
        if (kind === 1) found.infinite += 1;
        if (kind === 2 && !found.nan) found.first = [row, column];
        if (kind === 2) found.nan += 1;
      }
    }
    return found;
  }

  /** Return a function that gives 0 for a finite number, 1 for an infinite one and 2 for NaN. */
  function kinds(view, size, little) {
    const ofNumber = (value) => (value !== value ? 2 : value === Infinity || value === -Infinity ? 1 : 0);
    if (size === 4) return (index) => ofNumber(view.getFloat32(4 * index, little));
    if (size === 8) return (index) => ofNumber(view.getFloat64(8 * index, little));
    return (index) => {
      const bits = view.getUint16(2 * index, little) & 0x7fff;
      return bits < 0x7c00 ? 0 : bits === 0x7c00 ? 1 : 2;
    };
  }

  return { read };
})();
