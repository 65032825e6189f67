/** A duration as people say it, in at most two units: "0.4 s", "12 s", "3 min 4 s", "2 h 5 min". */
export function formatDuration(ms: number, language: string): string {
  const whole = Math.max(0, ms);
  const seconds = whole < 10_000 ? Math.round(whole / 100) / 10 : Math.round(whole / 1000);
  if (seconds < 60) return say(seconds, 'second', language);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return join(say(minutes, 'minute', language), seconds % 60, 'second', language);
  const hours = Math.floor(minutes / 60);
  return join(say(hours, 'hour', language), minutes % 60, 'minute', language);
}

type Unit = 'second' | 'minute' | 'hour';

function say(count: number, unit: Unit, language: string): string {
  return formatOf(unit, language).format(count).replace('sec', 's').replace('hr', 'h');
}

/** One for each unit and language: making one takes longer than many uses of it, and a running turn says its duration in each frame. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(unit: Unit, language: string): Intl.NumberFormat {
  const name = `${language} ${unit}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  });
  formats.set(name, made);
  return made;
}

function join(first: string, count: number, unit: Unit, language: string): string {
  return count === 0 ? first : `${first} ${say(count, unit, language)}`;
}
