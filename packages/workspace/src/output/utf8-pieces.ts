import { isUtf8 } from 'node:buffer';
import { wholeCharactersLength } from './character-boundary.ts';

/** Decodes UTF-8 from chunks that may be cut anywhere; invalid bytes become U+FFFD. */
export class Utf8Pieces {
  /** The beginning of a character whose end has not come yet. */
  #cut: Uint8Array = new Uint8Array(0);

  /** The whole characters up to the end of these bytes. */
  take(bytes: Uint8Array): Uint8Array {
    const joined = this.#cut.length === 0 ? bytes : Buffer.concat([this.#cut, bytes]);
    const whole = wholeCharactersLength(joined);
    this.#cut = Uint8Array.from(joined.subarray(whole));
    const complete = joined.subarray(0, whole);
    return isUtf8(complete) ? complete : encoder.encode(decoder.decode(complete));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
