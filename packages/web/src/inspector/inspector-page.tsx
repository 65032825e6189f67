import { ArrowLeft, Download, FolderOpen } from 'lucide-react';
import { useId, useMemo, useRef, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useHubSession } from '../hub/use-hub.ts';
import { useText } from '../text/language.tsx';
import { FramesPanel } from './frames-panel.tsx';
import type { FrameSource } from './use-frames.ts';
import './inspector-page.css';

/** The messages between Parley and the agent of a session; without a session, those of a recording. */
export function InspectorPage({ sessionKey }: { readonly sessionKey?: string }): ReactElement {
  const { inspector: text } = useText();
  const session = useHubSession(sessionKey ?? '');
  const [file, setFile] = useState<File>();
  const source = useMemo<FrameSource | undefined>(() => {
    if (file !== undefined) return { kind: 'recording', file };
    return sessionKey === undefined ? undefined : { kind: 'session', key: sessionKey };
  }, [file, sessionKey]);
  const path = encodeURIComponent(sessionKey ?? '');
  return (
    // The button does the same for those who do not drag.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="inspector-page"
      aria-label={text.title}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event) => {
        const [dropped] = event.dataTransfer.files;
        if (dropped === undefined) return;
        event.preventDefault();
        setFile(dropped);
      }}
    >
      <header className="inspector-head">
        <div>
          {sessionKey !== undefined && (
            <Link href={`/sessions/${path}`} className="inspector-back small">
              <ArrowLeft size={14} aria-hidden />
              {text.backToSession}
            </Link>
          )}
          <h1>
            {text.title}
            {file === undefined && session !== undefined && (
              <span className="soft"> · {session.title ?? session.agent}</span>
            )}
          </h1>
          <p className="small soft">{sessionKey === undefined ? text.recordingIntro : text.intro}</p>
        </div>
        <div className="inspector-acts">
          {sessionKey !== undefined && file === undefined && (
            <a className="button" href={`/api/sessions/${path}/export?format=recording`} download>
              <Download size={16} aria-hidden />
              {text.exportRecording}
            </a>
          )}
          <FileButton label={text.openRecording} onFile={setFile} />
        </div>
      </header>
      {source === undefined ? (
        <p className="inspector-drop soft">{text.dropRecording}</p>
      ) : (
        <FramesPanel
          key={file?.name ?? sessionKey}
          source={source}
          onClose={() => {
            setFile(undefined);
          }}
        />
      )}
    </section>
  );
}

function FileButton({
  label,
  onFile,
}: {
  readonly label: string;
  readonly onFile: (file: File) => void;
}): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="button"
        onClick={() => {
          input.current?.click();
        }}
      >
        <FolderOpen size={16} aria-hidden />
        {label}
      </button>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".jsonl,.ndjson,.json"
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onFile(file);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
