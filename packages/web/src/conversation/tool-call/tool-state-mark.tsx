import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleX,
  Hand,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../text/language.tsx';
import type { ToolState } from './tool-state.ts';

/** The state of a tool call; a normal one is shown by its mark alone. */
export function ToolStateMark({ state }: { readonly state: ToolState }): ReactElement {
  const { conversation: text } = useText();
  const Icon = icons[state];
  const isPlain = state === 'done' || state === 'running' || state === 'pending';
  return (
    <span className={`tool-state tool-state-${state}`}>
      <Icon size={16} aria-hidden className={state === 'running' ? 'spinning' : undefined} />
      <span className={isPlain ? 'visually-hidden' : 'small'}>{text.toolStates[state]}</span>
    </span>
  );
}

const icons: Readonly<Record<ToolState, LucideIcon>> = {
  pending: CircleDashed,
  waiting: Hand,
  running: LoaderCircle,
  done: Check,
  failed: CircleX,
  rejected: Ban,
  cancelled: Ban,
  unknown: CircleHelp,
};
