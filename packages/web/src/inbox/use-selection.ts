import type { HubQuestion, PermissionQuestion } from '@parley/host/hub';
import { useMemo, useState } from 'react';
import { likenessOf } from '../permission/permission-choice.ts';

/** The questions that the user selected to answer together. */
export interface Selection {
  readonly selected: readonly PermissionQuestion[];
  /** Whether a question can be answered together with others, and with the selected ones. */
  readonly state: (question: HubQuestion) => 'none' | 'offered' | 'selected' | 'other';
  readonly toggle: (question: HubQuestion) => void;
  readonly clear: () => void;
}

/** Selects questions that differ only in their subject. */
export function useSelection(questions: readonly HubQuestion[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const selected = questions.flatMap((question) =>
      question.kind === 'permission' && ids.has(question.requestId) ? [question] : [],
    );
    const [first] = selected;
    const likeness = first === undefined ? undefined : likenessOf(first);
    const counts = countLike(questions);
    return {
      selected,
      state: (question) => {
        const own = question.kind === 'permission' ? likenessOf(question) : undefined;
        if (own === undefined || (counts.get(own) ?? 0) < 2) return 'none';
        if (ids.has(question.requestId)) return 'selected';
        return likeness === undefined || likeness === own ? 'offered' : 'other';
      },
      toggle: ({ requestId }) => {
        setIds(
          (before) =>
            new Set(
              before.has(requestId) ? [...before].filter((id) => id !== requestId) : [...before, requestId],
            ),
        );
      },
      clear: () => setIds(new Set()),
    };
  }, [questions, ids]);
}

function countLike(questions: readonly HubQuestion[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const question of questions) {
    const likeness = question.kind === 'permission' ? likenessOf(question) : undefined;
    if (likeness !== undefined) counts.set(likeness, (counts.get(likeness) ?? 0) + 1);
  }
  return counts;
}
