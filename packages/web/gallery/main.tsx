import { StrictMode, type ReactElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { HubContext } from '../src/hub/use-hub.ts';
import { LanguageProvider, useHasTexts } from '../src/text/language.tsx';
import { showTheme } from '../src/theme/theme.ts';
import { fakeHub } from './fake-hub.ts';
import type { Scene, Scenes } from './scene.ts';
import '../src/theme/tokens.css';
import '../src/theme/base.css';

// Shows parts of the interface in each of their states, with a hub that is made up. It is not part of what is built.

const modules = import.meta.glob<{ readonly scenes: Scenes }>('./*.gallery.tsx', { eager: true });
const scenes = new Map<string, Scene>(
  Object.entries(modules).flatMap(([file, module]) =>
    Object.entries(module.scenes).map(([name, scene]) => [`${nameOf(file)}/${name}`, scene] as const),
  ),
);

showTheme();
const wanted = scenes.get(new URLSearchParams(location.search).get('scene') ?? '');
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider>
        <HubContext value={fakeHub(wanted?.hub)}>
          {wanted === undefined ? <Index /> : <Shown>{wanted.show()}</Shown>}
        </HubContext>
      </LanguageProvider>
    </StrictMode>,
  );
}

/** A scene, when the texts of pages are loaded. */
function Shown({ children }: { readonly children: ReactNode }): ReactElement {
  return <>{useHasTexts() && children}</>;
}

function Index(): ReactElement {
  return (
    <ul>
      {[...scenes.keys()].map((name) => (
        <li key={name}>
          <a href={`?scene=${name}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

function nameOf(file: string): string {
  return file.replace('./', '').replace('.gallery.tsx', '');
}
