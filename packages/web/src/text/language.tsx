import {
  createContext,
  Suspense,
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
  /** The texts of pages come with the first page. */
  readonly all: Promise<Texts>;
  readonly choose: (language: Language) => void;
}

/** The language that is spoken. */
export const SpeechContext: Context<Speech | undefined> = createContext<Speech | undefined>(undefined);

/** The texts of the chosen language. Components suspend until those of pages are loaded. */
export function useText(): Texts {
  return use(useSpeech().all);
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
  const [spoken, setSpoken] = useState<Omit<Speech, 'choose'>>();
  useEffect(() => {
    let isWanted = true;
    void loadSpeech(wanted).then((speech) => {
      if (!isWanted) return;
      document.documentElement.lang = speech.language;
      setSpoken(speech);
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
  return speech === undefined ? null : (
    <SpeechContext value={speech}>
      <Suspense fallback={null}>{children}</Suspense>
    </SpeechContext>
  );
}

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

/** Loads a language. English is always available, and the fallback if another one cannot be loaded. */
async function loadSpeech(language: Language): Promise<Omit<Speech, 'choose'>> {
  if (language === 'zh-CN') {
    try {
      const { zhCnFirst } = await import('./zh-cn-first.ts');
      return { language, texts: zhCnFirst, all: later(import('./zh-cn.ts').then(({ zhCn }) => zhCn)) };
    } catch {
      // The page is shown all the same.
    }
  }
  return { language: 'en', texts: enFirst, all: later(import('./en.ts').then(({ en }) => en)) };
}

/** Its failure is reported to the callers that wait for it. */
function later<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}
