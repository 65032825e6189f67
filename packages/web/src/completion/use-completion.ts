import type { AvailableCommand } from '@parley/acp';
import { useEffect, useMemo, useState } from 'react';
import { findCommands, type CompletionEntry } from './find-commands.ts';
import type { Trigger } from './trigger.ts';

/** Finds files of the session's folder by a part of their path, the best first. */
export type FindFiles = (query: string, signal: AbortSignal) => Promise<readonly string[]>;

/** The sources of completions. */
export interface CompletionSources {
  readonly commands: readonly AvailableCommand[];
  /** Without it, files are not. */
  readonly findFiles: FindFiles | undefined;
}

/** The completions of what is being typed. */
export interface Completion {
  readonly trigger: Trigger;
  readonly entries: readonly CompletionEntry[];
  readonly state: 'loading' | 'ready' | 'failed';
}

/** Delay between the last key and the search for files. */
const searchMs = 120;

/** Finds completions of the typed text; undefined if there are none. */
export function useCompletion(
  trigger: Trigger | undefined,
  { commands, findFiles }: CompletionSources,
): Completion | undefined {
  const query = trigger?.kind === 'file' ? trigger.query : undefined;
  const found = useFiles(query, findFiles);
  const matching = useMemo(
    () => (trigger?.kind === 'command' ? findCommands(commands, trigger.query) : []),
    [trigger, commands],
  );
  if (trigger === undefined) return undefined;
  if (trigger.kind === 'command') {
    return matching.length === 0 ? undefined : { trigger, entries: matching, state: 'ready' };
  }
  if (findFiles === undefined) return undefined;
  return { trigger, entries: found.files.map((value) => ({ value })), state: found.state };
}

interface FoundFiles {
  readonly query: string;
  readonly files: readonly string[];
  readonly state: 'ready' | 'failed';
}

function useFiles(
  query: string | undefined,
  findFiles: FindFiles | undefined,
): Pick<Completion, 'state'> & {
  readonly files: readonly string[];
} {
  const [found, setFound] = useState<FoundFiles>();
  useEffect(() => {
    if (query === undefined || findFiles === undefined) return undefined;
    const ending = new AbortController();
    const take = (files: readonly string[], state: FoundFiles['state']): void => {
      if (!ending.signal.aborted) setFound({ query, files, state });
    };
    const timer = setTimeout(() => {
      findFiles(query, ending.signal).then(
        (files) => {
          take(files, 'ready');
        },
        () => {
          take([], 'failed');
        },
      );
    }, searchMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [query, findFiles]);
  if (found === undefined || query === undefined) return { files: [], state: 'loading' };
  if (found.query === query) return found;
  // What was found before is shown as long as it may be meant.
  const files = found.files.filter((file) => file.toLowerCase().includes(query.toLowerCase()));
  return { files, state: 'loading' };
}
