/**
 * What a line looks like without its numbers, addresses and names of processes: lines of one shape fold into one. Two lines that
 * differ in words never share a shape; two that differ only in digits always do.
 */

/** Beyond this, lines that begin alike count as alike. Chosen: longer than any watchdog's sentence. */
const MAX_SHAPE = 300;

export function shapeOf(message: string): string {
  return message
    .slice(0, MAX_SHAPE)
    .replace(/0x[0-9a-fA-F]+/g, '#')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '#')
    .replace(/\d+(?:[.,:]\d+)*/g, '#');
}

/** FNV-1a of the shape, 32 bits. */
export function shapeHash(message: string): number {
  const shape = shapeOf(message);
  let hash = 0x811c9dc5;
  for (let i = 0; i < shape.length; i += 1) hash = Math.imul(hash ^ shape.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
