/** Names of fields that hold ids of sessions. Agents have many spellings: `parentSessionId`, `session_id`, `sessionIds`. */
const sessionIdName = /session_?-?ids?$/iu;

/**
 * The value with one session called otherwise, wherever a field names it; the same value where none does. Without recursion: a
 * message may be nested as deeply as its size allows.
 */
export function withSessionId(value: unknown, from: string | undefined, to: string | undefined): unknown {
  if (from === undefined || to === undefined || from === to) return value;
  const root = { value };
  const waiting: { readonly holder: object; readonly name: string }[] = [{ holder: root, name: 'value' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { holder, name } = next;
    const field: unknown = Reflect.get(holder, name);
    const isId = sessionIdName.test(name);
    if (isId && field === from) {
      Reflect.set(holder, name, to);
    } else if (typeof field === 'object' && field !== null) {
      const copied: object = Array.isArray(field)
        ? field.map((item: unknown) => (isId && item === from ? to : item))
        : { ...field };
      Reflect.set(holder, name, copied);
      for (const each of Object.keys(copied)) waiting.push({ holder: copied, name: each });
    }
  }
  return root.value;
}

/**
 * The ids of all sessions that the params of a message name.
 *
 * @param depth Where to look: in `sessionId`, also in `_meta` at any depth, or anywhere in the params.
 */
export function* namedSessions(params: unknown, depth: 'top' | 'meta' | 'whole'): Generator<string> {
  if (typeof params !== 'object' || params === null) return;
  if ('sessionId' in params && typeof params.sessionId === 'string') yield params.sessionId;
  if (depth === 'whole') yield* idsIn(params);
  else if (depth === 'meta' && '_meta' in params) yield* idsIn(params._meta);
}

/** Without recursion: a message may be nested as deeply as its size allows. */
function* idsIn(value: unknown): Generator<string> {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, field] of Object.entries<unknown>({ ...next })) {
      if (sessionIdName.test(name)) {
        for (const id of Array.isArray(field) ? field : [field]) if (typeof id === 'string') yield id;
      }
      if (typeof field === 'object' && field !== null) waiting.push(field);
    }
  }
}
