/** Any JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number of 16 bits. */
export function isUint16(value: unknown): value is number {
  return isWhole(value, 0, 0xffff);
}

/** A whole number of 32 bits. */
export function isUint32(value: unknown): value is number {
  return isWhole(value, 0, 0xffff_ffff);
}

/** A whole number of 32 bits, with a sign. */
export function isInt32(value: unknown): value is number {
  return isWhole(value, -0x8000_0000, 0x7fff_ffff);
}

/** A whole number of 64 bits, as near as a JavaScript number comes to it. */
export function isUint64(value: unknown): value is number {
  return isWhole(value, 0, 2 ** 64);
}

/** A whole number of 64 bits with a sign, as near as a JavaScript number comes to it. */
export function isInt64(value: unknown): value is number {
  return isWhole(value, -(2 ** 63), 2 ** 63);
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
