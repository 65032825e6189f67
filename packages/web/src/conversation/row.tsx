import type { ChangedTurn, Item, TurnState } from '@parley/host/state';
import { memo, use, type ReactElement } from 'react';
import { TurnChanges } from '../changes/turn-changes.tsx';
import { useText } from '../text/language.tsx';
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
  /** It was looked for. */
  readonly isMarked: boolean;
  readonly ended: TurnState | undefined;
  /** What that turn changed. */
  readonly changed: ChangedTurn | undefined;
}

/** One row. It is made again only when its own item changed. */
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
  const { conversation: text } = useText();
  const { agentName } = use(PlaceContext);
  switch (item.kind) {
    case 'message':
      return item.role === 'user' ? text.you : item.role === 'agent' ? agentName : text.thought;
    case 'tool-call':
      return item.call.title ?? item.call.name ?? text.toolKinds[item.call.kind ?? 'other'];
    case 'question':
      return text.question;
    case 'notice':
      return text.notices.info;
    case 'compaction':
      return text.compacted;
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
