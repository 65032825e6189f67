import { AgentError } from '../agent-error.ts';
import { firstCharacters } from '../first-characters.ts';
import { parseArguments } from './argument/arguments.ts';
import { toTitle } from './argument/title.ts';
import { codeContent, textContent } from './content.ts';
import type { Tool } from './tool.ts';

/** `fetch`: the text of a page on the web. */
export const fetchTool: Tool = {
  name: 'fetch',
  kind: 'fetch',
  description:
    'Fetches a page by HTTP and gives its text; HTML is turned into plain text. Public addresses only.',
  inputSchema: {
    type: 'object',
    properties: { url: { type: 'string', description: 'An http or https address' } },
    required: ['url'],
  },
  prepare(input, { environment, limits }) {
    const url = parseUrl(parseArguments('fetch', input).word('url'));
    return {
      title: toTitle(`Fetch ${url.href}`),
      action: { kind: 'fetch', host: url.host },
      preview: () => Promise.resolve({ content: [textContent(url.href)] }),
      run: async ({ signal }) => {
        const response = await environment.fetchUrl({
          url: url.href,
          signal,
          limitBytes: limits.fetchBytes,
          maxRedirects: limits.fetchRedirects,
          timeoutMs: limits.fetchMs,
        });
        const { status, contentType } = response;
        const isError = status < 200 || status > 299;
        const rawOutput = { url: response.url, status, contentType, truncated: response.truncated };
        const summary = `Status ${String(status)} from ${response.url}`;
        if (response.text === undefined) {
          const text = `${summary}: ${contentType === '' ? 'the content' : contentType} is not text`;
          return {
            text,
            content: [textContent(text)],
            rawOutput: { ...rawOutput, error: { code: 'binary', message: text } },
            isError: true,
          };
        }
        const whole = isHtml(contentType) ? await toPageText(response.text, response.url) : response.text;
        const kept = firstCharacters(whole, limits.fetchChars);
        const truncated = response.truncated || kept.length < whole.length;
        const text = truncated ? `${kept}\n[Truncated: the page is longer]` : kept;
        return {
          text: isError ? `${text}\n${summary}` : text,
          content: [...(text === '' ? [] : [codeContent(text)]), textContent(summary)],
          rawOutput: {
            ...rawOutput,
            truncated,
            ...(isError && { error: { code: 'http-status', message: summary } }),
          },
          isError,
        };
      },
    };
  },
};

/** The parser of pages is loaded with the first page. */
async function toPageText(html: string, address: string): Promise<string> {
  const { htmlToText } = await import('./html-to-text.ts');
  return htmlToText(html, address);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new AgentError('invalid-input', 'fetch: "url" must be an http or https address');
  }
  if (url.username !== '' || url.password !== '') {
    throw new AgentError('invalid-input', 'fetch: "url" must have no user name and no password in it');
  }
  url.hash = '';
  return url;
}

function isHtml(contentType: string): boolean {
  return contentType === 'text/html' || contentType === 'application/xhtml+xml';
}
