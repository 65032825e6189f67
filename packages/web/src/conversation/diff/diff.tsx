import { lazy, Suspense, type ReactElement } from 'react';
import { useText } from '../../text/language.tsx';
import type { DiffViewProps } from './diff-view.tsx';

const DiffView = lazy(async () => ({ default: (await import('./diff-view.tsx')).DiffView }));

/** What is changed in a file, line by line. */
export function Diff(props: DiffViewProps): ReactElement {
  const { shell } = useText();
  return (
    <Suspense fallback={<p className="soft small">{shell.loading}</p>}>
      <DiffView {...props} />
    </Suspense>
  );
}
