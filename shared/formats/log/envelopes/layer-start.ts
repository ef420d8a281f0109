/**
 * Beginnings that only another layer prints: the mark of a rank, a header, a stamp, a traceback. What stands before one
 * was a layer too, however much it looks like plain words.
 */
const LAYER_START =
  /^(?:\[rank\d|\[default\d|\[[VIWEF]\d{3,4} \d\d:|[VIWEF]\d{4} \d\d:|\d{4}-\d\d-\d\d[T ]|\[\d{4}-\d\d-\d\d |Traceback \(most)/;

export const startsLayer = (text: string): boolean => LAYER_START.test(text);
