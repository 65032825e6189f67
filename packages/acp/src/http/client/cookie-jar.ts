/**
 * The cookies of one address, for as long as a connection lives: what is in front of the server may need them to find
 * it again. Source: ACP, remote transports. A browser keeps its own, and hides them from scripts.
 */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Takes what a response sets. */
  store(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(at, 0)).trim();
      if (name === '') continue;
      if (attributes.some(isOver)) this.#cookies.delete(name);
      else if (this.#cookies.size < mostCookies || this.#cookies.has(name)) {
        this.#cookies.set(name, pair.slice(at + 1).trim());
      }
    }
  }

  /** What a request sends, with the cookies that its sender wants anyway. */
  header(own: string | null): string | undefined {
    const kept = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    const all = own === null ? kept : [own, ...kept];
    return all.length === 0 ? undefined : all.join('; ');
  }
}

function isOver(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=', 2);
  switch (name.trim().toLowerCase()) {
    case 'max-age':
      return Number(value) <= 0;
    case 'expires':
      return Date.parse(value) <= Date.now();
    default:
      return false;
  }
}

/** Stored cookies of one server. */
const mostCookies = 50;
