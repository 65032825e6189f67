/**
 * The beginning of a line whose end has not come yet.
 *
 * A short one is kept as the pieces it came in. A long one moves into memory that grows in place and is given back
 * as soon as the line was read, so that a line of 64 MB is never there three times.
 */
export class HeldLine {
  readonly #limitBytes: number;
  #pieces: Uint8Array[] = [];
  #growing: GrowingBuffer | undefined;
  #length = 0;

  /** @param limitBytes More than this is never held. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    if (this.#growing === undefined && this.#length + bytes.length > growFromBytes) this.#startGrowing();
    const offset = this.#length;
    this.#length += bytes.length;
    if (this.#growing === undefined) this.#pieces.push(bytes);
    else write(this.#growing, bytes, offset, this.#limitBytes);
  }

  /** The bytes held so far; good until `release`. */
  bytes(): Uint8Array {
    if (this.#growing !== undefined) return new Uint8Array(this.#growing, 0, this.#length);
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && first !== undefined) return first;
    const whole = new Uint8Array(this.#length);
    this.#copyPieces((piece, offset) => whole.set(piece, offset));
    return whole;
  }

  /** Gives the memory back. */
  release(): void {
    this.#growing?.resize(0);
    this.#growing = undefined;
    this.#pieces = [];
    this.#length = 0;
  }

  #startGrowing(): void {
    const growing = openGrowingBuffer(this.#limitBytes);
    if (growing === undefined) return;
    this.#copyPieces((piece, offset) => write(growing, piece, offset, this.#limitBytes));
    this.#pieces = [];
    this.#growing = growing;
  }

  #copyPieces(copy: (piece: Uint8Array, offset: number) => void): void {
    let offset = 0;
    for (const piece of this.#pieces) {
      copy(piece, offset);
      offset += piece.length;
    }
  }
}

/** Size from which a line gets its own buffer. */
const growFromBytes = 1024 * 1024;

/** A resizable ArrayBuffer (ES2024), which Node 20 and current browsers have and our `lib` does not name yet. */
interface GrowingBuffer extends ArrayBuffer {
  resize(byteLength: number): void;
}

function openGrowingBuffer(maxByteLength: number): GrowingBuffer | undefined {
  const buffer: unknown = Reflect.construct(ArrayBuffer, [0, { maxByteLength }]);
  return buffer instanceof ArrayBuffer && isGrowing(buffer) ? buffer : undefined;
}

function isGrowing(buffer: ArrayBuffer): buffer is GrowingBuffer {
  return 'resize' in buffer && typeof buffer.resize === 'function';
}

function write(buffer: GrowingBuffer, bytes: Uint8Array, offset: number, limitBytes: number): void {
  const needed = offset + bytes.length;
  if (needed > buffer.byteLength) {
    buffer.resize(Math.min(limitBytes, Math.max(needed, buffer.byteLength * 2)));
  }
  new Uint8Array(buffer).set(bytes, offset);
}
