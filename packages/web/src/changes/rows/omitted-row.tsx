import type { OmittedFile } from '@parley/host/state';
import { EyeOff } from 'lucide-react';
import type { ReactElement } from 'react';
import { shownRestored } from '../../limits.ts';
import { useText } from '../../text/language.tsx';
import { pathText } from '../path-text.ts';

/** What was left out, and why. */
export function OmittedRow({ files }: { readonly files: readonly OmittedFile[] }): ReactElement {
  const { changes: text, conversation } = useText();
  const reasons: Readonly<Record<string, string>> = text.omittedWhy;
  return (
    <details className="changes-omitted small" data-row="omitted" tabIndex={-1} open={files.length <= 5}>
      <summary>
        <EyeOff size={14} aria-hidden /> {text.omitted(files.length)}
      </summary>
      <ul>
        {files.slice(0, shownRestored).map(({ path, why }) => (
          <li key={pathText(path)}>
            {conversation.aside(pathText(path), Object.hasOwn(reasons, why) ? (reasons[why] ?? why) : why)}
          </li>
        ))}
      </ul>
      {files.length > shownRestored && <p>{text.moreFiles(files.length - shownRestored)}</p>}
    </details>
  );
}
