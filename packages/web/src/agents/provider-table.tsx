import { useState, type ReactElement } from 'react';
import { later } from '../parts/later.tsx';
import { useText } from '../text/language.tsx';
import type { ListedProvider } from './provider-dialog.tsx';

const ProviderDialog = later(async () => (await import('./provider-dialog.tsx')).ProviderDialog);

/** What the table shows. */
export interface ProviderTableProps {
  /** The name of the agent. */
  readonly agent: string;
  readonly providers: readonly ListedProvider[];
  /** Called when a provider was changed. @default none can be changed here */
  readonly onChanged?: () => void;
}

/** The model providers of an agent, and where the agent reaches them. */
export function ProviderTable({ agent, providers, onChanged }: ProviderTableProps): ReactElement {
  const { agents: text } = useText();
  const [changing, setChanging] = useState<ListedProvider>();
  return (
    <section className="agent-part" aria-label={text.providers}>
      <h2>{text.providers}</h2>
      <table className="agent-table">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{text.providerId}</th>
            <th scope="col">{text.providerAddress}</th>
          </tr>
        </thead>
        <tbody>
          {providers.map((provider) => (
            <tr key={provider.providerId}>
              <th scope="row">
                {provider.providerId} <p className="small soft">{provider.supported.join(', ')}</p>
              </th>
              <td>
                {provider.current === undefined ? (
                  <span className="soft">{text.providerOff}</span>
                ) : (
                  <>
                    <code>{provider.current.baseUrl}</code>{' '}
                    <span className="small soft">{provider.current.apiType}</span>
                  </>
                )}{' '}
                {onChanged !== undefined && (
                  <button type="button" className="button button-plain" onClick={() => setChanging(provider)}>
                    {text.changeProvider(provider.providerId)}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small soft">{text.providersHelp}</p>
      {changing !== undefined && onChanged !== undefined && (
        <ProviderDialog
          agent={agent}
          provider={changing}
          onClose={() => setChanging(undefined)}
          onChanged={onChanged}
        />
      )}
    </section>
  );
}
