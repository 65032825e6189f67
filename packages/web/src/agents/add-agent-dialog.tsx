import { agentMethods } from '@parley/host/hub';
import { useId, useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useHubClient } from '../hub/use-hub.ts';
import { Dialog } from '../parts/dialog.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import '../elicitation/form.css';
import { toNewAgent, type AgentFields } from './new-agent.ts';

const empty: AgentFields = { name: '', command: '', args: '', env: '' };

/** Adds an agent to the user's configuration, as `parley agents add` does. */
export function AddAgentDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { agents: text, shell } = useText();
  const client = useHubClient();
  const [, go] = useLocation();
  const [fields, setFields] = useState(empty);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const isWhole = fields.name.trim() !== '' && fields.command.trim() !== '';
  const change = (name: keyof AgentFields, value: string): void => setFields({ ...fields, [name]: value });
  const add = async (): Promise<void> => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      const agent = toNewAgent(fields);
      if (agent === undefined) {
        setFailure(text.badVariables);
        return;
      }
      await client.ask(agentMethods.add, agent);
      setFields(empty);
      onClose();
      go(`/agents/${encodeURIComponent(agent.name)}`);
    } catch (error) {
      setFailure(failureText(error, shell));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={text.add} onClose={onClose}>
      <form
        className="form"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole && !isBusy) void add();
        }}
      >
        <p className="soft small">{text.addHelp}</p>
        <Field label={text.name} value={fields.name} onChange={(value) => change('name', value)} isRequired />
        <Field
          label={text.command}
          value={fields.command}
          onChange={(value) => change('command', value)}
          isRequired
        />
        <Field
          label={text.args}
          help={text.argsHelp}
          value={fields.args}
          onChange={(value) => change('args', value)}
          rows={3}
        />
        <Field
          label={text.variables}
          help={text.variablesHelp}
          value={fields.env}
          onChange={(value) => change('env', value)}
          rows={3}
        />
        {failure !== undefined && (
          <p className="failure-text" role="alert">
            {failure}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button type="submit" className="button button-primary" aria-disabled={!isWhole || isBusy}>
            {text.add}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldProps {
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired?: boolean;
  /** Several lines. @default one */
  readonly rows?: number;
}

function Field({ label, help, value, onChange, isRequired = false, rows }: FieldProps): ReactElement {
  const id = useId();
  const common = {
    id,
    className: 'field',
    value,
    spellCheck: false,
    autoComplete: 'off',
    ...(help !== undefined && { 'aria-describedby': `${id}-help` }),
  } as const;
  return (
    <div className="form-row">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...common} required={isRequired} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <textarea {...common} rows={rows} onChange={({ target }) => onChange(target.value)} />
      )}
      {help !== undefined && (
        <span id={`${id}-help`} className="soft small">
          {help}
        </span>
      )}
    </div>
  );
}
