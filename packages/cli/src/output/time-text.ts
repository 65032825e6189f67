/** How long ago something was, in a few characters. */
export function toAge(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${String(minutes)} min`;
  if (minutes < 24 * 60) return `${String(Math.floor(minutes / 60))} h`;
  const days = Math.floor(minutes / (24 * 60));
  return days < 100 ? `${String(days)} d` : new Date(time).toISOString().slice(0, 10);
}

/** A time in the local zone: `2026-01-31 12:00`. */
export function toLocalTime(time: number): string {
  const date = new Date(time);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear())}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}
