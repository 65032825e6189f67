/** A line the agent wrote. */
export interface OutputLine {
  readonly text: string;
  /** The parsed JSON; `undefined` if it is invalid. */
  readonly value: unknown;
  /** Why it cannot be read. */
  readonly fault?: string;
}

/** Splits bytes into lines and validates each as the protocol requires: UTF-8, exactly one JSON value. */
export class OutputLines {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #held: Uint8Array[] = [];

  push(bytes: Uint8Array): OutputLine[] {
    const lines: OutputLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push(this.#take(bytes.subarray(start, end)));
      start = end + 1;
    }
    if (start < bytes.length) this.#held.push(bytes.subarray(start));
    return lines;
  }

  /** The output ended: what is left has no newline. */
  end(): OutputLine[] {
    if (this.#held.length === 0) return [];
    const { text } = this.#take(new Uint8Array());
    return [{ text, value: undefined, fault: 'it has no newline at its end' }];
  }

  #take(rest: Uint8Array): OutputLine {
    const bytes = Buffer.concat([...this.#held, rest]);
    this.#held = [];
    const text = bytes.toString('utf8');
    try {
      this.#decoder.decode(bytes);
    } catch {
      return { text, value: undefined, fault: 'it is not UTF-8' };
    }
    try {
      const value: unknown = JSON.parse(text);
      return { text, value };
    } catch {
      return { text, value: undefined, fault: 'it is not JSON' };
    }
  }
}

const newline = 0x0a;
