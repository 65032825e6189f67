import type { Attachment } from '../attachment/attachment.ts';
import { draftCount, draftLength } from '../limits.ts';
import { emptyDraft, isBlank, joinDrafts, type Draft } from './draft.ts';

/** The storage of drafts. The browser's may be full or disabled. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** A stored draft. */
export interface KeptDraft {
  readonly draft: Draft;
  /** The names of attachments that were too large to be kept. */
  readonly lost: readonly string[];
  /** The part that was being sent when the page was closed. */
  readonly sent?: SentText;
}

/** A text that was sent, and may have arrived. */
export interface SentText {
  readonly text: string;
  /** How many turns there were before. */
  readonly mark: number;
}

/** The stored draft of one prompt box. */
export interface DraftStore {
  /** Reads the stored draft, after text that was being sent and may not have arrived. */
  read(): KeptDraft;
  write(draft: Draft): void;
  /** Stores what is being sent until it is known to have arrived. */
  beginSending(draft: Draft, mark: number): void;
  endSending(): void;
}

/** Opens the store of drafts, by name, so that closing the page loses nothing. */
export function openDraftStore(storage: DraftStorage | undefined, name: string): DraftStore {
  const key = `${prefix}${name}`;
  let kept = parseEntry(storage?.getItem(key) ?? null);
  const save = (changed: Partial<Entry>, time: number): void => {
    kept = { ...kept, ...changed, time };
    if (storage === undefined) return;
    try {
      if (isBlank(kept.draft) && kept.sending === undefined) storage.removeItem(key);
      else putEntry(storage, key, kept);
    } catch {
      // Storage that does not take more does not prevent writing.
    }
  };
  return {
    read: () => {
      const { sending, draft, lost } = kept;
      if (sending === undefined) return { draft, lost };
      const { text } = sending.draft;
      return { draft: joinDrafts(sending.draft, draft), lost, sent: { text, mark: sending.mark } };
    },
    write: (draft) => {
      save({ draft, lost: [] }, Date.now());
    },
    beginSending: (draft, mark) => {
      save({ draft: emptyDraft, sending: { draft, mark }, lost: [] }, Date.now());
    },
    endSending: () => {
      const { sending: _sending, ...rest } = kept;
      kept = rest;
      save({}, Date.now());
    },
  };
}

interface Entry {
  readonly time: number;
  readonly draft: Draft;
  readonly sending?: { readonly draft: Draft; readonly mark: number };
  readonly lost: readonly string[];
}

const prefix = 'parley-draft:';

function putEntry(storage: DraftStorage, key: string, entry: Entry): void {
  const draft = withinLength(entry.draft);
  const sending = entry.sending === undefined ? undefined : withinLength(entry.sending.draft);
  const lost = [...entry.lost, ...draft.lost, ...(sending?.lost ?? [])];
  const text = JSON.stringify({
    ...entry,
    draft: draft.draft,
    ...(sending !== undefined && { sending: { ...entry.sending, draft: sending.draft } }),
    lost,
  });
  put(storage, key, text);
}

/** The draft without its largest attachments, and the names of those. */
function withinLength(draft: Draft): { readonly draft: Draft; readonly lost: readonly string[] } {
  const attachments = [...draft.attachments];
  const lost: string[] = [];
  while (attachments.length > 0 && JSON.stringify({ ...draft, attachments }).length > draftLength) {
    const sizes = attachments.map((each) => ('data' in each ? each.data : each.text).length);
    const [largest] = attachments.splice(sizes.indexOf(Math.max(...sizes)), 1);
    if (largest !== undefined) lost.push('name' in largest ? largest.name : '');
  }
  return { draft: { ...draft, text: draft.text.slice(0, draftLength), attachments }, lost };
}

/** Stores a text; the oldest drafts are removed if there is no space. @throws The storage is full or disabled. */
function put(storage: DraftStorage, key: string, text: string): void {
  const others = Array.from({ length: storage.length }, (_, index) => storage.key(index))
    .filter((name) => name !== null)
    .filter((name) => name.startsWith(prefix) && name !== key)
    .map((name) => ({ name, time: parseEntry(storage.getItem(name)).time }))
    .toSorted((left, right) => left.time - right.time);
  const tooMany = Math.max(0, others.length - draftCount + 1);
  for (const { name } of others.slice(0, tooMany)) storage.removeItem(name);
  for (const { name } of [...others.slice(tooMany), { name: undefined }]) {
    try {
      storage.setItem(key, text);
      return;
    } catch (error) {
      if (name === undefined) throw error;
      storage.removeItem(name);
    }
  }
}

/** Parses an entry, which may come from another version; unknown parts are ignored. */
function parseEntry(text: string | null): Entry {
  const value = parseJson(text);
  const { time, draft, sending, lost } = fieldsOf(value);
  return {
    time: typeof time === 'number' ? time : 0,
    draft: parseDraft(draft),
    ...(sending !== undefined && { sending: parseSending(sending) }),
    lost: textsIn(lost),
  };
}

function parseSending(value: unknown): NonNullable<Entry['sending']> {
  const { draft, mark } = fieldsOf(value);
  return { draft: parseDraft(draft), mark: typeof mark === 'number' ? mark : 0 };
}

function parseDraft(value: unknown): Draft {
  const { text, files, attachments } = fieldsOf(value);
  return {
    text: typeof text === 'string' ? text : '',
    files: textsIn(files),
    attachments: Array.isArray(attachments) ? attachments.flatMap(parseAttachment) : [],
  };
}

function parseAttachment(value: unknown): readonly Attachment[] {
  const { kind, id, name, mimeType, data, text } = fieldsOf(value);
  if (typeof id !== 'string') return [];
  if (kind === 'paste') return typeof text === 'string' ? [{ kind, id, text }] : [];
  if (typeof name !== 'string') return [];
  if (kind === 'text') {
    const type = typeof mimeType === 'string' ? { mimeType } : {};
    return typeof text === 'string' ? [{ kind, id, name, text, ...type }] : [];
  }
  if (kind !== 'image' && kind !== 'audio' && kind !== 'binary') return [];
  return typeof data === 'string' && typeof mimeType === 'string' ? [{ kind, id, name, mimeType, data }] : [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
