/**
 * Opcode names of pickle protocols 0 to 5 (Python 3.14 `pickletools`), and which of them the reader follows.
 * Everything else ends the file: a Flight Recorder dump holds plain values only and never names code.
 */

export const OP_MARK = 0x28;
export const OP_STOP = 0x2e;
export const OP_BINFLOAT = 0x47;
export const OP_BININT = 0x4a;
export const OP_BININT1 = 0x4b;
export const OP_BININT2 = 0x4d;
export const OP_NONE = 0x4e;
export const OP_BINUNICODE = 0x58;
export const OP_EMPTY_LIST = 0x5d;
export const OP_APPEND = 0x61;
export const OP_GLOBAL = 0x63;
export const OP_APPENDS = 0x65;
export const OP_BINGET = 0x68;
export const OP_INST = 0x69;
export const OP_LONG_BINGET = 0x6a;
export const OP_BINPUT = 0x71;
export const OP_LONG_BINPUT = 0x72;
export const OP_SETITEM = 0x73;
export const OP_TUPLE = 0x74;
export const OP_SETITEMS = 0x75;
export const OP_EMPTY_DICT = 0x7d;
export const OP_EMPTY_TUPLE = 0x29;
export const OP_PROTO = 0x80;
export const OP_TUPLE1 = 0x85;
export const OP_TUPLE2 = 0x86;
export const OP_TUPLE3 = 0x87;
export const OP_NEWTRUE = 0x88;
export const OP_NEWFALSE = 0x89;
export const OP_LONG1 = 0x8a;
export const OP_LONG4 = 0x8b;
export const OP_SHORT_BINUNICODE = 0x8c;
export const OP_BINUNICODE8 = 0x8d;
export const OP_STACK_GLOBAL = 0x93;
export const OP_MEMOIZE = 0x94;
export const OP_FRAME = 0x95;

/** Opcodes that the reader knows and refuses, by name. Those that find or call code come first. */
const REFUSED = new Map<number, string>([
  [OP_GLOBAL, 'GLOBAL'],
  [OP_STACK_GLOBAL, 'STACK_GLOBAL'],
  [OP_INST, 'INST'],
  [0x6f, 'OBJ'],
  [0x81, 'NEWOBJ'],
  [0x92, 'NEWOBJ_EX'],
  [0x52, 'REDUCE'],
  [0x62, 'BUILD'],
  [0x50, 'PERSID'],
  [0x51, 'BINPERSID'],
  [0x82, 'EXT1'],
  [0x83, 'EXT2'],
  [0x84, 'EXT4'],
  [0x97, 'NEXT_BUFFER'],
  [0x98, 'READONLY_BUFFER'],
  [0x96, 'BYTEARRAY8'],
  // Plain, but never written into a dump by any producer.
  [0x30, 'POP'],
  [0x31, 'POP_MARK'],
  [0x32, 'DUP'],
  [0x42, 'BINBYTES'],
  [0x43, 'SHORT_BINBYTES'],
  [0x8e, 'BINBYTES8'],
  [0x54, 'BINSTRING'],
  [0x55, 'SHORT_BINSTRING'],
  [0x8f, 'EMPTY_SET'],
  [0x90, 'ADDITEMS'],
  [0x91, 'FROZENSET'],
  // Protocol 0 and 1.
  [0x46, 'FLOAT'],
  [0x49, 'INT'],
  [0x4c, 'LONG'],
  [0x53, 'STRING'],
  [0x56, 'UNICODE'],
  [0x64, 'DICT'],
  [0x67, 'GET'],
  [0x6c, 'LIST'],
  [0x70, 'PUT'],
]);

/** Name of an opcode that is refused; undefined if the byte is no opcode at all. */
export const refusedOpcodeName = (opcode: number): string | undefined => REFUSED.get(opcode);
