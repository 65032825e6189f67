/** Whether an event may change a session's title, judged by its JSON, so that most events need not be parsed. */
export function mayChangeTitle(json: string): boolean {
  return (
    json.includes('"type":"turn-start"') ||
    json.includes('session_info_update') ||
    json.includes('user_message_chunk')
  );
}

/** Whether an event may change the facts of a session, by its JSON; the type comes first, as we write it. */
export function mayChangeFacts(json: string): boolean {
  const start = json.indexOf(typeKey) + typeKey.length;
  const type = json.slice(start, json.indexOf('"', start));
  return type === 'update' ? mayChangeTitle(json) : !inTranscriptOnly.has(type);
}

const typeKey = '"type":"';

const inTranscriptOnly: ReadonlySet<string> = new Set([
  'file-write',
  'terminal-start',
  'terminal-end',
  'network',
  'diagnostic',
  'changes',
  'changes-undone',
  'changes-redone',
  'hunks-kept',
  'hunks-reverted',
  'changes-committed',
  'settings',
  'steering-request',
  'steering',
]);
