import type { DeskSession } from '@parley/host/desk';
import type { View } from '@parley/host/view';
import { useState, type ReactElement } from 'react';
import { useDeskClient } from '../desk/use-desk.ts';
import { useText } from '../text/language.tsx';

/** Whose prompts are written here. */
export interface PromptBoxProps {
  readonly sessionKey: string;
  readonly session: DeskSession | undefined;
  readonly view: View;
}

/** Where prompts are written, queued and stopped. */
export function PromptBox({ sessionKey }: PromptBoxProps): ReactElement {
  const { prompt } = useText();
  const client = useDeskClient();
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void client.prompt(sessionKey, [{ type: 'text', text }]);
        setText('');
      }}
    >
      <textarea
        className="field"
        aria-label={prompt.title}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button className="button button-primary">{prompt.title}</button>
    </form>
  );
}
