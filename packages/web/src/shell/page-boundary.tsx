import { Component, type ReactElement, type ReactNode } from 'react';
import { useFirstText } from '../text/language.tsx';
import { isMissingPart } from './missing-part.ts';
import './page-boundary.css';

interface PageBoundaryProps {
  readonly children: ReactNode;
  /** Whether it is around a part beside the page, such as the list of sessions. @default false */
  readonly isPart?: boolean;
}

/** An error boundary that limits an error to one page, or to a part beside it. React requires a class for it. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { children, isPart = false } = this.props;
    if (error === undefined) return children;
    return isPart ? <PartFailure error={error} /> : <Failure error={error} />;
  }
}

function PartFailure({ error }: { readonly error: unknown }): ReactElement {
  const { shell } = useFirstText();
  return (
    <div className="part-failure small" role="alert">
      <p>{isMissingPart(error) ? shell.partMissing : shell.failed}</p>
      {!isMissingPart(error) && <p>{String(error)}</p>}
      <button type="button" className="button" onClick={() => location.reload()}>
        {shell.reload}
      </button>
    </div>
  );
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
