import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDeclarations } from './declarations.mjs';
import { referencePage } from './reference.mjs';

test('the reference of a package entry has each export with its doc comment and declaration, and no private members', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-reference-'));
  try {
    await writeFile(
      join(folder, 'index.d.ts'),
      "export { Peer, open as connect } from './peer.ts';\nexport type { Other } from '@parley/other';\n",
    );
    await writeFile(
      join(folder, 'peer.d.ts'),
      [
        '/** A side of a {@link Connection}. */',
        'export declare class Peer {',
        '    private readonly secret;',
        '    /** Its name. */',
        '    readonly name: string;',
        '}',
        '/**',
        ' * Opens a `Peer<T>`.',
        ' *',
        ' * @param name How it is called, in <angles>.',
        ' */',
        'export declare function open(name: string): Peer;',
        'export declare function open(name: string, size: number): Peer;',
      ].join('\n'),
    );
    const declarations = await readDeclarations(join(folder, 'index.d.ts'));
    const page = referencePage({ specifier: '@parley/peer', page: 'reference/peer', declarations });

    expect(declarations.map(({ name, kind }) => [name, kind])).toEqual([
      ['connect', 'function'],
      ['Other', 'type'],
      ['Peer', 'class'],
    ]);
    expect(page).toContain('### Peer\n\nA side of a `Connection`.');
    expect(page).toContain('    /** Its name. */\n    readonly name: string;');
    expect(page).not.toContain('secret');
    expect(page).toContain('Opens a `Peer<T>`.\n\n- `name`: How it is called, in &lt;angles&gt;.');
    expect(page).toContain(
      'function open(name: string): Peer;\nfunction open(name: string, size: number): Peer;',
    );
    expect(page).toContain('Re-exported from `@parley/other`.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
