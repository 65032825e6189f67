import { Paperclip } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';

/** What becomes of the files that were chosen. */
export interface AttachButtonProps {
  readonly onFiles: (files: readonly File[]) => Promise<void>;
}

/** Lets files be chosen; on a phone also from the camera. */
export function AttachButton({ onFiles }: AttachButtonProps): ReactElement {
  const { prompt } = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="button button-plain button-icon prompt-editor-attach"
        aria-label={prompt.attach}
        title={prompt.attach}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={16} aria-hidden />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={prompt.attach}
        onChange={({ currentTarget }) => {
          void onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}
