import { KeyRound } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { later } from '../parts/later.tsx';
import { useText } from '../text/language.tsx';

const ConnectModelDialog = later(async () => (await import('./connect-model-dialog.tsx')).ConnectModelDialog);

/** Opens the dialog that connects a model provider to Parley's own agent. */
export function ConnectModel(): ReactElement {
  const { agents: text } = useText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        <KeyRound size={16} aria-hidden />
        {text.connectModel}
      </button>
      {isOpen && <ConnectModelDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
