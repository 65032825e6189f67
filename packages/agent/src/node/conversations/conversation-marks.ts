import type { StateList } from '@parley/workspace';
import type { ConversationMarks } from '../../conversation/record/conversation-store.ts';

/** Sessions that are marked. The oldest mark goes first. */
const mostMarks = 20_000;

/** The marks of all conversations, in one file. */
export interface MarksFile {
  read(): Promise<ReadonlyMap<string, ConversationMarks>>;
  /** Changes the given marks; a conversation without any mark is removed from the file. */
  set(id: string, changed: ConversationMarks | undefined): Promise<void>;
}

interface MarksEntry extends ConversationMarks {
  readonly id: string;
}

/** Opens the file with the marks; it need not exist. */
export function openMarks(file: string): MarksFile {
  let list: Promise<StateList<MarksEntry>> | undefined;
  const load = (): Promise<StateList<MarksEntry>> =>
    (list ??= import('@parley/workspace').then(({ stateList }) =>
      stateList(file, parseEntry, { skipsUnknown: true }),
    ));
  return {
    read: async () => {
      const { read } = await load();
      // A damaged file costs marks, and no conversation; the next change reports it.
      const entries = await read().catch(() => []);
      return new Map(entries.map(({ id, ...marks }) => [id, marks]));
    },
    set: async (id, changed) => {
      await (
        await load()
      ).change((entries) => {
        const before = entries.find((entry) => entry.id === id);
        const others = entries.filter((entry) => entry.id !== id);
        return changed === undefined ? others : [...others, { ...before, ...changed, id }].slice(-mostMarks);
      });
    },
  };
}

function parseEntry(value: unknown): MarksEntry | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const { id, title, isArchived } = { title: undefined, isArchived: undefined, ...value };
  if (typeof id !== 'string') return undefined;
  return {
    id,
    ...(typeof title === 'string' && { title }),
    ...(typeof isArchived === 'boolean' && { isArchived }),
  };
}
