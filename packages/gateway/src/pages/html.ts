import { createHash } from 'node:crypto';

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

/** HTML of a template: each value is escaped as text, unless it is HTML itself. */
export function markup(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += toText(value) + (parts[index + 1] ?? '');
  return { html: text };
}

/** What a page has besides its text. */
export interface HtmlPageOptions {
  /** @default 200 */
  readonly status?: number;
  /** @default 'en' */
  readonly language?: string;
  /** Further elements of its head. @default none */
  readonly head?: Html;
  /** Where its forms may be sent, as a value of the policy `form-action`. @default "'none'" */
  readonly formAction?: string;
}

/** A self-contained page: one file, without scripts and external resources. */
export function htmlPage(title: string, body: Html, options: HtmlPageOptions = {}): Response {
  const { status = 200, language = 'en', head, formAction = "'none'" } = options;
  const page = markup`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${{ html: `<style>${style}</style>` }} ${head === undefined ? [] : [head]}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return new Response(page.html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [...policy, `form-action ${formAction}`].join('; '),
    },
  });
}

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 14px/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8884; border-radius: .4rem; }
table { border-collapse: collapse; }
td, th { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; }
section { margin: 2rem 0; }
h3 code { font-size: 1rem; }
form { display: grid; gap: .5rem; max-width: 24rem; }
input, button { font: inherit; min-height: 2.5rem; padding: .25rem .75rem; }
.sign-in { max-width: 24rem; margin: 12vh auto 0; display: grid; gap: 1rem; font-size: 15px; }
.sign-in h1 { margin: 0; font-size: 1.5rem; }
.sign-in p { margin: 0; }
.sign-in label { font-weight: 600; }
.sign-in input { border: 1px solid #8690a0; border-radius: 8px; background: Canvas; color: CanvasText; }
.sign-in button { border: 0; border-radius: 8px; background: #2457c5; color: #fff; font-weight: 600; cursor: pointer; }
.sign-in .soft { color: color-mix(in srgb, CanvasText 70%, Canvas); font-size: 13px; }
[role=alert] { padding: .5rem .75rem; border-left: .25rem solid #c33; background: #c331; }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  // Without an icon that they may have, browsers ask for one that only those who are signed in get.
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

function toText(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeHtml(value);
  if ('html' in value) return value.html;
  return value.map((part) => part.html).join('');
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => `&#${String(character.charCodeAt(0))};`);
}
