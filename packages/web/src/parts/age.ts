/** How long ago something was, in the largest unit that fits. */
export interface Age {
  readonly count: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';
}

/** What is less than a minute ago is now. */
export function toAge(ms: number): Age {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return { count: 0, unit: 'second' };
  if (minutes < 60) return { count: minutes, unit: 'minute' };
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return { count: hours, unit: 'hour' };
  const days = Math.floor(hours / 24);
  if (days < 30) return { count: days, unit: 'day' };
  return days < 365
    ? { count: Math.floor(days / 30), unit: 'month' }
    : { count: Math.floor(days / 365), unit: 'year' };
}

/** The time since an event, in words. A time in the future, from another clock, counts as now. */
export function ageText(ms: number, language: string): string {
  const { count, unit } = toAge(Math.max(0, ms));
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'narrow' }).format(-count, unit);
}
