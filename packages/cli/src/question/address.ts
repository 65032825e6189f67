import { toHonestText, toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';

/**
 * An address that an agent wants a person to open. ACP v1, Elicitation: they see the host and the whole address, are
 * warned of what is odd about it, and nothing is opened or fetched for them.
 */
export function showAddress(address: string, style: Style): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const lines = [
    `It wants you to open an address in your browser, on ${style.bold(toPlainLine(url?.host ?? 'no host'))}:`,
    // Whole, on however many lines: what is cut cannot be judged.
    toHonestText(address).replaceAll(/\s+/gu, ' '),
    ...oddities(address, url).map((oddity) => style.red(`Careful: ${oddity}.`)),
  ];
  return lines.map((line) => `    ${line}\n`).join('');
}

function oddities(address: string, url: URL | undefined): string[] {
  if (url === undefined) return ['this is no valid address'];
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return [
    ...(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
      ? []
      : [`it is not encrypted, or not a page (${toPlainLine(url.protocol)})`]),
    ...(url.username !== '' || url.password !== ''
      ? [`what stands before the @ is not where it leads; that is ${toPlainLine(url.host)}`]
      : []),
    // The URL parser writes letters of other scripts so; many look like Latin ones.
    ...(/(?:^|\.)xn--/.test(url.hostname)
      ? [`the host has letters that may look like others (${toPlainLine(url.hostname)})`]
      : []),
    ...(toHonestText(address) === address ? [] : ['it holds characters that cannot be seen']),
  ];
}
