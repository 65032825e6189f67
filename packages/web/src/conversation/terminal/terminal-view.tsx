import { get } from '@parley/host/state';
import { SquareTerminal } from 'lucide-react';
import { use, type ReactElement } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useText } from '../../text/language.tsx';
import { FeedContext, PlaceContext } from '../conversation-context.ts';
import { relativePath } from '../relative-path.ts';
import { plainText } from './ansi.ts';
import { TerminalText } from './terminal-text.tsx';

/** A command the agent ran, live as long as it runs. */
export function TerminalView({ terminalId }: { readonly terminalId: string }): ReactElement {
  const { conversation: text } = useText();
  const { view, terminals } = use(FeedContext);
  const { cwd } = use(PlaceContext);
  const terminal = get(view.terminals, terminalId);
  const live = terminals.get(terminalId) ?? '';
  if (terminal === undefined) {
    return live === '' ? (
      <p className="soft small">{text.unknownTerminal}</p>
    ) : (
      <TerminalText text={live} isLive />
    );
  }
  const isRunning = terminal.state === 'running';
  // Of a command without a recorded end, what it wrote until then is better than nothing. What the agent runs itself, its
  // tool call streams.
  const output = terminal.state === 'ended' || live === '' ? terminal.output : live;
  const isElsewhere = cwd !== undefined && terminal.cwd !== cwd;
  return (
    <figure className="terminal">
      <figcaption className="terminal-head">
        <SquareTerminal size={14} aria-hidden />
        <code className="terminal-command">{terminal.command}</code>
        <CopyButton text={terminal.command} label={text.copyCommand} />
        {isElsewhere && <code className="soft small">{relativePath(terminal.cwd, cwd)}</code>}
      </figcaption>
      {terminal.truncated && <p className="soft small terminal-note">{text.outputCut}</p>}
      {output === '' ? (
        <p className="soft small terminal-note">{isRunning ? text.noOutputYet : text.noOutput}</p>
      ) : (
        <TerminalText text={output} isLive={isRunning} />
      )}
      <div className="terminal-foot small">
        <span className={`terminal-${howEnded(terminal)}`}>{endOf(terminal, text)}</span>
        {output !== '' && <CopyButton text={() => plainText(output)} label={text.copyOutput} />}
      </div>
    </figure>
  );
}

interface Ending {
  readonly state: 'running' | 'ended' | 'unknown';
  readonly exitCode?: number;
  readonly signal?: string;
}

function howEnded({ state, exitCode, signal }: Ending): 'running' | 'good' | 'bad' | 'unknown' {
  if (state !== 'ended') return state;
  if (signal === undefined && exitCode === undefined) return 'unknown';
  return signal === undefined && exitCode === 0 ? 'good' : 'bad';
}

function endOf(
  { state, exitCode, signal }: Ending,
  text: ReturnType<typeof useText>['conversation'],
): string {
  if (state === 'running') return text.terminalRunning;
  if (state === 'unknown') return text.terminalUnknown;
  if (signal !== undefined) return text.signal(signal);
  // An agent need not report the status of what it runs itself.
  return exitCode === undefined ? '' : text.exitCode(exitCode);
}
