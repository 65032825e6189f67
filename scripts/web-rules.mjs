/**
 * Looks at the page of the web interface: what it loads at once, and what its Content-Security-Policy would not allow.
 *
 * @param {string} html
 * @returns {{ files: string[]; problems: string[] }} The files by their path below the root; modules that are loaded at once
 *   are among them, for the build lists them as preloads.
 */
export function judgePage(html) {
  /** @type {string[]} */
  const files = [];
  /** @type {string[]} */
  const problems = [];
  for (const [tag, name = '', attributes = ''] of html.matchAll(/<(script|link|style)\b([^>]*)>/g)) {
    const address = /\b(?:src|href)="([^"]*)"/.exec(attributes)?.[1];
    if (name === 'style' || (name === 'script' && address === undefined)) {
      problems.push(`index.html: what stands in the page itself is not allowed: ${tag}`);
    } else if (address !== undefined && !/^\/[^/]/.test(address)) {
      problems.push(`index.html: ${address} is not a file of this server`);
    } else if (address !== undefined && !/\brel="(?:icon|manifest|apple-touch-icon)"/.test(attributes)) {
      files.push(address.slice(1));
    }
  }
  if (/\s(?:on\w+|style)=/.test(html)) {
    problems.push('index.html: handlers and styles in attributes are not allowed');
  }
  return { files, problems };
}
