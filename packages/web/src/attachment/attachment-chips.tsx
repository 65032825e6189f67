import { File, FileText, Music, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { countLines, type Attachment, type PasteAttachment } from './attachment.ts';
import { PasteDialog } from './paste-dialog.tsx';
import type { Attachments } from './use-attachments.ts';
import './attachment-chips.css';

/** Props of {@link AttachmentChips}. */
export interface AttachmentChipsProps {
  readonly attachments: Attachments;
  /** Puts a pasted text where the caret is. */
  readonly onInsert: (text: string) => void;
  /** Called after an attachment was removed, which also removes the focus. */
  readonly onRemoved: () => void;
}

/** The attachments of a prompt, each with a preview and a button to remove it. */
export function AttachmentChips({
  attachments,
  onInsert,
  onRemoved,
}: AttachmentChipsProps): ReactElement | null {
  const { prompt } = useText();
  const [opened, setOpened] = useState<PasteAttachment>();
  const { all, remove, editPaste } = attachments;
  if (all.length === 0) return null;
  return (
    <>
      <ul className="chips" aria-label={prompt.attachments}>
        {all.map((attachment) => {
          const name = nameOf(attachment, prompt.pasted);
          return (
            <li key={attachment.id} className="chip">
              {attachment.kind === 'paste' ? (
                <button
                  type="button"
                  className="chip-open"
                  aria-label={prompt.openPaste(name)}
                  onClick={() => {
                    setOpened(attachment);
                  }}
                >
                  <FileText size={16} aria-hidden />
                  <span className="chip-name">{name}</span>
                </button>
              ) : (
                <span className="chip-open">
                  <Look attachment={attachment} />
                  <span className="chip-name">{name}</span>
                </span>
              )}
              <button
                type="button"
                className="chip-remove"
                aria-label={prompt.remove(name)}
                onClick={() => {
                  remove(attachment.id);
                  onRemoved();
                }}
              >
                <X size={14} aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
      {opened !== undefined && (
        <PasteDialog
          text={opened.text}
          onDone={(text) => {
            setOpened(undefined);
            if (text === '') remove(opened.id);
            else if (text !== opened.text) editPaste(opened.id, text);
          }}
          onInsert={(text) => {
            setOpened(undefined);
            remove(opened.id);
            onInsert(text);
          }}
        />
      )}
    </>
  );
}

function Look({ attachment }: { readonly attachment: Attachment }): ReactElement {
  switch (attachment.kind) {
    case 'image': {
      const { mimeType, data, name } = attachment;
      return <img className="chip-image" src={`data:${mimeType};base64,${data}`} alt={name} />;
    }
    case 'audio':
      return <Music size={16} aria-hidden />;
    case 'text':
    case 'paste':
      return <FileText size={16} aria-hidden />;
    case 'binary':
      return <File size={16} aria-hidden />;
  }
}

function nameOf(attachment: Attachment, pasted: (lines: number) => string): string {
  return attachment.kind === 'paste' ? pasted(countLines(attachment.text)) : attachment.name;
}
