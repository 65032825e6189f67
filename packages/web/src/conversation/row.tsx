import type { ChangedTurn, Item, TurnState } from '@parley/host/state';
import { memo, use, type ReactElement } from 'react';
import { TurnChanges } from '../changes/turn-changes.tsx';
import { useText } from '../text/language.tsx';
import { ownToolTitle } from '../text/own-text.ts';
import { describeAgentEnd } from './agent-end.ts';
import { PlaceContext } from './conversation-context.ts';
import { ItemView } from './item-view.tsx';
import { TurnEnd } from './turn-end.tsx';

/** A row of the list: an item, and the end of the turn behind it. */
export interface RowProps {
  readonly item: Item;
  /** From 1. */
  readonly position: number;
  readonly isOpen: boolean;
  readonly isFirst: boolean;
  /** Whether it is the result of a search. */
  readonly isMarked: boolean;
  readonly ended: TurnState | undefined;
  /** What that turn changed. */
  readonly changed: ChangedTurn | undefined;
}

/** One row, rendered again only when its own item has changed. */
export const Row = memo(function Row({
  item,
  position,
  isOpen,
  isFirst,
  isMarked,
  ended,
  changed,
}: RowProps): ReactElement {
  const label = useLabel(item);
  return (
    <article
      className={`row row-${item.kind}${isMarked ? ' row-marked' : ''}`}
      aria-label={label}
      aria-posinset={position}
      aria-setsize={-1}
      data-seq={item.seq}
    >
      <ItemView item={item} isOpen={isOpen} isFirst={isFirst} />
      {ended !== undefined && <TurnEnd turn={ended} />}
      {changed !== undefined && <TurnChanges turn={changed} />}
    </article>
  );
});

function useLabel(item: Item): string {
  const { conversation: text, subagents, ownToolTitles } = useText();
  const { agentName } = use(PlaceContext);
  switch (item.kind) {
    case 'message':
      return item.role === 'user' ? text.you : item.role === 'agent' ? agentName : text.thought;
    case 'tool-call': {
      const { title, name, kind = 'other' } = item.call;
      if (title === undefined) return name ?? text.toolKinds[kind];
      return ownToolTitle(name, title, ownToolTitles);
    }
    case 'question':
      return text.question;
    case 'notice':
      return text.notices.info;
    case 'compaction':
      return text.compacted;
    case 'subagent':
    case 'session-message':
      return subagents.title;
    case 'file-write':
      return item.isNew ? text.fileCreated : text.fileWritten;
    case 'diagnostic':
      return text.diagnostics[item.level];
    case 'interruption':
      return text.interruption;
    case 'agent-end':
      return describeAgentEnd(item, text);
    case 'recovery':
      return text.recoveries[item.by];
    case 'omission':
      return text.omission(item.of);
    case 'unknown':
      return text.unknownUpdateNoName;
  }
}
