import { CornerLeftUp, Folder } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import { askApi } from '../hub/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import './folder-dialog.css';

interface FolderList {
  readonly path: string;
  readonly parent?: string;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
}

/** Props of {@link FolderDialog}. */
export interface FolderDialogProps {
  readonly start: string;
  readonly onChoose: (folder: string) => void;
  readonly onClose: () => void;
}

/** Browses the folders of the workspaces to choose one. */
export function FolderDialog({ start, onChoose, onClose }: FolderDialogProps): ReactElement {
  const { shell, sessions: text } = useText();
  const [path, setPath] = useState(start);
  const [list, setList] = useState<FolderList>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const asking = new AbortController();
    askApi<FolderList>(`/api/folders?path=${encodeURIComponent(path)}`, { signal: asking.signal }).then(
      (found) => {
        setList(found);
        setFailure(undefined);
      },
      (error: unknown) => {
        if (!asking.signal.aborted) setFailure(error);
      },
    );
    return () => asking.abort();
  }, [path]);
  return (
    <Dialog title={text.chooseFolder} onClose={onClose}>
      <p className="folder-path">
        <code>{list?.path ?? path}</code>
      </p>
      {failure !== undefined && <p role="alert">{failureText(failure, shell)}</p>}
      <ul className="folder-list" aria-busy={list?.path !== path} aria-label={text.folders}>
        {list?.parent !== undefined && (
          <FolderRow path={list.parent} onOpen={setPath} icon={<CornerLeftUp aria-hidden size={16} />}>
            {text.parentFolder}
          </FolderRow>
        )}
        {list?.folders.map(({ name, path: below }) => (
          <FolderRow key={below} path={below} onOpen={setPath} icon={<Folder aria-hidden size={16} />}>
            {name}
          </FolderRow>
        ))}
        {list?.folders.length === 0 && <li className="soft">{text.noFolders}</li>}
      </ul>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={list === undefined}
          onClick={() => onChoose(list?.path ?? path)}
        >
          {text.takeFolder}
        </button>
      </div>
    </Dialog>
  );
}

function FolderRow({
  path,
  icon,
  onOpen,
  children,
}: {
  readonly path: string;
  readonly icon: ReactElement;
  readonly onOpen: (path: string) => void;
  readonly children: string;
}): ReactElement {
  return (
    <li>
      <button type="button" className="folder-row" onClick={() => onOpen(path)}>
        {icon}
        {children}
      </button>
    </li>
  );
}
