/** The replacement for a secret. */
export const placeholder = '***';

/** Nesting depth of values that are redacted. */
const maxLevels = 200;

/** Shorter values are not redacted, because they occur in any text. */
const minSecretChars = 4;

/** Redacts secrets in all output. */
export class Redaction {
  /** The longest first: one may be the beginning of another. */
  readonly #secrets: readonly string[];
  /** The same, as they stand in JSON. */
  readonly #inJson: readonly string[];

  constructor(secrets: readonly string[]) {
    const known = new Set(
      secrets.filter((secret) => secret.length >= minSecretChars && !protocolWords.has(secret)),
    );
    this.#secrets = [...known].toSorted((one, other) => other.length - one.length);
    this.#inJson = this.#secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  }

  get isNeeded(): boolean {
    return this.#secrets.length > 0;
  }

  text(text: string): string {
    return this.#secrets.reduce((redacted, secret) => redacted.replaceAll(secret, placeholder), text);
  }

  /**
   * Redacts each text in the value; returns the same value if there is nothing to redact. Values that are nested too
   * deeply are redacted completely.
   */
  value(value: unknown, levels: number = maxLevels): unknown {
    if (!this.isNeeded) return value;
    if (levels === 0) return placeholder;
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item, levels - 1));
    return typeof value === 'object' && value !== null ? this.fields({ ...value }, levels) : value;
  }

  /** The same, of an object. */
  fields(
    value: Readonly<Record<string, unknown>>,
    levels: number = maxLevels,
  ): Readonly<Record<string, unknown>> {
    if (!this.isNeeded) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.text(key), this.value(item, levels - 1)]),
    );
  }

  /** Whether JSON that an agent wrote may contain a secret. */
  isSuspect(json: string): boolean {
    // These escapes are another way to write a character; with all others, a text has only one form in JSON.
    if (json.includes('\\u') || json.includes('\\/')) return true;
    return this.#inJson.some((secret) => json.includes(secret));
  }

  /** How much of the end of a text may be the beginning of a secret. */
  suspectChars(text: string): number {
    let most = 0;
    for (const secret of this.#secrets) {
      const first = secret.charAt(0);
      let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
      while (at !== -1 && !secret.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
      if (at !== -1) most = Math.max(most, text.length - at);
    }
    return most;
  }
}

/** Redacts a text that comes in pieces: what may be the beginning of a secret waits for the next one. */
export class RedactedText {
  readonly #redaction: Redaction;
  #waiting = '';

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** The next piece, as far as it can be emitted. */
  push(piece: string): string {
    if (!this.#redaction.isNeeded) return piece;
    const text = this.#redaction.text(this.#waiting + piece);
    const end = text.length - this.#redaction.suspectChars(text);
    this.#waiting = text.slice(end);
    return text.slice(0, end);
  }

  /** Called at the end of the text: the withheld part was no secret. */
  flush(): string {
    const waiting = this.#waiting;
    this.#waiting = '';
    return waiting;
  }
}

/**
 * Words of the protocol itself: kinds, states and names of fields. They appear in messages regardless of secrets. Without this, a
 * variable such as `FORMAT=text` would leave nothing of an agent's messages that could be read.
 */
const protocolWords: ReadonlySet<string> = new Set(
  (
    'agent_message_chunk agent_thought_chunk allow_always allow_once annotations assistant audio available_commands_update ' +
    'blob boolean cancelled category command completed config_option_update content cost cwd current_mode_update ' +
    'currentModeId currentValue data decline default delete description diff edit embedded end_turn entries execute failed ' +
    'fetch form group high idle image in_progress input kind label line locations low max_tokens max_turn_requests medium message ' +
    'messageId method mimeType move name newText oldText option optionId options other path pending plan priority rawInput ' +
    'rawOutput read refusal reject_always reject_once requires_action resource resource_link role running search select ' +
    'session_info_update session_message session_message_chunk sessionId state stopReason subagent_update ' +
    'sessionUpdate size status string switch_mode terminal terminalId text think title toolCall toolCallId tool_call ' +
    'tool_call_update type update uri usage_update used user user_message_chunk value values'
  ).split(' '),
);
