import { KeyRound } from 'lucide-react';
import { lazy, Suspense, useState, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';

const ConnectModelDialog = lazy(async () => ({
  default: (await import('./connect-model-dialog.tsx')).ConnectModelDialog,
}));

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
      {isOpen && (
        <Suspense fallback={null}>
          <ConnectModelDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
