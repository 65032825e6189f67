import type { WorkerTexts } from './texts.ts';

/** The page at each address of ours while the server cannot be reached. It is part of the worker, and tries again by itself. */
export function offlinePage(address: string, texts: WorkerTexts): Response {
  const { host, pathname, search } = new URL(address);
  const nonce = crypto.randomUUID();
  const reason = navigator.onLine ? texts.unreachable(host) : texts.offline;
  const here = escape(`${pathname}${search}`);
  const html = `<!doctype html>
<html lang="${texts.language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta http-equiv="refresh" content="15" />
    <title>${texts.title}</title>
    <style nonce="${nonce}">
      body { max-width: 30rem; margin: 20vh auto 0; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
      h1 { font-size: 1.25rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>${texts.title}</h1>
      <p>${escape(reason)}</p>
      <p><a href="${here}">${texts.retry}</a></p>
    </main>
  </body>
</html>
`;
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
    },
  });
}

function escape(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => `&#${String(character.codePointAt(0))};`);
}
