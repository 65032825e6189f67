import { useState } from 'react';
import { askChanges } from '../hub/changes-requests.ts';
import { HubError } from '../hub/hub-error.ts';
import { useHubClient } from '../hub/use-hub.ts';
import { useNotices } from '../parts/notices.tsx';
import { useText } from '../text/language.tsx';
import { pathText } from './path-text.ts';

/** How hunks are reviewed. */
export interface Review {
  readonly isBusy: boolean;
  readonly keep: (hunks: readonly string[]) => Promise<void>;
  readonly revert: (hunks: readonly string[]) => Promise<void>;
}

/** Keeps and reverts hunks of a session, and reports the result. */
export function useReview(sessionKey: string, onDone: () => void): Review {
  const { changes: text } = useText();
  const client = useHubClient();
  const { attempt, fail, notify } = useNotices();
  const [isBusy, setIsBusy] = useState(false);
  const ask = async (name: 'keepHunks' | 'revertHunks', hunks: readonly string[]): Promise<void> => {
    if (isBusy || hunks.length === 0) return;
    setIsBusy(true);
    const review = async (): Promise<void> => {
      const { conflicts } = await askChanges(client, name, sessionKey, { hunks });
      if (conflicts.length > 0) {
        fail(new HubError('refused', text.conflictsIn(conflicts.map(({ path }) => pathText(path)))));
      } else if (name === 'revertHunks') notify(text.reverted);
    };
    await attempt(review());
    setIsBusy(false);
    onDone();
  };
  return {
    isBusy,
    keep: (hunks) => ask('keepHunks', hunks),
    revert: (hunks) => ask('revertHunks', hunks),
  };
}
