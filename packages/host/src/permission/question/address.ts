import { toHonestText } from './honest-text.ts';

/** A URL that an agent wants the user to open. */
export interface Address {
  /** The host of the URL. */
  readonly host: string;
  /** The parts around the host; the three together are the unmodified address. */
  readonly before: string;
  readonly shownHost: string;
  readonly after: string;
  /** It is a page that can be opened at all. */
  readonly isPage: boolean;
  readonly oddities: readonly AddressOddity[];
}

/** What is odd about an address. */
export type AddressOddity =
  | 'invalid'
  | 'not-encrypted'
  | 'not-a-page'
  | 'user-info'
  | 'other-letters'
  | 'hidden';

/** Parses a URL for a user who decides whether to open it. */
export function toAddress(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const oddities = url === undefined ? (['invalid'] as const) : odditiesOf(url);
  const hidden = toHonestText(text) === text ? [] : (['hidden'] as const);
  const isPage = url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:');
  const host = url?.host ?? '';
  const [before, shownHost, after] = split(text, url);
  return { host, before, shownHost, after, isPage, oddities: [...oddities, ...hidden] };
}

function odditiesOf(url: URL): readonly AddressOddity[] {
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(url.hostname);
  const isPage = url.protocol === 'https:' || url.protocol === 'http:';
  return [
    ...(isPage ? [] : (['not-a-page'] as const)),
    ...(url.protocol === 'http:' && !isHere ? (['not-encrypted'] as const) : []),
    // What stands before the @ is not where it leads.
    ...(url.username !== '' || url.password !== '' ? (['user-info'] as const) : []),
    // The URL parser writes letters of other scripts so; many look like Latin ones.
    ...(/(?:^|\.)xn--/u.test(url.hostname) ? (['other-letters'] as const) : []),
  ];
}

/** The text around the host, if the host occurs literally in the address. */
function split(text: string, url: URL | undefined): readonly [string, string, string] {
  if (url === undefined || url.host === '') return [text, '', ''];
  const [, scheme = '', authority = ''] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#\\]*)/iu.exec(text) ?? [];
  const userInfo = authority.slice(0, authority.lastIndexOf('@') + 1);
  const start = scheme.length + userInfo.length;
  const end = scheme.length + authority.length;
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}
