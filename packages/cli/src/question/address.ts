import { spell, toAddress, toHonestPieces, type Address, type AddressOddity } from '@parley/host/state';
import type { Style } from '../output/style.ts';
import { oneLine, toRows, type Line, type Screen } from './rows.ts';

/**
 * An address that an agent wants a user to open. ACP v1, Elicitation: they see the host and the whole address, are
 * warned of what is odd about it, and nothing is opened or fetched for them.
 */
export function showAddress(text: string, screen: Screen): string {
  const lines = addressLines(toAddress(text), screen.style);
  const host = oneLine(toHonestPieces(toAddress(text).host));
  const head = {
    before: '',
    text: `The agent wants you to open a URL in your browser, on ${host || 'no host'}:`,
  };
  const { rows } = toRows([{ lines: [head, ...lines], limit: lines.length }], screen, 'whole', '    ');
  return rows.map((row) => `${row}\n`).join('');
}

/** The address, whole, and what is odd about it. */
export function addressLines(address: Address, style: Style): readonly Line[] {
  const { before, shownHost, after, oddities } = address;
  return [
    { before: '', text: oneLine(toHonestPieces(before + shownHost + after)) },
    ...oddities.map((oddity) => ({
      before: '! ',
      text: `Careful: ${oddityText(oddity, address)}.`,
      paint: style.red,
    })),
  ];
}

function oddityText(oddity: AddressOddity, { host }: Address): string {
  const shownHost = spell(toHonestPieces(host));
  switch (oddity) {
    case 'invalid':
      return 'not a valid address';
    case 'not-encrypted':
      return 'the connection would not be encrypted';
    case 'not-a-page':
      return 'this is not a page';
    case 'user-info':
      return `the part before the @ is not the destination; the destination is ${shownHost}`;
    case 'other-letters':
      return `the host has letters that may look like others (${shownHost})`;
    case 'hidden':
      return 'it contains invisible or look-alike characters';
  }
}
