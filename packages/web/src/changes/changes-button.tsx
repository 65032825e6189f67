import { FileDiff } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { useChangesAddress } from './changes-address.ts';

/** Opens and closes the changes of a session. */
export function ChangesButton(): ReactElement {
  const { changes: text } = useText();
  const { isOpen, show, close } = useChangesAddress();
  return (
    <button
      type="button"
      className="button button-plain changes-button"
      title={isOpen ? text.close : text.open}
      aria-pressed={isOpen}
      onClick={() => (isOpen ? close() : show())}
    >
      <FileDiff size={16} aria-hidden />
      <span className="changes-button-name">{text.title}</span>
    </button>
  );
}
