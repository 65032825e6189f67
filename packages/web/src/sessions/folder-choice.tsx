import type { HubSession } from '@parley/host/hub';
import { FolderOpen } from 'lucide-react';
import { useId, useState, type ReactElement } from 'react';
import { later } from '../parts/later.tsx';
import { useFirstText } from '../text/language.tsx';
import { offeredFolders } from './start-choice.ts';

const FolderDialog = later(async () => (await import('./folder-dialog.tsx')).FolderDialog);

/** Which folder is chosen, and which ones are offered. */
export interface FolderChoiceProps {
  readonly folder: string;
  readonly workspaces: readonly string[];
  readonly sessions: ReadonlyMap<string, HubSession>;
  readonly onChoose: (folder: string) => void;
}

/** Where: a workspace, a folder that was used before, or another one below. */
export function FolderChoice({ folder, workspaces, sessions, onChoose }: FolderChoiceProps): ReactElement {
  const { sessions: text } = useFirstText();
  const id = useId();
  const [isBrowsing, setIsBrowsing] = useState(false);
  const offered = offeredFolders(workspaces, sessions.values());
  const all = offered.includes(folder) ? offered : [...offered, folder];
  return (
    <div className="folder-choice">
      <label htmlFor={id}>{text.inFolder}</label>
      <div className="folder-choice-row">
        <select
          id={id}
          className="field"
          value={folder}
          onChange={({ target: { value } }) => onChoose(value)}
        >
          {all.map((path) => (
            <option key={path}>{path}</option>
          ))}
        </select>
        <button type="button" className="button" onClick={() => setIsBrowsing(true)}>
          <FolderOpen aria-hidden size={16} />
          {text.browse}
        </button>
      </div>
      {isBrowsing && (
        <FolderDialog
          start={folder}
          onChoose={(chosen) => {
            setIsBrowsing(false);
            onChoose(chosen);
          }}
          onClose={() => setIsBrowsing(false)}
        />
      )}
    </div>
  );
}
