import { agentMethods, type SignInOutput, type SignInTerminalOpened } from '@parley/host/hub';
import { ExternalLink, SquareTerminal } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { TerminalText } from '../conversation/terminal/terminal-text.tsx';
import { fromHub } from '../hub/from-hub.ts';
import { useHubClient } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import { linkIn } from './link-in.ts';

/** Which way to sign in runs on a terminal. */
export interface SignInTerminalProps {
  readonly agent: string;
  readonly methodId: string;
  /** The command has ended with status 0. */
  readonly onDone: () => void;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly terminalId: string }
  | { readonly kind: 'ended'; readonly why: string };

/** The agent's own sign-in command, run where Parley runs. What is typed is stored nowhere. */
export function SignInTerminal({ agent, methodId, onDone }: SignInTerminalProps): ReactElement {
  const { agents: text, shell } = useText();
  const client = useHubClient();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const [written, setWritten] = useState('');
  const close = useRef<() => void>(undefined);
  useEffect(() => () => close.current?.(), []);

  const run = async (): Promise<void> => {
    setState({ kind: 'starting' });
    setWritten('');
    // What it writes may come before the answer that names it.
    const early: SignInOutput[] = [];
    let terminalId: string | undefined;
    const take = ({ text: more, ended }: SignInOutput): void => {
      if (more !== '') setWritten((before) => before + more);
      if (ended === undefined) return;
      close.current?.();
      close.current = undefined;
      if (ended.exitCode === 0) {
        setState({ kind: 'idle' });
        onDone();
      } else {
        setState({ kind: 'ended', why: text.signInEnded(ended.exitCode ?? ended.signal ?? '') });
      }
    };
    const unhear = client.hear((method, params) => {
      if (method !== agentMethods.signInOutput) return;
      const output = fromHub<SignInOutput>(params);
      if (terminalId === undefined) early.push(output);
      else if (output.terminalId === terminalId) take(output);
    });
    try {
      const opened = await client.ask<SignInTerminalOpened>(agentMethods.openSignIn, { agent, methodId });
      terminalId = opened.terminalId;
      const id = terminalId;
      close.current = () => {
        unhear();
        client.ask(agentMethods.closeSignIn, { terminalId: id }).catch(() => undefined);
      };
      setState({ kind: 'running', terminalId: id });
      for (const output of early) if (output.terminalId === id) take(output);
    } catch (error) {
      unhear();
      setState({ kind: 'ended', why: failureText(error, shell) });
    }
  };

  const link = linkIn(written);
  return (
    <div className="sign-in-terminal">
      {state.kind !== 'running' && (
        <div className="question-panel-row">
          <button
            type="button"
            className="button button-primary permission-action"
            aria-disabled={state.kind === 'starting'}
            onClick={() => {
              if (state.kind !== 'starting') void run();
            }}
          >
            <SquareTerminal size={16} aria-hidden />
            {state.kind === 'ended' ? text.tryAgain : text.signInHere}
          </button>
        </div>
      )}
      {state.kind === 'ended' && (
        <p role="alert" className="failure-text">
          {state.why}
        </p>
      )}
      {written !== '' && <TerminalText text={written} isLive={state.kind === 'running'} />}
      {state.kind === 'running' && (
        <>
          {link !== undefined && (
            <p>
              <a className="button button-primary" href={link} target="_blank" rel="noopener noreferrer">
                {text.openSignInPage} <ExternalLink size={14} aria-hidden />
              </a>{' '}
              <span className="soft small">
                <Honest text={new URL(link).host} />
              </span>
            </p>
          )}
          <Keyboard
            onType={(typed) => {
              client
                .ask(agentMethods.typeSignIn, { terminalId: state.terminalId, text: typed })
                .catch(() => undefined);
            }}
          />
          <button
            type="button"
            className="button button-plain"
            onClick={() => {
              close.current?.();
              close.current = undefined;
              setState({ kind: 'idle' });
            }}
          >
            {text.cancel}
          </button>
        </>
      )}
    </div>
  );
}

/** A line to type; in an empty one, the keys with which a menu is steered go to the command. */
function Keyboard({ onType }: { readonly onType: (text: string) => void }): ReactElement {
  const { agents: text } = useText();
  const [line, setLine] = useState('');
  const press = (event: KeyboardEvent): void => {
    const sequence = line === '' ? menuKeys.get(event.key) : undefined;
    if (sequence === undefined) return;
    event.preventDefault();
    onType(sequence);
  };
  return (
    <form
      className="sign-in-line"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        onType(`${line}\r`);
        setLine('');
      }}
    >
      <input
        className="field"
        type="password"
        autoComplete="off"
        spellCheck={false}
        aria-label={text.typeHere}
        placeholder={text.typeHere}
        value={line}
        onChange={({ target }) => setLine(target.value)}
        onKeyDown={press}
      />
      <button type="submit" className="button">
        {text.send}
      </button>
    </form>
  );
}

/** What a terminal sends for the keys of a menu. */
const menuKeys: ReadonlyMap<string, string> = new Map([
  ['ArrowUp', '\u001B[A'],
  ['ArrowDown', '\u001B[B'],
]);
