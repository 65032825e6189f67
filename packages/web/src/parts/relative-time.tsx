import { useEffect, useState, type ReactElement } from 'react';
import { useLanguage } from '../text/language.tsx';
import { ageText } from './age.ts';

/** When something was, as people say it: "5 minutes ago". Its title is the exact time. */
export function RelativeTime({ time }: { readonly time: number }): ReactElement {
  const { language } = useLanguage();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 20_000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return (
    <time dateTime={new Date(time).toISOString()} title={new Date(time).toLocaleString(language)}>
      {ageText(now - time, language)}
    </time>
  );
}
