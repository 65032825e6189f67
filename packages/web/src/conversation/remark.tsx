import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import './remark.css';

/** Something beside the conversation. */
export interface RemarkProps {
  readonly icon: LucideIcon;
  /** How much it matters. @default 'soft' */
  readonly tone?: 'soft' | 'warn' | 'bad';
  readonly children: ReactNode;
  /** What is shown on demand. */
  readonly details?: ReactNode;
  /** What the details are called. */
  readonly detailsName?: string;
}

/** A line beside the conversation: a notice, a file that was written, something odd. */
export function Remark({
  icon: Icon,
  tone = 'soft',
  children,
  details,
  detailsName,
}: RemarkProps): ReactElement {
  return (
    <div className={`remark remark-${tone} small`}>
      <Icon size={14} aria-hidden />
      <div className="remark-body">
        <p>{children}</p>
        {details !== undefined && (
          <details>
            <summary>{detailsName}</summary>
            {details}
          </details>
        )}
      </div>
    </div>
  );
}
