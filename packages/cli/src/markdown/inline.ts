import { Lexer, type Token } from 'marked';
import type { Style } from '../output/style.ts';

/** Longer lines are displayed without formatting, in characters. */
const maxParsedLength = 1000;

/**
 * Formats the Markdown within one line: bold, italic, code, links. A link displays its address too, and unsupported
 * syntax, such as HTML, is displayed unchanged: nothing that the agent sent is hidden. Without colors, the marks
 * remain.
 */
export function renderInline(text: string, style: Style): string {
  const hasMarks = /[*_`~[\]<\\]|https?:|www\./u.test(text);
  if (!style.isColoured || !hasMarks || text.length > maxParsedLength) return text;
  return renderTokens(Lexer.lexInline(text, { gfm: true }), style);
}

function renderTokens(tokens: readonly Token[], style: Style): string {
  return tokens.map((token) => renderToken(token, style)).join('');
}

function renderToken(token: Token, style: Style): string {
  const children = (): string => renderTokens('tokens' in token ? (token.tokens ?? []) : [], style);
  switch (token.type) {
    case 'strong':
      return style.bold(children());
    case 'em':
      return style.italic(children());
    case 'codespan':
      return style.cyan(String(token['text']));
    case 'escape':
      return String(token['text']);
    case 'link':
      return renderLink(token, children(), style);
    default:
      return token.raw;
  }
}

function renderLink(token: Token, label: string, style: Style): string {
  const { href, text, title } = { href: '', text: '', title: null, ...token };
  if (typeof title === 'string') return token.raw;
  const isSame = href === text || href === `mailto:${text}` || href === `http://${text}`;
  return isSame ? style.underline(text) : `${style.underline(label)} ${style.dim(`(${href})`)}`;
}
