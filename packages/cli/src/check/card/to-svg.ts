import type { ConformanceCard } from '@parley/conformance';
import { summarize, toCounts } from './summary.ts';
import { toXml } from './xml.ts';

/** A card as a picture, without scripts and without anything from elsewhere. */
export function toSvg({ target, checks }: ConformanceCard): string {
  const summary = summarize(checks);
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const isMet = failed.every(({ level }) => level === 'recommended');
  const title = `${target.name} ${target.version}`;
  const rows = failed.map(({ id, level }) => `${id} (${level})`);
  const shown =
    rows.length > maxRows ? [...rows.slice(0, maxRows), `and ${String(rows.length - maxRows)} more`] : rows;
  const height = 96 + shown.length * rowHeight;
  const all = Math.max(1, checks.length);
  const passedWidth = Math.round((barWidth * summary.passed) / all);
  const failedWidth = Math.round((barWidth * summary.failed) / all);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}" role="img" font-family="sans-serif">`,
    `  <title>${toXml(`ACP conformance of ${title}: ${toCounts(checks)}`)}</title>`,
    `  <rect width="${String(width)}" height="${String(height)}" rx="8" fill="#ffffff" stroke="#d0d7de"/>`,
    text(
      28,
      16,
      '#1f2328',
      `${title.slice(0, 40)}: ${isMet ? 'conforms to ACP 1' : 'does not conform to ACP 1'}`,
      true,
    ),
    text(52, 13, '#57606a', toCounts(checks)),
    `  <rect x="16" y="66" width="${String(barWidth)}" height="8" fill="#d0d7de"/>`,
    `  <rect x="16" y="66" width="${String(passedWidth)}" height="8" fill="#1a7f37"/>`,
    `  <rect x="${String(16 + passedWidth)}" y="66" width="${String(failedWidth)}" height="8" fill="#cf222e"/>`,
    ...shown.map((row, index) => text(98 + index * rowHeight, 12, '#cf222e', row)),
    '</svg>',
    '',
  ].join('\n');
}

const width = 480;
const barWidth = width - 32;
const rowHeight = 18;
/** The failed checks that the picture lists. */
const maxRows = 12;

function text(y: number, size: number, color: string, content: string, isBold = false): string {
  const weight = isBold ? ' font-weight="bold"' : '';
  return `  <text x="16" y="${String(y)}" font-size="${String(size)}" fill="${color}"${weight}>${toXml(content)}</text>`;
}
