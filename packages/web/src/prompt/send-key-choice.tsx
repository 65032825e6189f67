import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { useSendKey } from './use-send-key.ts';

/** Lets the user choose which key sends a prompt. */
export function SendKeyChoice(): ReactElement {
  const { prompt } = useText();
  const [sendKey, choose] = useSendKey();
  return (
    <label>
      {prompt.sendKey}
      <select
        className="field"
        value={sendKey}
        onChange={({ target: { value } }) => {
          choose(value === 'mod-enter' ? value : 'enter');
        }}
      >
        <option value="enter">{prompt.sendKeyEnter}</option>
        <option value="mod-enter">{prompt.sendKeyMod}</option>
      </select>
    </label>
  );
}
