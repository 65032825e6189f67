/** What the doctor found out about one thing. */
export interface Finding {
  /** `ok`; `note` for something to know; `problem` for something that does not work. */
  readonly level: 'ok' | 'note' | 'problem';
  readonly topic: string;
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** All is well. */
export function ok(topic: string, message: string): Finding {
  return { level: 'ok', topic, message };
}

/** Something to know, and perhaps to do something about. */
export function note(topic: string, message: string, advice?: string): Finding {
  return { level: 'note', topic, message, ...(advice !== undefined && { advice }) };
}

/** Something that does not work, and what to do about it. */
export function problem(topic: string, message: string, advice: string): Finding {
  return { level: 'problem', topic, message, advice };
}
