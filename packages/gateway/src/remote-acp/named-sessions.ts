/** Where ids of sessions are looked for: in `sessionId`, also anywhere in `_meta`, or anywhere in the params. */
export type NamingDepth = 'top' | 'meta' | 'whole';

/** The ids of all sessions that the params of a message name. */
export function* namedSessions(params: unknown, depth: NamingDepth): Generator<string> {
  if (typeof params !== 'object' || params === null) return;
  if ('sessionId' in params && typeof params.sessionId === 'string') yield params.sessionId;
  if (depth === 'whole') yield* idsIn(params);
  else if (depth === 'meta' && '_meta' in params) yield* idsIn(params._meta);
}

/** The fields of agents have many spellings: `parentSessionId`, `session_id`, `sessionIds`. */
const idName = /session_?-?ids?$/iu;

/** Without recursion: a message may be nested as deeply as its size allows. */
function* idsIn(value: unknown): Generator<string> {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, field] of Object.entries<unknown>({ ...next })) {
      if (idName.test(name)) {
        for (const id of Array.isArray(field) ? field : [field]) if (typeof id === 'string') yield id;
      }
      if (typeof field === 'object' && field !== null) waiting.push(field);
    }
  }
}
