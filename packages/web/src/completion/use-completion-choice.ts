import { useState } from 'react';
import type { Written } from '../prompt/use-written.ts';
import { useCompletion, type Completion, type CompletionSources } from './use-completion.ts';

/** The completions of what is being typed, and the choice among them. */
export interface CompletionChoice {
  readonly completion: Completion | undefined;
  /** The entry that is chosen. */
  readonly active: number;
  readonly pick: (index: number) => void;
  /** @returns whether the key was for the list */
  readonly steer: (key: string) => boolean;
  /** Something else is typed: the first entry is chosen. */
  readonly restart: () => void;
}

/** Completes what is being typed, by keys and clicks. */
export function useCompletionChoice(
  { trigger, hand }: Pick<Written, 'trigger' | 'hand'>,
  sources: CompletionSources,
): CompletionChoice {
  const completion = useCompletion(trigger, sources);
  const [wanted, setActive] = useState(0);
  const count = completion?.entries.length ?? 0;
  // There may be fewer than when it was chosen.
  const active = Math.max(0, Math.min(wanted, count - 1));

  const pick = (index: number): void => {
    const entry = completion?.entries[index];
    if (completion === undefined || entry === undefined) return;
    const { kind, from, to } = completion.trigger;
    const space = /^\s/u.test(hand.read().text.slice(to)) ? '' : ' ';
    if (kind === 'file') hand.mention(entry.value);
    hand.insert(`${kind === 'file' ? '@' : '/'}${entry.value}${space}`, { from, to });
  };

  const steer = (key: string): boolean => {
    if (completion === undefined) return false;
    if (key === 'Escape') hand.endTrigger();
    else if (count === 0) return false;
    else if (key === 'ArrowDown') setActive((active + 1) % count);
    else if (key === 'ArrowUp') setActive((active + count - 1) % count);
    else if (key === 'Enter' || key === 'Tab') pick(active);
    else return false;
    return true;
  };

  const restart = (): void => {
    setActive(0);
  };
  return { completion, active, pick, steer, restart };
}
