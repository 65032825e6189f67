import { Component, type ReactElement, type ReactNode } from 'react';
import { useFirstText } from '../text/language.tsx';
import { isMissingPart } from './missing-part.ts';

interface PageBoundaryProps {
  readonly children: ReactNode;
}

/** An error boundary that limits an error to one page. React requires a class for it. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Failure error={error} />;
  }
}

function Failure({ error }: { readonly error: unknown }): ReactElement {
  const { shell } = useFirstText();
  return (
    <section className="page" role="alert">
      <h1 tabIndex={-1}>{isMissingPart(error) ? shell.partMissing : shell.failed}</h1>
      <p>{isMissingPart(error) ? shell.partMissingHelp : shell.failedHelp}</p>
      <p>
        <button type="button" className="button button-primary" onClick={() => location.reload()}>
          {shell.reload}
        </button>
      </p>
      {!isMissingPart(error) && <pre className="page-failure">{String(error)}</pre>}
    </section>
  );
}
