import { type ReactElement } from 'react';
import { later, type Later } from '../../parts/later.tsx';
import { useText } from '../../text/language.tsx';
import type { DiffViewProps } from './diff-view.tsx';

/** The lines of a comparison, which are loaded with the first one. */
export const DiffView: Later<DiffViewProps> = later(async () => (await import('./diff-view.tsx')).DiffView);

/** What is changed in a file, line by line. */
export function Diff(props: DiffViewProps): ReactElement {
  const { shell } = useText();
  return <DiffView waiting={<p className="soft small">{shell.loading}</p>} {...props} />;
}
