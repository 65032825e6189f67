import { htmlPage, markup } from '../pages/html.ts';
import { texts } from './sign-in-text.ts';

/** The sign of the product, as in the page. */
const logo = markup`<svg viewBox="0 0 32 32" width="40" height="40" aria-hidden="true">
  <rect width="32" height="32" rx="8" fill="#2457c5" />
  <path d="M9 26.5V11a5 5 0 0 1 5-5h4.5a6.5 6.5 0 0 1 0 13H15z" fill="#fff" />
  <path d="M13.5 10.8h5.6M13.5 14.2h3.6" stroke="#2457c5" stroke-width="1.8" stroke-linecap="round" />
</svg>`;

/** Why a sign-in failed. */
export type SignInFault = 'unknown' | 'used' | 'too-often';

/** What a page to sign in on is for. */
export interface SignInPageOptions {
  /** The path on this server to continue with. */
  readonly next: string;
  readonly fault?: SignInFault;
  /** @default 200 */
  readonly status?: number;
}

/** Whether the request is a browser's, and not a program's. */
export function wantsPage({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/html') === true;
}

/** The page to sign in on. It works without scripts, and puts no token into a URL. */
export function signInPage(request: Request, { next, fault, status = 200 }: SignInPageOptions): Response {
  const language = languageOf(request);
  const text = texts[language];
  const page = htmlPage(
    text.title,
    markup`<main class="sign-in">
      ${logo}
      <h1>${text.title}</h1>
      ${fault === undefined ? [] : [markup`<p role="alert" id="fault">${text.faults[fault]}</p>`]}
      <p>${text.how} <code>parley serve</code>${text.howEnd}</p>
      <form method="post" action="/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <label for="token">${text.token}</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required autofocus
          spellcheck="false" ${fault === undefined ? [] : [markup`aria-describedby="fault"`]} />
        <button>${text.submit}</button>
      </form>
      <p class="soft">${text.other}</p>
    </main>`,
    { status, language, formAction: "'self'" },
  );
  return sayingOrigin(page);
}

/**
 * Lets browsers send the origin of the form: under a stricter referrer policy they send none, and a form could come
 * from anywhere.
 */
function sayingOrigin(page: Response): Response {
  page.headers.set('referrer-policy', 'same-origin');
  return page;
}

/** A page that asks before a link is used. */
export interface ConfirmPageOptions {
  /** The path on this server to continue with. */
  readonly next: string;
  readonly code: string;
}

/** The page with the button that uses a link. */
export function confirmPage(request: Request, { next, code }: ConfirmPageOptions): Response {
  const language = languageOf(request);
  const text = texts[language];
  const page = htmlPage(
    text.title,
    markup`<main class="sign-in">
      ${logo}
      <h1>${text.title}</h1>
      <p>${text.once}</p>
      <form method="post" action="/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <input type="hidden" name="code" value="${code}" />
        <button autofocus>${text.submit}</button>
      </form>
    </main>`,
    { language, formAction: "'self'" },
  );
  return sayingOrigin(page);
}

/** A page that continues by itself: for a navigation from a page of this server, the browser sends its cookie. */
export function continuePage(next: string, status = 200): Response {
  const page = htmlPage('Parley', markup`<p><a href="${next}">Parley</a></p>`, {
    status,
    head: markup`<meta http-equiv="refresh" content="0;url=${next}" />`,
  });
  return page;
}

function languageOf({ headers }: Request): keyof typeof texts {
  for (const part of (headers.get('accept-language') ?? '').split(',')) {
    const language = part.trim().slice(0, 2).toLowerCase();
    if (language === 'zh') return 'zh-CN';
    if (language === 'en') return 'en';
  }
  return 'en';
}
