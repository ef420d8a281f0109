/**
 * Beginnings that only another layer prints: the mark of a rank, a header, a stamp, a traceback, NCCL's origin. What stands before one
 * was a layer too, however much it looks like plain words.
 */
const LAYER_START =
  /^(?:\[rank\d|\[default\d|\[[VIWEF]\d{3,4} \d\d:|[VIWEF]\d{4} \d\d:|\d{4}-\d\d-\d\d[T ]|\[\d{4}-\d\d-\d\d |Traceback \(most|(?=[\w.-]{0,120}[A-Za-z])[A-Za-z0-9][\w.-]{0,120}:\d{1,8}:\d{1,8} (?:\[-?\d{1,4}\] |NCCL ))/;
/** As many characters of a line as the longest of them needs. */
export const LAYER_START_CHARACTERS = 160;

export const startsLayer = (text: string): boolean => LAYER_START.test(text);
