import type { ToolCallItem } from '@parley/host/state';
import { ChevronRight, ShieldCheck } from 'lucide-react';
import { use, type ReactElement } from 'react';
import { useLiveNow } from '../../hub/use-hub.ts';
import { formatDuration } from '../../parts/format-duration.ts';
import { Honest } from '../../parts/honest.tsx';
import { useLanguage, useText } from '../../text/language.tsx';
import { PlaceContext, useOpened } from '../conversation-context.ts';
import { PathName } from '../path-name.tsx';
import { relativePath } from '../relative-path.ts';
import { OutputTail } from './output-tail.tsx';
import { ToolDetails } from './tool-details.tsx';
import { ToolIcon } from './tool-icon.tsx';
import { ToolStateMark } from './tool-state-mark.tsx';
import { durationOf, outcomeOf, toolState } from './tool-state.ts';
import { titlePieces } from './tool-title.ts';
import './tool-call.css';

/** A tool call as a line; its details are shown on demand, or by themselves when it failed or runs a command. */
export function ToolCall({ item }: { readonly item: ToolCallItem }): ReactElement {
  const { conversation: text, ownToolTitles } = useText();
  const { call } = item;
  const state = toolState(item);
  const runs = state === 'running' && (call.content ?? []).some(({ type }) => type === 'terminal');
  const [isOpen, toggle] = useOpened(`call ${item.seq}`, runs || state === 'failed' || state === 'unknown');
  const pieces = titlePieces(call, ownToolTitles);
  return (
    <div className={`tool tool-${state}`}>
      <button type="button" className="fold-head tool-head" aria-expanded={isOpen} onClick={toggle}>
        <ChevronRight className="fold-mark" size={14} aria-hidden />
        <ToolIcon kind={call.kind} />
        <span className="tool-title">
          {pieces.length === 0
            ? text.toolKinds[call.kind ?? 'other']
            : pieces.map(({ text: piece, isCode }, index) =>
                isCode ? (
                  // oxlint-disable-next-line react/no-array-index-key
                  <code key={index}>
                    <Honest text={piece} />
                  </code>
                ) : (
                  // oxlint-disable-next-line react/no-array-index-key
                  <Honest key={index} text={piece} />
                ),
              )}
        </span>
        <ToolPlace item={item} />
        <Decider item={item} />
        <ToolDuration item={item} isRunning={state === 'running'} />
        <ToolStateMark state={state} />
      </button>
      {isOpen ? <ToolDetails item={item} state={state} /> : <OutputTail call={item.call} />}
    </div>
  );
}

/** The file that a call is about, unless its title names it. */
function ToolPlace({ item: { call } }: { readonly item: ToolCallItem }): ReactElement | null {
  const { conversation: text } = useText();
  const { cwd } = use(PlaceContext);
  const locations = call.locations ?? [];
  const [first] = locations;
  if (first === undefined) return null;
  const name = first.path.split(/[/\\]/).at(-1) ?? first.path;
  const isNamed =
    call.title?.includes(relativePath(first.path, cwd)) === true || call.title?.includes(name) === true;
  if (isNamed && locations.length === 1) return null;
  return (
    <span className="tool-place soft small">
      {!isNamed && (
        <PathName
          path={first.path}
          {...(first.line !== undefined && { line: first.line })}
          {...(cwd !== undefined && { cwd })}
        />
      )}
      {locations.length > 1 && <> {text.moreFiles(locations.length - 1)}</>}
    </span>
  );
}

/** What was decided without the user is shown where it happened. */
function Decider({ item: { permission } }: { readonly item: ToolCallItem }): ReactElement | null {
  const { conversation: text } = useText();
  const by = permission?.answer?.by;
  if (outcomeOf(permission) !== 'allowed' || (by !== 'rule' && by !== 'flag')) return null;
  return (
    <span className="tool-decider soft small">
      <ShieldCheck size={14} aria-hidden />
      {text.permissionAllowed(text.deciders[by])}
    </span>
  );
}

/** Shorter durations are not displayed. */
const shortMs = 500;

function ToolDuration({
  item,
  isRunning,
}: {
  readonly item: ToolCallItem;
  readonly isRunning: boolean;
}): ReactElement | null {
  return isRunning ? <LiveDuration item={item} /> : <Duration duration={durationOf(item)} />;
}

function LiveDuration({ item }: { readonly item: ToolCallItem }): ReactElement | null {
  return <Duration duration={durationOf(item, useLiveNow(1000))} />;
}

function Duration({ duration }: { readonly duration: number | undefined }): ReactElement | null {
  const { language } = useLanguage();
  if (duration === undefined || duration < shortMs) return null;
  return <span className="tool-duration soft small">{formatDuration(duration, language)}</span>;
}
