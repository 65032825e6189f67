import { ArrowDown } from 'lucide-react';
import { useEffect, useState, type ReactElement, type RefObject } from 'react';
import { useText } from '../text/language.tsx';

/** A note on answers that stay in sight: what they are about continues behind and below them. */
export function ContinuesBelow({
  answers,
}: {
  readonly answers: RefObject<HTMLElement | null>;
}): ReactElement | null {
  const { inbox } = useText();
  const [isLeft, setIsLeft] = useState(false);
  useEffect(() => {
    const box = answers.current;
    const content = box?.previousElementSibling;
    if (box === null || content === null || content === undefined) return undefined;
    const look = (): void => {
      setIsLeft(content.getBoundingClientRect().bottom > box.getBoundingClientRect().top + 1);
    };
    const sizes = new ResizeObserver(look);
    for (const part of box.parentElement?.children ?? []) sizes.observe(part);
    addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [answers]);
  if (!isLeft) return null;
  // Screen readers read all of it anyway.
  return (
    <span className="permission-continues small" aria-hidden>
      {inbox.continuesBelow} <ArrowDown size={12} />
    </span>
  );
}
