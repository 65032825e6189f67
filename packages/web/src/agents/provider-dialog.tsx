import { agentMethods, type AgentCard, type RouteProviderParams } from '@parley/host/hub';
import { useId, useState, type ReactElement } from 'react';
import { useHubClient } from '../hub/use-hub.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useNotices } from '../parts/notices.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import '../elicitation/form.css';

/** A model provider as an agent lists it. */
export type ListedProvider = NonNullable<AgentCard['providers']>[number];

/** What is changed. */
export interface ProviderDialogProps {
  /** The name of the agent. */
  readonly agent: string;
  readonly provider: ListedProvider;
  readonly onClose: () => void;
  /** Called when the change is stored. */
  readonly onChanged: () => void;
}

/** Changes where an agent reaches a model provider. Keys are not asked for: they belong to the configuration file. */
export function ProviderDialog({ agent, provider, onClose, onChanged }: ProviderDialogProps): ReactElement {
  const { providerId, supported, required, current } = provider;
  const { agents: text, shell } = useText();
  const client = useHubClient();
  const { notify } = useNotices();
  const id = useId();
  const [kind, setKind] = useState<keyof typeof text.providerRoutes>('address');
  const [apiType, setApiType] = useState(current?.apiType ?? supported[0] ?? '');
  const [baseUrl, setBaseUrl] = useState(current?.baseUrl ?? '');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const isWhole = kind !== 'address' || (apiType !== '' && baseUrl.trim() !== '');

  const save = async (): Promise<void> => {
    const route: RouteProviderParams['route'] =
      kind === 'address' ? { apiType, baseUrl: baseUrl.trim() } : kind === 'disabled' ? kind : undefined;
    const params: RouteProviderParams = { agent, providerId, ...(route !== undefined && { route }) };
    setIsBusy(true);
    setFailure(undefined);
    try {
      await client.ask(agentMethods.routeProvider, params);
      notify(text.providerChanged(providerId));
      onClose();
      onChanged();
    } catch (error) {
      setFailure(failureText(error, shell));
      setIsBusy(false);
    }
  };
  const kinds = (['default', 'address', 'disabled'] as const).filter(
    (each) => each !== 'disabled' || !required,
  );
  return (
    <Dialog title={text.changeProvider(providerId)} onClose={onClose}>
      <form
        className="form"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole && !isBusy) void save();
        }}
      >
        <div className="form-row">
          <label htmlFor={`${id}-route`}>{text.providerRoute}</label>
          <select
            id={`${id}-route`}
            className="field"
            value={kind}
            onChange={({ target }) => setKind(kinds.find((each) => each === target.value) ?? 'address')}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {text.providerRoutes[each]}
              </option>
            ))}
          </select>
        </div>
        {kind === 'address' && (
          <>
            <div className="form-row">
              <label htmlFor={`${id}-api`}>{text.providerApi}</label>
              <select
                id={`${id}-api`}
                className="field"
                value={apiType}
                onChange={({ target }) => setApiType(target.value)}
              >
                {supported.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </div>
            <div className="form-row">
              <label htmlFor={`${id}-address`}>{text.providerAddress}</label>
              <input
                id={`${id}-address`}
                className="field"
                spellCheck={false}
                placeholder="https://…"
                value={baseUrl}
                onChange={({ target }) => setBaseUrl(target.value)}
              />
            </div>
          </>
        )}
        <p className="soft small">{text.providersHelp}</p>
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
            {text.saveProvider}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
