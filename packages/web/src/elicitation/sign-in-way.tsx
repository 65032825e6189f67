import type { SignInQuestion } from '@parley/host/hub';
import { toAddress } from '@parley/host/state';
import { ExternalLink } from 'lucide-react';
import { use, useId, useState, type ReactElement } from 'react';
import { useHub } from '../hub/use-hub.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Honest } from '../parts/honest.tsx';
import { later } from '../parts/later.tsx';
import { AnswerableContext } from '../question/answers.tsx';
import { useText } from '../text/language.tsx';
import '../permission/request-parts.css';
import './form.css';
import '../permission/permission-actions.css';
import '../question/question.css';

const SignInTerminal = later(async () => (await import('../agents/sign-in-terminal.tsx')).SignInTerminal);

type Method = SignInQuestion['methods'][number];

/** Props of {@link SignInWay}. */
export interface SignInWayProps {
  /** The name of the agent. */
  readonly agent: string;
  readonly method: Method;
  /** What it runs on a terminal, where it does. */
  readonly command: string | undefined;
  readonly isBusy: boolean;
  readonly onSignIn: (values?: Readonly<Record<string, string>>) => void;
}

/** A sign-in method. Secrets are typed into password fields and not stored. */
export function SignInWay(props: SignInWayProps): ReactElement {
  const { method } = props;
  return (
    <section className="sign-in-way" aria-label={method.name}>
      <h3>
        <Honest text={method.name} />
      </h3>
      {method.description !== undefined && (
        <p className="soft small">
          <Honest text={method.description} />
        </p>
      )}
      {use(AnswerableContext) && <Way {...props} />}
    </section>
  );
}

function Way(props: SignInWayProps): ReactElement {
  const { inbox, agents } = useText();
  const { agent, method, command, isBusy, onSignIn } = props;
  const { isAdmin } = useHub();
  switch (method.kind) {
    case 'agent':
      return (
        <div className="question-panel-row">
          <button
            type="button"
            className="button button-primary permission-action"
            aria-disabled={isBusy}
            onClick={() => onSignIn()}
          >
            {inbox.signInWith(method.name)}
          </button>
        </div>
      );
    case 'terminal':
      if (!isAdmin || command === undefined) return <ByHand {...props} />;
      return (
        <>
          <SignInTerminal agent={agent} methodId={method.id} onDone={() => onSignIn()} />
          <details>
            <summary className="small">{agents.inTerminal}</summary>
            <ByHand {...props} />
          </details>
        </>
      );
    case 'variables':
      return <Variables method={method} isBusy={isBusy} onSignIn={onSignIn} />;
    case 'unknown':
      return <p className="question-warning small">{inbox.unknownWay}</p>;
  }
}

/** The command for a terminal of the user's own. */
function ByHand({ command, isBusy, onSignIn }: SignInWayProps): ReactElement {
  const { inbox } = useText();
  return (
    <>
      {command === undefined ? (
        <p className="small">{inbox.terminalWithoutCommand}</p>
      ) : (
        <>
          <p className="small">{inbox.runOnTerminal}</p>
          <div className="sign-in-command">
            <pre className="call-command">
              <Honest text={command} />
            </pre>
            <CopyButton text={command} label={inbox.copyCommand} />
          </div>
        </>
      )}
      <div className="question-panel-row">
        <button
          type="button"
          className="button button-primary permission-action"
          aria-disabled={isBusy}
          onClick={() => onSignIn()}
        >
          {inbox.haveSignedIn}
        </button>
      </div>
    </>
  );
}

interface VariablesProps extends Pick<SignInWayProps, 'isBusy' | 'onSignIn'> {
  readonly method: Extract<Method, { readonly kind: 'variables' }>;
}

function Variables({ method: { name, variables, link }, isBusy, onSignIn }: VariablesProps): ReactElement {
  const { inbox } = useText();
  const id = useId();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  const isWhole = variables.every(
    (variable) => variable.isOptional || given.some(([known]) => known === variable.name),
  );
  return (
    <form
      className="form"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWhole || isBusy) return;
        onSignIn(Object.fromEntries(given.map(([known, value]) => [known, value.trim()])));
        setValues({});
      }}
    >
      {link !== undefined && toAddress(link).isPage && (
        <p className="small">
          <a href={link} target="_blank" rel="noopener noreferrer nofollow">
            {inbox.whereFrom} <Honest text={link} /> <ExternalLink size={14} aria-hidden />
          </a>
        </p>
      )}
      {variables.map((variable) => (
        <div key={variable.name} className="form-row">
          <label htmlFor={`${id}-${variable.name}`}>
            <Honest text={variable.label ?? variable.name} />
            {variable.label !== undefined && <code className="soft small"> {variable.name}</code>}
            {variable.isOptional && <span className="soft small"> {inbox.optional}</span>}
          </label>
          <input
            id={`${id}-${variable.name}`}
            className="field"
            type={variable.isSecret ? 'password' : 'text'}
            autoComplete="off"
            spellCheck={false}
            required={!variable.isOptional}
            value={values[variable.name] ?? ''}
            onChange={(event) => {
              const { value } = event.target;
              setValues((before) => ({ ...before, [variable.name]: value }));
            }}
          />
        </div>
      ))}
      <p className="soft small">{inbox.keptNowhere}</p>
      <div className="question-panel-row">
        <button
          type="submit"
          className="button button-primary permission-action"
          aria-disabled={isBusy || !isWhole}
        >
          {inbox.signInWith(name)}
        </button>
      </div>
    </form>
  );
}
