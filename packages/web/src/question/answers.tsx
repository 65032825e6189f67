import { createContext, use, type Context, type ReactElement, type ReactNode } from 'react';
import { useText } from '../text/language.tsx';

/** Whether the question around something can be answered here. */
export const AnswerableContext: Context<boolean> = createContext(true);

/** The buttons that answer a question; nothing where it cannot be answered here. */
export function Answers({ children }: { readonly children: ReactNode }): ReactElement | null {
  const { inbox } = useText();
  if (!use(AnswerableContext)) return null;
  return (
    <fieldset className="permission-actions" aria-label={inbox.answers}>
      {children}
    </fieldset>
  );
}
