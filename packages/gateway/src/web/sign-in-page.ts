import { htmlPage, markup } from '../pages/html.ts';
import { texts } from './sign-in-text.ts';

/** Why a sign-in failed. */
export type SignInFault = 'unknown' | 'used' | 'too-often';

/** What a page to sign in on is for. */
export interface SignInPageOptions {
  /** Where it leads, a path of this server. */
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
    markup`<main>
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
      <p>${text.other}</p>
    </main>`,
    { status, language, formAction: "'self'" },
  );
  return sayingOrigin(page);
}

/** Without an origin a form could come from anywhere, and browsers send none under a stricter policy. */
function sayingOrigin(page: Response): Response {
  page.headers.set('referrer-policy', 'same-origin');
  return page;
}

/** What a page is for that asks before a link is used. */
export interface ConfirmPageOptions {
  /** Where it leads, a path of this server. */
  readonly next: string;
  readonly code: string;
}

/** The page with the button that uses a link. */
export function confirmPage(request: Request, { next, code }: ConfirmPageOptions): Response {
  const language = languageOf(request);
  const text = texts[language];
  const page = htmlPage(
    text.title,
    markup`<main>
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

/** A page that leads on by itself: from a page of ours, the browser sends its cookie along. */
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
