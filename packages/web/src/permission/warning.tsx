import { TriangleAlert } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import '../question/question.css';

/** Something a user has to know before they inbox. */
export function Warning({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <p className="question-warning">
      <TriangleAlert size={16} aria-hidden /> <span>{children}</span>
    </p>
  );
}
