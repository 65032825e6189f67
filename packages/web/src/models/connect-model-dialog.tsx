import { agentMethods, type ConnectModelParams, type ModelProviders } from '@parley/host/hub';
import { useEffect, useId, useState, type ReactElement } from 'react';
import { useHubClient } from '../hub/use-hub.ts';
import { Dialog } from '../parts/dialog.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import '../elicitation/form.css';

/** The providers with a protocol of their own; any other uses the protocol of OpenAI. */
const known = [
  ['anthropic', 'Anthropic'],
  ['openai', 'OpenAI'],
  ['gemini', 'Google Gemini'],
] as const;

/** Connects a model provider: its key is tried with one request, and leaves the page when it is sent. */
export function ConnectModelDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { agents: text, shell } = useText();
  const client = useHubClient();
  const id = useId();
  const [models, setModels] = useState<ModelProviders>();
  const [provider, setProvider] = useState<string>(known[0][0]);
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const [baseUrl, setBaseUrl] = useState('');
  const [model, setModel] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [done, setDone] = useState('');
  useEffect(() => {
    client.ask<ModelProviders>(agentMethods.models, {}).then(setModels, (error: unknown) => {
      setFailure(failureText(error, shell));
    });
  }, [client, shell]);

  const isOther = provider === '';
  const isWhole = isOther
    ? name.trim() !== '' && baseUrl.trim() !== '' && model.trim() !== ''
    : key.trim() !== '';
  const run = async (work: Promise<ModelProviders>, outcome: string): Promise<void> => {
    setIsBusy(true);
    setFailure(undefined);
    setDone('');
    try {
      setModels(await work);
      // A notice would be behind this dialog.
      setDone(outcome);
    } catch (error) {
      setFailure(failureText(error, shell));
    } finally {
      setIsBusy(false);
    }
  };
  const connect = (): void => {
    const wanted = isOther ? name.trim() : provider;
    const params: ConnectModelParams = {
      provider: wanted,
      ...(key.trim() !== '' && { key: key.trim() }),
      ...(baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }),
      ...(model.trim() !== '' && { model: model.trim() }),
    };
    setKey('');
    void run(client.ask(agentMethods.connectModel, params), text.connected(wanted));
  };
  const connected = models?.providers.filter(({ from }) => from !== undefined) ?? [];
  return (
    <Dialog title={text.connectModel} onClose={onClose}>
      <form
        className="form"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole && !isBusy) connect();
        }}
      >
        {connected.length > 0 && (
          <ul className="connected-models" aria-label={text.connectedModels}>
            {connected.map(({ id: connectedId, model: its, from }) => (
              <li key={connectedId}>
                <span>
                  {connectedId} {its !== undefined && <code className="soft">{its}</code>}
                </span>
                {from === 'stored' ? (
                  <button
                    type="button"
                    className="button button-plain"
                    aria-disabled={isBusy}
                    onClick={() => {
                      const params = { provider: connectedId };
                      void run(
                        client.ask(agentMethods.disconnectModel, params),
                        text.disconnected(connectedId),
                      );
                    }}
                  >
                    {text.disconnect}
                  </button>
                ) : (
                  <span className="soft small">{text.fromEnvironment}</span>
                )}
              </li>
            ))}
          </ul>
        )}
        <div className="form-row">
          <label htmlFor={`${id}-provider`}>{text.provider}</label>
          <select
            id={`${id}-provider`}
            className="field"
            value={provider}
            onChange={({ target }) => setProvider(target.value)}
          >
            {known.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
            <option value="">{text.otherProvider}</option>
          </select>
        </div>
        {isOther && <Row label={text.name} value={name} onChange={setName} />}
        <Row label={text.key} value={key} onChange={setKey} isSecret />
        {isOther && <Row label={text.address} value={baseUrl} onChange={setBaseUrl} hint="https://…/v1" />}
        <Row
          label={text.model}
          value={model}
          onChange={setModel}
          {...(!isOther && { hint: text.usualModel })}
        />
        <p className="soft small">{models?.store === 'keychain' ? text.keyInKeychain : text.keyInFile}</p>
        {failure !== undefined && (
          <p className="failure-text" role="alert">
            {failure}
          </p>
        )}
        <div className="dialog-actions">
          <output className="soft small">{isBusy ? text.trying : done}</output>
          <button type="button" className="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button type="submit" className="button button-primary" aria-disabled={!isWhole || isBusy}>
            {text.connect}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface RowProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly isSecret?: boolean;
}

function Row({ label, value, onChange, hint, isSecret = false }: RowProps): ReactElement {
  const id = useId();
  return (
    <div className="form-row">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="field"
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        spellCheck={false}
        placeholder={hint}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
