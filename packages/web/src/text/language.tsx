import {
  createContext,
  use,
  useEffect,
  useMemo,
  useState,
  type Context,
  type ReactElement,
  type ReactNode,
} from 'react';
import { enFirst, type FirstTexts } from './en-first.ts';
import type { Texts } from './en.ts';

/** A language of the interface, by its tag (BCP 47). */
export type Language = 'en' | 'zh-CN';

/** All languages, each by its own name. */
export const languages: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'zh-CN', name: '简体中文' },
];

/** A language, and its texts. */
export interface Speech {
  readonly language: Language;
  readonly texts: FirstTexts;
  /** The texts of pages; undefined until they are loaded. */
  readonly all: Texts | undefined;
  /** Why the texts of pages could not be loaded. */
  readonly failure?: { readonly error: unknown };
  readonly choose: (language: Language) => void;
}

/** The language that is spoken. */
export const SpeechContext: Context<Speech | undefined> = createContext<Speech | undefined>(undefined);

/** The texts of the chosen language, for what `later` loads. */
export function useText(): Texts {
  const { all } = useSpeech();
  if (all === undefined) throw new Error('the texts of pages are not loaded');
  return all;
}

/** Whether the texts of pages are loaded. Throws if they could not be. */
export function useHasTexts(): boolean {
  const { all, failure } = useSpeech();
  if (failure !== undefined) throw failure.error;
  return all !== undefined;
}

/** The texts that are available from the start: those around pages. */
export function useFirstText(): FirstTexts {
  return useSpeech().texts;
}

/** The chosen language, and how another one is chosen. */
export function useLanguage(): Pick<Speech, 'language' | 'choose'> {
  return useSpeech();
}

function useSpeech(): Speech {
  const speech = use(SpeechContext);
  if (speech === undefined) throw new Error('the component has no language provider');
  return speech;
}

/** Speaks the language that was chosen in this browser, else the browser's own. */
export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactElement | null {
  const [wanted, setWanted] = useState(readLanguage);
  const [spoken, setSpoken] = useState<Spoken | undefined>(wanted === 'en' ? english : undefined);
  useEffect(() => {
    let isWanted = true;
    void loadSpeech(wanted, (speech) => {
      if (!isWanted) return;
      document.documentElement.lang = speech.language;
      // A page that is shown keeps its language until all of the next one is loaded.
      setSpoken((before) => (speech.all === undefined && before?.all !== undefined ? before : speech));
    });
    return () => {
      isWanted = false;
    };
  }, [wanted]);
  const speech = useMemo(
    () =>
      spoken && {
        ...spoken,
        choose: (language: Language) => {
          localStorage.setItem(name, language);
          setWanted(language);
        },
      },
    [spoken],
  );
  return speech === undefined ? null : <SpeechContext value={speech}>{children}</SpeechContext>;
}

/** Begins to load the texts of pages, before they are rendered. */
export async function loadTexts(): Promise<void> {
  const { load } = await loadFirst(readLanguage());
  // A failure is reported where they are needed.
  await load.catch(() => {});
}

type Spoken = Omit<Speech, 'choose'>;

const english: Spoken = { language: 'en', texts: enFirst, all: undefined };

const name = 'parley-language';

function readLanguage(): Language {
  const kept = localStorage.getItem(name);
  const wanted = kept === null ? navigator.languages : [kept];
  for (const tag of wanted) {
    const [first] = tag.toLowerCase().split('-');
    if (first === 'zh') return 'zh-CN';
    if (first === 'en') return 'en';
  }
  return 'en';
}

/** Loads a language, and passes on what is available so far. English is always, and takes the place of another one that cannot be loaded. */
async function loadSpeech(language: Language, say: (speech: Spoken) => void): Promise<void> {
  const { load, ...first } = await loadFirst(language);
  say({ ...first, all: undefined });
  try {
    say({ ...first, all: await load });
  } catch (error) {
    say({ ...first, all: undefined, failure: { error } });
  }
}

async function loadFirst(
  language: Language,
): Promise<Pick<Spoken, 'language' | 'texts'> & { readonly load: Promise<Texts> }> {
  if (language === 'zh-CN') {
    const load = import('./zh-cn.ts').then(({ zhCn }) => zhCn);
    // Its failure is that of the page, if the first texts can be loaded.
    load.catch(() => {});
    try {
      const { zhCnFirst } = await import('./zh-cn-first.ts');
      return { language, texts: zhCnFirst, load };
    } catch {
      // The page is shown all the same.
    }
  }
  return { language: 'en', texts: enFirst, load: import('./en.ts').then(({ en }) => en) };
}
